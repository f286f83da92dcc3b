"""The whole protocol of docs/principal-investigators.md: loaded, and rehearsed on its own YAML."""

import datetime
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rig.config import ProtocolFile, load, validate
from rig.core.plan import Rehearsal
from rig.core.task import Task
from rig.session.perform import Order, Performed, perform
from rig.session.setup import Prepared, assemble, read_rig
from sim_hardware.models.base import Model
from tests.docs.pages import ROOT, blocks_of

SHORT = ("stop.session_s=300",)


@dataclass
class Lesson:
    """What the page shows, put together, and a folder to run it in."""

    prepared: Prepared
    folder: Path

    def rehearse(self, model: str, data: str = "data") -> Performed:
        order = Order(
            data=self.folder / data,
            subject="M1",
            seed=3,
            start=datetime.datetime(2026, 11, 21, 9),
            rehearsal=Rehearsal(model, seed=3),
        )
        return perform(self.prepared, order)


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lesson:
    shown = {block.file: block.text for block in blocks_of(ROOT / "docs" / "principal-investigators.md")}
    for name in ("follow_the_light.py", "follow_the_light.yaml"):
        (tmp_path / name).write_text(shown[name], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("follow_the_light", tmp_path / "follow_the_light.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "follow_the_light", module)
    spec.loader.exec_module(module)
    layered = load(tmp_path / "follow_the_light.yaml", SHORT)
    file = validate(ProtocolFile, layered)
    task: type[Task[Any, Any, Any]] = getattr(module, file.protocol.partition(":")[2])
    params = validate(task.params_type, layered, ("params",))
    assert file.sim_rig is not None
    return Lesson(assemble("follow_the_light", task, params, file.stop, read_rig(file.sim_rig)), tmp_path)


def test_a_mouse_that_guesses_is_right_half_the_time_and_paid_for_it(lesson: Lesson) -> None:
    performed = lesson.rehearse("random")
    rows = performed.rows
    assert performed.outcome.reason == "time_limit"
    assert len(rows) > 30
    answered = [row for row in rows if row["choice"]]
    assert {row["outcome"] for row in rows} <= {"right", "wrong", "omission", "cut"}
    assert all((row["outcome"] == "right") == (row["choice"] == row["lit"]) for row in answered)
    assert all(row["reward_ul"] == (3.0 if row["outcome"] == "right" else 0.0) for row in rows)
    assert 0.25 < sum(row["outcome"] == "right" for row in answered) / len(answered) < 0.75


def test_it_decides_the_same_twice(lesson: Lesson) -> None:
    journals = [lesson.rehearse("random", data).folder / "journal.jsonl" for data in ("one", "two")]
    assert journals[0].read_bytes() == journals[1].read_bytes()


def test_the_model_of_the_developers_page_follows_the_light(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {block.file: block.text for block in blocks_of(ROOT / "docs" / "developers.md")}
    names: dict[str, Any] = {"__name__": "light_follower"}
    exec(compile(shown["light_follower.py"], "light_follower.py", "exec", dont_inherit=True), names)
    follower: type[Model] = names["LightFollower"]
    monkeypatch.setattr("sim_hardware.driver.make_model", lambda *asked: follower(follower.Params()))  # type: ignore[call-arg]
    performed = lesson.rehearse("light_follower")
    assert len(performed.rows) > 30
    assert {row["outcome"] for row in performed.rows[:-1]} == {"right"}

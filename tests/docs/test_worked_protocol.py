"""The whole protocol and the model that the pages show: loaded, and rehearsed together."""

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.shares import COMPLETED
from rig.session.run.run_session import SessionResult
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.models.base import Model
from tests.docs.pages import blocks_of, page_named
from tests.harness import run_as


def shown(page: str) -> dict[str | None, str]:
    """The files that a page shows."""
    return {block.file: block.text for block in blocks_of(page_named(page))}


@dataclass
class DocExample:
    prepared: SessionSpec
    folder: Path

    def rehearse(self, model: str, data: str = "data") -> SessionResult:
        order = SessionRequest(
            data=self.folder / data,
            subject="M1",
            seed=3,
            start=datetime.datetime(2026, 11, 21, 9),
            simulation=SimulationOptions(model, seed=3),
        )
        return run_as(self.prepared, order)


@pytest.fixture
def example(tmp_path: Path) -> DocExample:
    files = shown("principal-investigators.md")
    for name in ("follow_the_light.py", "follow_the_light.yaml"):
        (tmp_path / name).write_text(files[name], encoding="utf-8")
    return DocExample(
        build_spec(SessionRequest(str(tmp_path / "follow_the_light.yaml"), sets=["stop.session_s=300"])), tmp_path
    )


def test_a_mouse_that_guesses_chooses_the_lit_side_half_the_time_and_is_rewarded_for_it(example: DocExample) -> None:
    performed = example.rehearse("random")
    rows = performed.rows
    answered = [row for row in rows if row["choice"]]
    assert performed.outcome.reason == "time_limit"
    assert len(answered) > 30
    assert {row["outcome"] for row in rows} <= {"rewarded", "unrewarded", "omission", "interrupted"}
    assert all((row["outcome"] == "rewarded") == (row["choice"] == row["lit"]) for row in answered)
    assert all((row["outcome"] in COMPLETED) == bool(row["choice"]) for row in rows)
    assert all(row["reward_ul"] == (3.0 if row["outcome"] == "rewarded" else 0.0) for row in rows)
    assert 0.25 < sum(row["outcome"] == "rewarded" for row in answered) / len(answered) < 0.75


def test_it_decides_the_same_twice(example: DocExample) -> None:
    journals = [example.rehearse("random", data).folder / "journal.jsonl" for data in ("one", "two")]
    assert journals[0].read_bytes() == journals[1].read_bytes()


def test_the_virtual_subject_of_the_page_follows_the_light(
    example: DocExample, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, Any] = {"__name__": "light_follower"}
    text = shown("new-subject.md")["light_follower.py"]
    exec(compile(text, "light_follower.py", "exec", dont_inherit=True), names)
    follower: type[Model] = names["LightFollower"]
    monkeypatch.setattr("sim_hardware.driver.make_model", lambda *asked: follower(follower.Params()))  # type: ignore[call-arg]
    performed = example.rehearse("light_follower")
    assert len(performed.rows) > 30
    assert {row["outcome"] for row in performed.rows[:-1]} == {"rewarded"}

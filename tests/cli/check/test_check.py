"""`rig check`: every mistake at once, at its file and line; and where each value came from."""

import json
import shutil
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest

from rig.system.plugins import MODELS
from tests.cli.conftest import Rig

CONFIGS = Path(__file__).parents[3] / "configs"
Lab = Callable[..., Path]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A copy of the shipped files to spoil: `lab("rigs/sim_nose_ports.yaml", ("beam: 6", "beam: x"))`."""
    shutil.copytree(CONFIGS, tmp_path / "configs")
    monkeypatch.chdir(tmp_path)

    def spoil(name: str, *changes: tuple[str, str]) -> Path:
        path = Path("configs") / name
        text = path.read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        path.write_text(text)
        return path

    return spoil


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., Path]:
    """A task of one state, ``here``, with these lines in it, and the file that names it."""

    def write(*body: str, first: str = "") -> Path:
        (tmp_path / "mine.py").write_text(
            f"{first}from rig import Next, Row, Task, TaskParams, state\n\n\n"
            "class Box:\n    pass\n\n\n"
            "class Mine(Task[TaskParams, Box, Row]):\n"
            "    @state(to=('here',), can_end=True)\n"
            "    async def here(self) -> Next:\n" + "".join(f"        {line}\n" for line in body)
        )
        path = tmp_path / "mine.yaml"
        path.write_text(
            "protocol: ./mine.py\nsimulation: {rig: sim_nose_ports}\nstop: {session_s: 60, max_rewards: 1}\n"
        )
        return path

    return write


def lines(answer: Any) -> list[str]:
    assert answer.status == 2
    return answer.err.splitlines()  # type: ignore[no-any-return]


@pytest.mark.parametrize(("column", "hinted"), [("", False), ("choice: str", True)])
def test_columns_that_are_not_described_are_hinted_at_and_are_no_mistake(
    rig: Rig, tmp_path: Path, column: str, hinted: bool
) -> None:
    assert rig("show", "protocols", "--template", "mine", "--into", tmp_path).status == 0
    described = 'choice: Annotated[str, Column("the side that was poked; empty after an omission")]'
    source = (tmp_path / "mine.py").read_text()
    (tmp_path / "mine.py").write_text(source.replace(described, column or described))
    said = rig("check", tmp_path / "mine.yaml")
    assert (said.status, "1 column (choice)" in said.out) == (0, hinted)


def test_a_rehearsal_that_fails_is_reported_at_the_line_of_the_protocol(rig: Rig, mine: Callable[..., Path]) -> None:
    path = mine("return self.carried_over['next']")
    (found,) = lines(rig("check", path))
    assert found.endswith("mine.py:11: in state 'here': KeyError: 'next'")


def test_chance_that_no_seed_governs_is_reported(rig: Rig, mine: Callable[..., Path]) -> None:
    path = mine("await self.sleep(1 + random.random())", "return self.here", first="import random\n\n")
    first, second = lines(rig("check", path))
    assert "random.random draws without the session's seed" in first
    assert "two dry runs with the same seed differ" in second


def test_a_broken_plugin_model_does_not_stop_the_check_of_other_protocols(
    rig: Rig, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("broken", "nothing_of_that_name:Mouse", MODELS)
    monkeypatch.setattr(
        "rig.system.plugins.read_entry_points", lambda group, path: [*entry_points(group=group), broken]
    )
    file = lab("protocols/free_water.yaml", ("{rig: sim_nose_ports}", "{rig: sim_nose_ports, model_params: {tau: 2}}"))
    assert rig("check", file).status == 0


def test_a_curriculum_is_checked_with_the_protocols_of_its_stages(rig: Rig, mine: Callable[..., Path]) -> None:
    path = mine("await self.sleep(1)", "return getattr(self, 'there')").with_name("course.yaml")
    path.write_text("stages:\n  one:\n    protocol: free_water\n  two:\n    protocol: mine.yaml\n")
    (found,) = lines(rig("check", path))
    assert "mine.py:12: stage two: in state 'here': AttributeError: " in found
    assert "there" in found
    path.write_text("stages:\n  one:\n    protocol: free_water\n  two:\n    protocol: free_water\n")
    answer = rig("check", path, "--json")
    (note, unreached) = json.loads(answer.out)["files"][0]["notes"]
    assert (note, unreached) == ("2 stages, a dry run of each: one, two", "no rule leads to two")


def test_a_rig_protocol_and_curriculum_warn_of_an_output_that_a_pull_down_switches_on(
    rig: Rig, mine: Callable[..., Path]
) -> None:
    protocol = mine("await self.sleep(1)", "return self.here")
    box, course = protocol.with_name("box.yaml"), protocol.with_name("course.yaml")
    box.write_text(
        "boards: {desk: {driver: sim, chip: pico}}\n"
        "devices: {laser: {kind: ttl_out, pin: 8, max_on_ms: 20, inverted: true}}\n"
    )
    protocol.write_text(protocol.read_text().replace("sim_nose_ports", str(box)))
    course.write_text("stages: {one: {protocol: mine.yaml}}\n")
    for path in (box, protocol, course):
        assert f"{path}: warning: {box}:2: devices.laser.pin: pin 8 of a Raspberry Pi Pico is" in rig("check", path).err

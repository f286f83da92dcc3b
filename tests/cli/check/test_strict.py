"""`rig check` warns of what no rehearsal reached; with `--strict` the same is a mistake."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Rig

PROTOCOL = """
from dataclasses import dataclass

from rig import Next, Port, Row, Task, TaskParams, state


@dataclass
class Box:
    left: Port


class Idle(Task[TaskParams, Box, Row]):
    @state(to=("wait", "never"), can_end=True)
    async def wait(self) -> Next:
        await self.first(self.box.left.poked)
        self.begin_trial(Row())
        self.end_trial()
        return self.never if self.now_s > 1e6 else self.wait

    @state(to=("wait",))
    async def never(self) -> Next:
        return self.wait
"""


@pytest.fixture
def idle(tmp_path: Path) -> Path:
    (tmp_path / "idle.py").write_text(PROTOCOL)
    path = tmp_path / "idle.yaml"
    path.write_text("protocol: ./idle.py\nsimulation: {rig: sim_nose_ports}\nstop: {session_s: 60, max_rewards: 1}\n")
    return path


def test_a_state_that_was_not_reached_is_a_warning_and_strictly_a_mistake(
    rig: Rig, idle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.session.check.rehearsal.MAX_LINES", 5_000)
    text = f"{idle.with_name('idle.py')}:20: state 'never' was not rehearsed"
    loose, strict, data = rig("check", idle), rig("check", idle, "--strict"), rig("check", idle, "--strict", "--json")
    assert (loose.status, strict.status, data.status) == (0, 2, 2)
    assert f"{idle}: warning: {text}" in loose.err
    assert strict.err.startswith(text)
    (mistake,) = json.loads(data.out)["files"][0]["mistakes"]
    assert (Path(mistake["file"]).name, mistake["line"]) == ("idle.py", 20)


def test_a_file_without_a_warning_passes_strictly(rig: Rig) -> None:
    answer = rig("check", "free_water", "--strict")
    assert (answer.status, answer.err) == (0, "")

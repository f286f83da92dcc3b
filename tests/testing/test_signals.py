"""Scripts and virtual subjects press buttons: inputs from other equipment, of kind ``ttl_in``."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.testing import run_session, signal

PROTOCOL = """
from dataclasses import dataclass

from rig import Next, Row, Task, TaskParams, TtlIn, state


@dataclass
class Box:
    button: TtlIn


class Pressed(Task[TaskParams, Box, Row]):
    needs_board_timing = False

    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.first(self.box.button.rose)
        self.begin_trial(Row())
        await self.first(self.box.button.fell)
        self.end_trial()
        return self.wait
"""


@pytest.fixture
def pressed(tmp_path: Path) -> Path:
    for folder in ("rigs", "protocols"):
        (tmp_path / folder).mkdir()
    (tmp_path / "rigs" / "desk.yaml").write_text(
        "boards: {sim: {driver: sim, reference: true}}\ndevices: {button: {kind: ttl_in, pin: 4}}\n"
    )
    (tmp_path / "protocols" / "pressed.py").write_text(PROTOCOL)
    path = tmp_path / "protocols" / "pressed.yaml"
    path.write_text("protocol: ./pressed.py\nsimulation: {rig: desk}\nstop: {session_s: 30, max_rewards: 1}\n")
    return path


def test_a_script_presses_a_button(pressed: Path) -> None:
    session = run_session(pressed, [signal(1, "button"), signal(2, "button", for_s=0.5)])
    assert len(session.rows) == 2
    assert [(edge.level, round(edge.t_us, -5)) for edge in session.edges] == [
        (1, 1_000_000),
        (0, 1_100_000),
        (1, 2_000_000),
        (0, 2_500_000),
    ]


def test_the_explorer_presses_a_button(pressed: Path) -> None:
    assert len(run_session(pressed, "random_explorer").rows) > 10


def test_a_line_that_the_rig_lacks_is_refused(pressed: Path) -> None:
    with pytest.raises(ConfigError, match="the script names the place 'lever', the rig has: button"):
        run_session(pressed, [signal(1, "lever")])
    with pytest.raises(ConfigError, match="signals at 'lever', which is no ttl_in of the rig; it has: button"):
        run_session(pressed, arrange=lambda session: session.body.signal("lever", True))

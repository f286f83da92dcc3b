"""Ctrl-C at any moment of a session, once or more: outputs off, records whole, nothing begun and left."""

import asyncio
import datetime
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.boards.driver_lookup import Connection
from rig.core.journal.header import Header
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import read_journal
from rig.session.run import run_session as module
from rig.session.run.run_session import SessionResult
from rig.session.spec.build import spec_from_file
from rig.session.spec.request import SessionRequest
from rig.session.subject_folder import SubjectFolder
from sim_hardware.driver import SimDriver, SimRig, subject
from sim_hardware.loop import VirtualLoop
from tests.harness import run_as
from tests.session_ends import footer_of
from tests.session_specs import protocol_spec

EDGES = ((2_000_000, "center", 1), (2_100_000, "center", 0), (2_500_000, "left", 1), (2_900_000, "left", 0))


class Loop(VirtualLoop):
    """Lets the bytes that are on their way arrive before it closes, as a real port does."""

    def close(self) -> None:
        if not self.is_closed():
            self.run_until_complete(asyncio.sleep(0.1))
        super().close()


class Stopped(SimDriver):
    """A simulated rig whose operator presses Ctrl-C so many times at a second of the session, and looks on."""

    def __init__(self, seconds: float, presses: int, apart_s: float = 0) -> None:
        self._seconds = seconds
        self._presses = presses
        self._apart_s = apart_s
        self.trace: list[tuple[int, str, int]] = []

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        return Loop(t_max=100)

    def connect(self, plan: Any, simulation: SimulationOptions) -> Connection:
        rig = SimRig(plan, simulation)
        rig.world.trace = self.trace
        for press in range(self._presses):
            asyncio.get_running_loop().call_at(self._seconds + press * self._apart_s, self._press)
        return Connection(rig.transport, subject(simulation, rig.body))

    def _press(self) -> None:
        """Press once; or all at once, when there is no time between, so that nothing happens in between."""
        for _ in range(1 if self._apart_s else self._presses):
            signal.raise_signal(signal.SIGINT)

    @property
    def left_on(self) -> dict[str, int]:
        last = {name: value for _, name, value in self.trace if not name.endswith(".beam")}
        return {name: value for name, value in last.items() if value}


def run(data: Path, keep: Callable[[SessionResult], None] = lambda done: None) -> SessionResult:
    simulation = SimulationOptions("scripted", {"edges": EDGES}, 1)  # type: ignore[dict-item]
    order = SessionRequest(
        data=data, subject="M1", seed=1, start=datetime.datetime(2026, 11, 21, 9, 0), simulation=simulation
    )
    return run_as(protocol_spec(p_high=1, start_high_side="left", stop_session_s=5), order, on_finished=keep)


PRESSES = ((2, 0), (1, 0), (3, 0), (2, 0.001), (3, 0.0005))
MOMENTS_S = (0.0, 0.0005, 0.001, 0.002, 0.004, 0.01, 1.5, 2.05, 2.502, 2.52, 4.0, 4.999)
OFTEN_S = (0.002, 2.502, 4.999)
"""Moments of the opening, of a reward and of the end, at which every way to press is tried."""
WAYS = [
    pytest.param(seconds, *presses, marks=() if presses == PRESSES[0] or seconds in OFTEN_S else pytest.mark.campaign)
    for seconds in MOMENTS_S
    for presses in PRESSES
]


@pytest.mark.parametrize(("seconds", "presses", "apart_s"), WAYS)
def test_whenever_it_is_pressed_everything_is_off_and_the_footer_says_who_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, presses: int, apart_s: float
) -> None:
    driver = Stopped(seconds, presses, apart_s)
    monkeypatch.setattr(module, "find_driver", lambda name: driver)
    performed = run(tmp_path)
    assert driver.left_on == {}
    assert performed.stopped
    assert performed.outcome.failure is None
    footer = footer_of(performed.folder)
    assert footer.reason == "operator"
    assert footer.trials == len(performed.rows)
    with SubjectFolder(tmp_path, "M1"):
        pass  # the lock is let go of


@pytest.mark.parametrize("presses", [1, 2, 3])
@pytest.mark.parametrize("seconds", [5.0, 5.0005, 5.001, 5.002, 5.004])
def test_pressed_while_the_session_ends_by_itself_it_ends_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, presses: int
) -> None:
    driver = Stopped(seconds, presses)
    monkeypatch.setattr(module, "find_driver", lambda name: driver)
    performed = run(tmp_path)
    assert driver.left_on == {}
    assert footer_of(performed.folder).reason in ("time_limit", "operator")
    assert performed.outcome.rewards == 1


def test_pressed_before_the_board_is_there_the_session_is_the_shortest_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = module.copy_sources

    def press_and_copy(*arguments: Any, **options: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        copy(*arguments, **options)

    monkeypatch.setattr(module, "copy_sources", press_and_copy)
    performed = run(tmp_path)
    assert isinstance(read_journal(performed.folder)[0], Header)
    assert footer_of(performed.folder).reason == "operator"
    assert performed.rows == []


def test_pressed_while_the_tables_are_written_they_are_written_to_their_end(tmp_path: Path) -> None:
    written: list[str] = []

    def keep(done: SessionResult) -> None:
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        written.append("all of it")

    performed = run(tmp_path, keep)
    assert written == ["all of it"]
    assert (performed.outcome.reason, performed.stopped) == ("time_limit", True)


STUCK = """
import signal
from dataclasses import dataclass
from typing import Annotated

from rig import Needs, Next, Port, Row, Task, TaskParams, state


@dataclass
class Box:
    center: Annotated[Port, Needs("light")]


class Stuck(Task[TaskParams, Box, Row]):
    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        with self.box.center.light:
            await self.sleep(1)
            for _ in range({presses}):
                signal.raise_signal(signal.SIGINT)
            raise RuntimeError("still here")
        return self.wait
"""


def test_a_protocol_that_never_awaits_is_cut_where_it_stands_by_the_second_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = {}
    for presses in (1, 2):
        lab = tmp_path / str(presses)
        lab.mkdir()
        (lab / "stuck.py").write_text(STUCK.format(presses=presses))
        stop = "stop: {session_s: 5, max_rewards: 1}"
        (lab / "stuck.yaml").write_text(f"protocol: ./stuck.py\nsimulation: {{rig: sim_nose_ports}}\n{stop}\n")
        driver = Stopped(0, 0)
        monkeypatch.setattr(module, "find_driver", lambda name, driver=driver: driver)
        order = SessionRequest(
            data=lab / "data",
            subject="M1",
            seed=1,
            start=datetime.datetime(2026, 11, 21, 9, 0),
            simulation=SimulationOptions("scripted", {}, 1),
        )
        performed = run_as(spec_from_file(lab / "stuck.yaml", SessionRequest()), order)
        assert driver.left_on == {}
        ended[presses] = performed.outcome.reason
    assert ended == {1: "fault", 2: "operator"}

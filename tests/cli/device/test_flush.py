"""`rig device flush` and `rig device prime`."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from rig.boards.registry import Connection
from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.maintenance import bench
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop
from tests.cli.conftest import Rig
from tests.cli.device.lab import Lab

AT_ONCE_US = 10_000


def test_a_valve_is_rinsed_for_a_bounded_time_with_openings_that_the_board_allows(rig: Rig, lab: Lab) -> None:
    lab.rig_file.write_text(
        lab.rig_file.read_text().replace("calibration: left", "calibration: left, max_open_ms: 100")
    )
    said = rig("device", "flush", lab.rig_file, "left", "right", "--seconds", "3", "--yes")
    assert said.status == 0, said.err
    assert "left: opened 20 times for 100 ms, in 3 s" in said.out
    assert lab.pulses.count(("left.valve", 100_000)) == 20
    assert lab.pulses.count(("right.valve", 450_000)) == 6


def test_it_works_before_a_valve_was_ever_measured(rig: Rig, lab: Lab) -> None:
    assert not lab.calibrations.exists()
    assert rig("device", "prime", lab.rig_file, "left", "--seconds", "2", "--yes").status == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "301", "nan"])
def test_no_time_without_a_bound(rig: Rig, lab: Lab, seconds: str) -> None:
    answer = rig("device", "flush", lab.rig_file, "left", "--seconds", seconds, "--yes")
    assert answer.status == 2
    assert "at most 300" in answer.err


def test_an_animal_may_not_be_in_the_rig(rig: Rig, lab: Lab) -> None:
    answer = rig("device", "flush", lab.rig_file, "left")
    assert answer.status == 2
    assert "no animal may be in the rig" in answer.err
    assert lab.pulses == []


@pytest.fixture
def presses_after_1_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a person at the keys who presses one a second after water has begun to run."""

    @contextmanager
    def watch(pressed: Callable[[], None]) -> Iterator[None]:
        timer = running().call_at(running().time() + 1.0, pressed)
        yield
        timer.cancel()

    monkeypatch.setattr(bench, "on_any_key", watch)


@pytest.mark.parametrize(
    ("command", "status", "primed"), [("prime", 0, ["left", "right"]), ("flush", 130, ["left"])], ids=["prime", "flush"]
)
@pytest.mark.parametrize("devices", [("left", "right"), ()], ids=["named", "all of the rig"])
def test_a_key_goes_on_to_the_next_valve_that_is_primed(
    rig: Rig, lab: Lab, presses_after_1_s: None, command: str, status: int, primed: list[str], devices: tuple[str, ...]
) -> None:
    said = rig("device", command, lab.rig_file, *devices, "--yes")
    assert said.status == status, said.err
    assert said.out == "".join(f"{device}: stopped: everything is off\n" for device in primed)
    assert {output for output, _ in lab.pulses} == {f"{device}.valve" for device in primed}
    assert len(lab.pulses) <= 2 * 3


def test_several_rigs_are_primed_after_one_question_for_each(
    rig: Rig, lab: Lab, monkeypatch: pytest.MonkeyPatch, types: Callable[..., None]
) -> None:
    other = lab.rig_file.with_name("other.yaml")
    other.write_text(lab.rig_file.read_text())
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "y"

    types(answer)
    said = rig("device", "prime", lab.rig_file, "right", other, "--seconds", "1")
    assert said.status == 0, said.err
    assert asked == [f"Is {lab.rig_file} empty? [y/N] ", f"Is {other} empty? [y/N] "]
    assert [line.partition(":")[0] for line in said.out.splitlines()] == [
        f"right of {lab.rig_file}",
        f"left of {other}",
        f"right of {other}",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "which rig?"),
        (("--all",), "--all: this computer has no boxes"),
        (("box", "--all"), "--all: means every box"),
        (("box", "left", "box", "right"), "is named twice"),
        (("box", "lft"), "box has no device 'lft'; did you mean 'left'?"),
    ],
)
def test_wrong_names_are_refused_before_any_drop(rig: Rig, lab: Lab, words: tuple[str, ...], said: str) -> None:
    answer = rig("device", "prime", *(lab.rig_file if word == "box" else word for word in words), "--yes")
    assert answer.status == 2
    assert said in answer.err
    assert lab.pulses == []


@pytest.mark.parametrize("gaps_s", [(), (0.0,), (0.0, 0.0), (0.0005, 0.001), (0.002, 0.004, 0.1)])
@pytest.mark.parametrize("at_s", [0.0, 0.003, 0.2, 0.449, 0.46, 1.7])
@pytest.mark.parametrize("command", ["flush", "prime"])
def test_the_valve_is_shut_at_once_however_often_ctrl_c_is_pressed(
    rig: Rig, lab: Lab, monkeypatch: pytest.MonkeyPatch, command: str, at_s: float, gaps_s: tuple[float, ...]
) -> None:
    rigs, pressed_us, connect = list[SimRig](), list[int](), lab.connect

    def press() -> None:
        pressed_us.append(rigs[0].now_us())
        os.kill(os.getpid(), signal.SIGINT)

    def connect_and_press(plan: RigSpec, options: SimulationOptions) -> Connection:
        made = connect(plan, options)
        assert lab._rig is not None
        rigs.append(lab._rig)
        rigs[0].world.trace = []
        at = running().time() + at_s
        for gap_s in (0.0, *gaps_s):
            at += gap_s
            running().call_at(at, press)
        return made

    async def let_the_bytes_arrive(loop: VirtualLoop) -> None:
        await asyncio.sleep(2 * AT_ONCE_US / 1e6)

    monkeypatch.setattr(lab, "connect", connect_and_press)
    # What the program has sent last is on its way when its loop ends; the lease of 2 s ends later.
    monkeypatch.setattr(VirtualLoop, "shutdown_asyncgens", let_the_bytes_arrive)
    said = rig("device", command, lab.rig_file, "left", "--yes")
    assert said.status == (0 if command == "prime" else 130)
    assert said.out == "left: stopped: everything is off\n"
    changes = [(t_us, level) for t_us, name, level in rigs[0].world.trace or () if name == "left.valve"]
    assert len(changes) % 2 == 0
    assert bool(changes) == (at_s > 0.1)
    assert not changes or changes[-1][0] <= pressed_us[0] + AT_ONCE_US

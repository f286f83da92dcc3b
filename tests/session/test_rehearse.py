"""A protocol is tried on a simulated board before an animal meets it."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import ConfigError, TaskError
from rig.session import rehearse as module
from rig.session.check import Wanted, check
from rig.session.rehearse import LONGEST_S, MOST_TRIALS, rehearse
from rig.session.setup import Prepared, prepare, prepare_file

LAB = """
from dataclasses import dataclass
from typing import Annotated

from rig import NOTHING, Needs, Next, Port, Row, Set, Task, TaskParams, state


class Params(TaskParams):
    reward_ul: float = 2.5


@dataclass
class Box:
    left: Annotated[Port, Needs("valve")]
    centre: Annotated[Port, Needs("light")]


class Lab(Task[Params, Box, Row]):
    @state(to=("wait", "other"), rest=True)
    async def wait(self) -> Next:
        {body}
        await self.first(self.box.left.poked)
        return self.other

    @state(to=("wait",), rest=True)
    async def other(self) -> Next:
        return self.wait
"""

YAML = """
protocol: ./lab.py
sim_rig: sim_nose_ports
stop: {session_s: 600, max_rewards: 50}
"""

Lab = Callable[[str], Prepared]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    def made(body: str) -> Prepared:
        (tmp_path / "lab.py").write_text(LAB.format(body=body))
        (tmp_path / "lab.yaml").write_text(YAML)
        return prepare_file(tmp_path / "lab.yaml")

    return made


# `rig check` rehearses every shipped file: tests/cli/test_check_shipped.py.
@pytest.mark.parametrize("name", ["free_water", "two_armed_bandit", "two_armed_bandit_stage1"])
def test_a_shipped_protocol_passes_its_rehearsal_in_good_time(name: str) -> None:
    found = rehearse(prepare(name))
    assert found.failure is None
    assert 0 < found.trials <= MOST_TRIALS
    assert found.seconds <= LONGEST_S + 31


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise SystemExit(0)", r"^lab\.py:21: Lab called for the program's exit"),
        ("return self.other", "^Lab went through 1000 states and no time passed, the last was wait"),
    ],
)
def test_a_state_neither_ends_the_program_nor_goes_round_for_ever(lab: Lab, body: str, said: str) -> None:
    found = rehearse(lab(body))
    assert re.search(said, found.failure or "")


def test_what_a_state_prints_is_no_answer_of_ours(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    assert rehearse(lab("print('here I am')")).failure is None
    said = capsys.readouterr()
    assert (said.out, said.err[:10]) == ("", "here I am\n")


@pytest.mark.real_time
def test_a_state_that_never_awaits_does_not_keep_a_rehearsal_for_ever(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.3)
    before = signal.getsignal(signal.SIGINT)
    prepared = lab("for _ in range(10**8): pass")
    with pytest.raises(TaskError, match=r"not over after 0.3 s; it is at lab.py:21: does a loop never await\?"):
        rehearse(prepared)
    (said,) = check(tmp_path / "lab.yaml", Wanted()).mistakes
    assert said.endswith("lab.py:21: does a loop never await?")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_rehearsal_is_the_same_every_time() -> None:
    prepared = prepare("two_armed_bandit")
    assert rehearse(prepared).outcome == rehearse(prepared).outcome


def test_states_that_no_poke_leads_to_are_named() -> None:
    assert rehearse(prepare("two_armed_bandit")).unreached == ("forage",)
    assert rehearse(prepare("free_water")).unreached == ()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return self.wrong", "lab.py:21: AttributeError: 'Lab' object has no attribute 'wrong'"),
        ("return self.first", "which is not a state; the states are wait, other"),
        ("self.box.left.drop(50)", "50 µl asked, measured from"),
        ("import asyncio; raise asyncio.CancelledError", "the protocol cancels itself"),
        ("1 / 0", "lab.py:21: ZeroDivisionError"),
        ("self.box.left.light.order(Set('nothing', True)); await self.sleep(1)", "the board has no channel 'nothing'"),
    ],
)
def test_what_would_fail_in_a_session_fails_here(lab: Lab, body: str, said: str) -> None:
    failure = rehearse(lab(body)).failure
    assert failure is not None
    assert said in failure


def test_a_batch_that_the_board_cannot_hold_is_refused(lab: Lab) -> None:
    body = "[self.do(Set('left.light', True)) for _ in range(40)]; await self.sleep(1)"
    assert "lab.py:21: 40 orders of one instant take 80 bytes" in str(rehearse(lab(body)).failure)


def test_a_rig_that_wires_more_than_its_chip_has_room_for_is_refused(tmp_path: Path) -> None:
    devices = "".join(f"  lamp{n}: {{kind: light, pin: {n + 20}}}\n" for n in range(12))
    rigs = tmp_path / "rigs"
    rigs.mkdir()
    text = (Path(__file__).parents[2] / "configs" / "rigs" / "sim_nose_ports.yaml").read_text()
    (rigs / "large.yaml").write_text(text.replace("driver: sim,", "driver: sim, chip: uno,") + devices)
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "p.yaml").write_text(
        "protocol: free_water\nsim_rig: large\nstop: {session_s: 60, max_rewards: 5}\n"
    )
    with pytest.raises(ConfigError, match=r"20 channels are wired, an Arduino Uno holds 14"):
        prepare_file(tmp_path / "protocols" / "p.yaml")


def test_a_model_may_stand_in_for_the_prober() -> None:
    found = rehearse(prepare("two_armed_bandit"), "rflr", {"tau": "1.3"})
    assert found.failure is None
    assert found.trials > 50


def test_a_real_rigs_wiring_is_rehearsed_without_its_board() -> None:
    prepared = prepare("two_armed_bandit", "nose_ports_uno")
    assert prepared.plan.board.driver == "serial"
    assert rehearse(prepared).failure is None

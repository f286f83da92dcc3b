"""A protocol is tried on a simulated board before an animal meets it."""

import gc
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rig.core.errors import ConfigError, TaskError
from rig.session.check import dry_run as module
from rig.session.check.check import check
from rig.session.check.dry_run import MAX_SESSION_S, MAX_TRIALS, dry_run
from rig.session.spec.build import build_spec, spec_from_file
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from tests.tables import rows

LAB_PROTOCOL = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")

YAML = """
protocol: ./lab.py
simulation: {rig: sim_nose_ports}
stop: {session_s: 600, max_rewards: 50}
"""

Lab = Callable[[str], SessionSpec]


@pytest.fixture(autouse=True)
def nothing_is_left_to_collect() -> Iterator[None]:
    """Collect the futures that a protocol has left unread: Python 3.11 fails when one is logged amid ast.parse."""
    yield
    gc.collect()


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    def made(body: str) -> SessionSpec:
        (tmp_path / "lab.py").write_text(LAB_PROTOCOL.format(body=body))
        (tmp_path / "lab.yaml").write_text(YAML)
        return spec_from_file(tmp_path / "lab.yaml", SessionRequest())

    return made


# `rig check` runs every shipped file: tests/cli/test_check_shipped.py.
@pytest.mark.parametrize("name", ["free_water", "two_armed_bandit", "two_armed_bandit_stage1"])
def test_a_shipped_protocol_passes_its_dry_run_in_good_time(name: str) -> None:
    found = dry_run(build_spec(SessionRequest(name)))
    assert found.failure is None
    assert 0 < found.trials <= MAX_TRIALS
    assert found.seconds <= MAX_SESSION_S + 31


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise SystemExit(0)", r"^lab\.py:21: Lab called sys.exit"),
        ("return self.other", "^Lab went through 1000 states and no time passed, the last was wait"),
    ],
)
def test_a_state_neither_ends_the_program_nor_goes_round_for_ever(lab: Lab, body: str, said: str) -> None:
    found = dry_run(lab(body))
    assert re.search(said, found.failure or "")


def test_what_a_state_prints_is_no_answer_of_ours(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    assert dry_run(lab("print('here I am')")).failure is None
    said = capsys.readouterr()
    assert (said.out, said.err[:10]) == ("", "here I am\n")


@pytest.mark.real_time
def test_a_state_that_never_awaits_does_not_keep_a_dry_run_for_ever(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "UNRESPONSIVE_S", 0.3)
    before = signal.getsignal(signal.SIGINT)
    prepared = lab("for _ in range(10**8): pass")
    with pytest.raises(TaskError, match=r"state 'wait' has not come back for 0.3 s: does a loop"):
        dry_run(prepared)
    (said,) = check(tmp_path / "lab.yaml", SessionRequest()).mistakes
    assert re.search(
        r"lab\.py:21: state 'wait' has not .*: does a loop never await, or does something sleep for real", said
    )
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.real_time
def test_a_state_that_sleeps_for_real_is_ended_and_named(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UNRESPONSIVE_S", 0.3)
    with pytest.raises(TaskError, match=r"state 'wait' has not come back for 0.3 s: .* for real"):
        dry_run(lab("__import__('time').sleep(3600)"))


@pytest.mark.real_time
def test_a_state_that_takes_next_to_no_time_again_and_again_is_ended(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_REAL_S", 0.3)
    with pytest.raises(TaskError, match=r"state 'wait' still runs after 0.3 s"):
        dry_run(lab("while True: await self.sleep(1e-6)"))


def test_a_dry_run_is_the_same_every_time() -> None:
    prepared = build_spec(SessionRequest("two_armed_bandit"))
    assert dry_run(prepared).outcome == dry_run(prepared).outcome


def test_states_that_no_poke_leads_to_are_named() -> None:
    assert dry_run(build_spec(SessionRequest("two_armed_bandit"))).unreached == ("forage",)
    assert dry_run(build_spec(SessionRequest("free_water"))).unreached == ()


@rows("body", "said")
def test_what_would_fail_in_a_session_fails_here(lab: Lab, body: str, said: str) -> None:
    failure = dry_run(lab(body)).failure
    assert failure is not None
    assert said in failure


def test_a_batch_that_the_board_cannot_hold_is_refused(lab: Lab) -> None:
    body = "[self.do(Set('left.light', True)) for _ in range(49)]; await self.sleep(1)"
    assert "lab.py:21: 49 orders of one instant, and a board takes at most 48 at once" in str(
        dry_run(lab(body)).failure
    )


def test_a_rig_that_wires_more_than_its_chip_has_room_for_is_refused(tmp_path: Path) -> None:
    devices = "".join(f"  lamp{n}: {{kind: light, pin: {n + 20}}}\n" for n in range(12))
    rigs = tmp_path / "rigs"
    rigs.mkdir()
    text = (Path(__file__).parents[3] / "configs" / "rigs" / "sim_nose_ports.yaml").read_text()
    (rigs / "large.yaml").write_text(text.replace("driver: sim,", "driver: sim, chip: uno,") + devices)
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "p.yaml").write_text(
        "protocol: free_water\nsimulation: {rig: large}\nstop: {session_s: 60, max_rewards: 5}\n"
    )
    with pytest.raises(ConfigError, match=r"20 channels are wired, an Arduino Uno holds 14"):
        spec_from_file(tmp_path / "protocols" / "p.yaml", SessionRequest())


def test_a_model_may_stand_in_for_the_prober() -> None:
    found = dry_run(build_spec(SessionRequest("two_armed_bandit")), "rflr", {"tau": "1.3"})
    assert found.failure is None
    assert found.trials > 50


def test_a_real_rigs_wiring_is_run_without_its_board() -> None:
    prepared = build_spec(SessionRequest("two_armed_bandit", "nose_ports_uno"))
    assert prepared.plan.board.driver == "serial"
    assert dry_run(prepared).failure is None


# --- waits ----------------------------------------------------------------------------------------------------

FORGOTTEN = r"^lab\.py:21: self\.(sleep|first|until|wait_executed|other_wait)\(\.\.\.\) was not awaited"


@rows("body")
def test_a_wait_that_is_not_awaited_is_a_mistake_at_its_line(lab: Lab, body: str) -> None:
    assert re.search(FORGOTTEN, dry_run(lab(body)).failure or "")


@rows("body", "said")
def test_what_no_wait_and_no_action_can_be_is_a_mistake_at_its_line(lab: Lab, body: str, said: str) -> None:
    failure = dry_run(lab(body)).failure or ""
    assert failure.startswith("lab.py:21: ")
    assert said in failure


def test_waits_may_be_chosen_before_they_are_awaited(lab: Lab) -> None:
    assert dry_run(lab("waiting = self.sleep(1) if self.now_us else self.sleep(2); await waiting")).failure is None


@rows("imported", "call")
def test_a_sleep_of_real_time_is_named_though_no_dry_run_comes_to_it(
    lab: Lab, tmp_path: Path, imported: str, call: str
) -> None:
    lab(f"if self.now_us < 0: {call}")
    file = tmp_path / "lab.py"
    file.write_text(imported + file.read_text())
    (said,) = check(tmp_path / "lab.yaml", SessionRequest()).mistakes
    assert re.search(r"lab\.py:21: (time|asyncio)\.sleep takes real time", said)


def test_a_protocol_without_a_state_of_rest_is_a_note_and_no_mistake(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "lab.py").write_text(LAB_PROTOCOL.format(body="pass").replace(", can_end=True", ""))
    (tmp_path / "lab.yaml").write_text(YAML)
    checked = check(tmp_path / "lab.yaml", SessionRequest())
    assert checked.mistakes == ()
    assert any("no state has can_end=True" in note for note in checked.notes)


@pytest.mark.parametrize(("begin", "is_said"), [("", True), ("self.trial or self.begin_trial(Row()); ", False)])
def test_rewards_that_are_given_though_no_trial_ever_begins_are_pointed_out(
    lab: Lab, tmp_path: Path, begin: str, is_said: bool
) -> None:
    lab(f"{begin}self.do(self.box.left.drop(2.5))")
    notes = check(tmp_path / "lab.yaml", SessionRequest()).notes
    assert any("rewards were given in no trial" in note for note in notes) == is_said


def test_a_protocol_with_a_state_of_rest_has_no_such_note(lab: Lab, tmp_path: Path) -> None:
    lab("pass")
    assert not any("can_end=True" in note for note in check(tmp_path / "lab.yaml", SessionRequest()).notes)

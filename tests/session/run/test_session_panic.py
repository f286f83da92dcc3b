"""A press of the panic button ends a session with reason ``panic``, everything off, and each reward accounted for."""

import datetime
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from rig.cli.run_and_save import run_and_save, status_of
from rig.core.clock import running
from rig.core.errors import NotReadyError
from rig.core.journal.header import Header
from rig.core.model.events import Panic
from rig.core.model.rig_spec import SimulationOptions
from rig.session.replay import replay_lines
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.system.statuses import FAILED
from sim_hardware.driver import SimRig
from tests.harness import FaultHarness, poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec, session_spec, with_panic

SPEC = with_panic(protocol_spec(p_high=1, start_high_side="left", stop_session_s=6))
DETAIL = "the panic button of board sim (pin 12) was pressed"


def pressed(when_s: float, *, spec: Any = SPEC, press_s: float = 10.0, further: Any = lambda harness: None) -> Any:
    def press(harness: FaultHarness, on: bool) -> None:
        harness.rig.world.press_panic(on)

    def arrange(harness: FaultHarness) -> None:
        # The button's time is the loop's: the board opens some milliseconds after its zero.
        running().call_at(when_s, press, harness, True)
        running().call_at(when_s + press_s, press, harness, False)
        further(harness)

    subject = scripted_subject(poke("center", 2.0), poke("left", 2.5), poke("center", 4.0), poke("left", 4.5))
    return run_harness(spec, subject, arrange=arrange)


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("press_s", [0.001, 10.0])
def test_a_panic_ends_the_session_with_everything_off(inverted: bool, press_s: float) -> None:
    harness = pressed(3.0, spec=with_panic(SPEC, inverted=inverted), press_s=press_s)
    assert harness.faults == ["panic"]
    assert (harness.footer.reason, harness.footer.detail) == ("panic", DETAIL)
    assert harness.footer.complete
    assert harness.footer.lease_expirations == 0
    assert abs(harness.footer.t_us - 3_000_000) < 50_000
    assert harness.on_at_the_end() == []
    assert harness.outcome is not None
    assert status_of(harness.outcome.reason) == FAILED


def test_the_valve_closes_in_the_instant_of_the_press_and_its_drop_counts() -> None:
    (opening,) = pressed(5.9).valve_openings[:1]
    press_s = (opening.t_us + 10_000) / 1e6
    harness = pressed(press_s)
    opened, us = harness.valve_openings[0].t_us, harness.valve_openings[0].us
    assert us is not None
    assert abs(opened + us - press_s * 1e6) < 10_000
    assert us < opening.us
    assert [reward.status for reward in harness.rewards] == ["delivered"]
    assert harness.footer.rewards == 1
    assert harness.row.outcome == "interrupted"


def test_a_reward_that_was_armed_is_not_given_after_the_press() -> None:
    harness = pressed(2.3)
    assert harness.valve_openings == []
    assert harness.footer.rewards == 0
    assert {reward.status for reward in harness.rewards} == {"cancelled"}
    assert harness.row.outcome == "interrupted"


@pytest.mark.parametrize("when_s", [1.999, 2.0003, 2.0015, 2.3, 2.501, 2.52])
def test_an_order_that_was_on_its_way_is_refused_and_the_replay_agrees(when_s: float) -> None:
    harness = pressed(when_s)
    assert harness.footer.reason == "panic"
    assert harness.footer.unconfirmed_rewards == 0
    assert replay_lines(harness.journal)[1] is None


def test_the_journal_of_a_rig_file_with_a_panic_button_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "pressed.yaml"
    path.write_text("extends: sim_nose_ports.yaml\nboards: {sim: {panic: {pin: 12, inverted: true}}}\n")
    spec = build_spec(SessionRequest("two_armed_bandit", str(path), ["stop.session_s=6", "params.min_poke_ms=0"]))
    harness = pressed(3.0, spec=spec)
    assert harness.of_kind(Header)[0].rig.board["panic"] == {"pin": 12, "inverted": True}
    assert harness.footer.reason == "panic"
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize(("latency_s", "when_s"), [(0.02, 3.0), (0.2, 6.0)])
def test_on_a_slow_link_the_board_is_off_before_the_host_knows(latency_s: float, when_s: float) -> None:
    # With 0.2 s each way the board is asked for its openings, and configured, for more than three seconds.
    harness = pressed(when_s, further=lambda harness: harness.delay(latency_s))
    assert harness.footer.reason == "panic"
    (panic,) = harness.of_kind(Panic)
    assert {name for t_us, name, value in harness.trace if value and t_us > panic.t_us + 10_000} <= {
        "left.beam",
        "center.beam",
        "right.beam",
    }


def test_a_press_while_the_session_ends_is_its_reason_all_the_same() -> None:
    def stop(harness: FaultHarness) -> None:
        running().call_at(3.0, harness.session.request, "stop")

    harness = pressed(3.0, further=stop)
    assert harness.faults == ["panic"]
    assert harness.footer.reason == "panic"


def test_a_session_does_not_start_while_the_button_is_pressed() -> None:
    with pytest.raises(NotReadyError) as caught:
        pressed(0.0)
    assert str(caught.value) == "the panic button of board sim (pin 12) is pressed; release it and start again"


@pytest.mark.parametrize("stopped", [False, True])
def test_the_summary_names_the_panic_the_state_stays_and_the_exit_status_is_that_of_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    begin = SimRig.begin

    def press_later(rig: SimRig, zero_s: float | None = None) -> None:
        begin(rig, zero_s)
        rig.call_at_us(3_000_000, lambda: rig.world.press_panic(True))
        if stopped:
            rig.call_at_us(2_999_999, lambda: os.kill(os.getpid(), signal.SIGINT))

    monkeypatch.setattr(SimRig, "begin", press_later)
    simulation = SimulationOptions("rflr", seed=1)
    start = datetime.datetime(2026, 11, 21, 9)
    finished = run_and_save(session_spec(SPEC, data=tmp_path, start=start, simulation=simulation))
    assert (finished.summary.reason, finished.summary.detail) == ("panic", DETAIL)
    assert finished.status == FAILED
    assert json.loads((tmp_path / "sim" / "M1" / "state.json").read_text()) == {}

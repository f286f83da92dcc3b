"""Sessions of the eight-disk bandit that are stopped, or never begin, and what is written of them."""

from collections.abc import Callable

import pytest

from rig.core.clock import running
from rig.core.errors import NotReadyError, RecordError
from rig.core.journal.header import Footer
from rig.core.journal.kinds import HealthLine, RowLine, TrialLine
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.harness import FaultHarness
from tests.protocols.disk_bandit.disks import day, head, hoppers, paid, peck, run

UNLIKE = "[19,21,99,99,99,99,99,99]"
held: list[FaultHarness] = []


def hold(harness: FaultHarness) -> None:
    held.append(harness)


def stop(body: Body) -> None:
    held[-1].session.request("stop")


def test_what_was_waiting_when_a_session_was_stopped_is_said_however_long_nothing_was_pecked() -> None:
    harness = run((30.0, stop), arrange=hold)
    assert [row["t_armed"] for row in harness.table("intervals")] == [pytest.approx(9.0, abs=0.01)] * 8
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize(("clock", "armed_s"), [("runs", 21.0), ("stops", None)])
def test_clocks_stand_still_until_a_stop_lowers_the_hopper(clock: str, armed_s: float | None) -> None:
    harness = run(
        peck(20.0, one_of(19)),
        (21.5, stop),
        arrange=hold,
        vi_s=UNLIKE,
        vi_distribution="fixed",
        vi_clock_in_reward=clock,
        vi_next_from="reward_end",
    )
    assert paid(harness) == [1]
    left = {row["disk"]: row for row in harness.table("intervals") if row["t_collected"] is None}
    assert left[one_of(21)]["t_armed"] == (None if armed_s is None else pytest.approx(armed_s, abs=0.01))
    assert left[one_of(19)]["t_started"] == pytest.approx(21.5, abs=0.01)
    assert replay_lines(harness.journal)[1] is None


BROKEN_OFF: dict[str, Callable[[FaultHarness], object]] = {
    "stop": lambda harness: harness.session.request("stop"),
    "a full disk": lambda harness: harness.session.fail(RecordError("the disk is full")),
    "a closed window": lambda harness: harness.session.fail(NotReadyError("the window was closed"), "screen"),
    "a cable": lambda harness: harness.rig.cable.disconnect(),
    "a reset": lambda harness: harness.rig.board.reset(),
}


@pytest.mark.parametrize("how", BROKEN_OFF)
def test_a_reward_that_is_broken_off_is_counted_once_with_what_was_eaten_until_then(how: str) -> None:
    harness = run(
        peck(20.0, 3),
        *head(20.4, 0.9),
        *head(21.6, 3.0),
        arrange=lambda harness: running().call_at(22.5, BROKEN_OFF[how], harness),
        after_s=20.0,
    )
    assert (harness.footer.reason, harness.footer.rewards) == ("operator" if how == "stop" else "fault", 1)
    (row,) = harness.rows
    assert (row["rewarded"], row["eaten_s"]) == (1, pytest.approx(0.9 + 0.9, abs=0.01))
    ((_, up_us),) = hoppers(harness)
    assert up_us == pytest.approx(3_000_000 if how == "a cable" else 2_500_000, abs=5_000)
    assert [line["t_collected"] for line in harness.table("intervals") if line["disk"] == 3] == [20.0, None]
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("clock", ["runs", "stops"])
def test_a_lease_that_expires_long_after_a_hopper_was_up_makes_it_no_longer(clock: str) -> None:
    def stall(harness: FaultHarness) -> None:
        harness.rig.cable.to_board.hold()
        running().call_later(9.0, harness.rig.cable.to_board.release)

    harness = run(
        peck(20.0, one_of(19)),
        *head(21.0, 10.0),
        arrange=lambda harness: running().call_at(20.5, stall, harness),
        vi_s=UNLIKE,
        vi_distribution="fixed",
        vi_clock_in_reward=clock,
        vi_next_from="reward_end",
    )
    assert "lease_expired" in harness.faults
    (row,) = harness.rows
    assert (row["rewarded"], row["eaten_s"]) == (1, pytest.approx(2.0, abs=0.01))
    left = {row["disk"]: row for row in harness.table("intervals") if row["t_collected"] is None}
    assert left[one_of(19)]["t_started"] == pytest.approx(23.0, abs=0.01)
    assert left[one_of(21)]["t_armed"] == pytest.approx(21.0 if clock == "runs" else 24.0, abs=0.01)
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("at_s", [15.0, 21.5])
def test_what_was_written_of_the_end_when_a_session_was_killed_is_decided_again(at_s: float) -> None:
    harness = run(peck(20.0, 3), (at_s, stop), arrange=hold)
    ends = [
        number
        for number, line in enumerate(harness.journal)
        if isinstance(line, (RowLine, TrialLine, HealthLine, Footer))
    ]
    assert len(ends) > 8
    for number in ends:
        assert replay_lines(harness.journal[:number])[1] is None


def one_of(vi_s: float) -> int:
    """Which disk has an interval of ``UNLIKE``."""
    return next(int(disk) for disk, mean_s in day(vi_s=UNLIKE).values.items() if mean_s == vi_s)

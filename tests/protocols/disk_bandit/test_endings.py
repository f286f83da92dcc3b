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
from tests.protocols.disk_bandit.disks import head, hoppers, peck, run

held: list[FaultHarness] = []


def hold(harness: FaultHarness) -> None:
    held.append(harness)


def stop(body: Body) -> None:
    held[-1].session.request("stop")


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

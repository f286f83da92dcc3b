"""Sessions of the eight-disk bandit that are stopped, or never begin, and what is written of them."""

from collections.abc import Callable
from typing import Any

import pytest

from rig.core.clock import running
from rig.core.errors import ConfigError, NotReadyError, RecordError
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.protocols.disks import day, head, hoppers, paid, peck, run
from tests.session.stage import Stage

UNLIKE = "[19,21,99,99,99,99,99,99]"
held: list[Stage] = []


def hold(stage: Stage) -> None:
    held.append(stage)


def stop(body: Body) -> None:
    held[-1].session.request("stop")


def test_what_was_waiting_when_a_session_was_stopped_is_said_however_long_nothing_was_pecked() -> None:
    stage = run((30.0, stop), direct=hold)
    assert [row["t_armed"] for row in stage.table("intervals")] == [pytest.approx(9.0, abs=0.01)] * 8
    assert replay_lines(stage.journal)[1] is None


@pytest.mark.parametrize(("clock", "armed_s"), [("runs", 21.0), ("stops", None)])
def test_clocks_stand_still_until_a_stop_lowers_the_hopper(clock: str, armed_s: float | None) -> None:
    stage = run(
        peck(20.0, one_of(19)),
        (21.5, stop),
        direct=hold,
        vi_s=UNLIKE,
        vi_distribution="fixed",
        vi_clock_in_reward=clock,
        vi_next_from="reward_end",
    )
    assert paid(stage) == [1]
    left = {row["disk"]: row for row in stage.table("intervals") if row["t_collected"] is None}
    assert left[one_of(21)]["t_armed"] == (None if armed_s is None else pytest.approx(armed_s, abs=0.01))
    assert left[one_of(19)]["t_started"] == pytest.approx(21.5, abs=0.01)
    assert replay_lines(stage.journal)[1] is None


BROKEN_OFF: dict[str, Callable[[Stage], object]] = {
    "stop": lambda stage: stage.session.request("stop"),
    "a full disk": lambda stage: stage.session.fail(RecordError("the disk is full")),
    "a closed window": lambda stage: stage.session.fail(NotReadyError("the window was closed"), "screen"),
    "a cable": lambda stage: stage.rig.cable.disconnect(),
    "a reset": lambda stage: stage.rig.board.reset(),
}


@pytest.mark.parametrize("how", BROKEN_OFF)
def test_a_reward_that_is_broken_off_is_counted_once_with_what_was_eaten_until_then(how: str) -> None:
    stage = run(
        peck(20.0, 3),
        *head(20.4, 0.9),
        *head(21.6, 3.0),
        direct=lambda stage: running().call_at(22.5, BROKEN_OFF[how], stage),
        after_s=20.0,
    )
    assert (stage.footer["reason"], stage.footer["rewards"]) == ("operator" if how == "stop" else "fault", 1)
    (row,) = stage.rows
    assert (row["rewarded"], row["eaten_s"]) == (1, pytest.approx(0.9 + 0.9, abs=0.01))
    ((_, up_us),) = hoppers(stage)
    assert up_us == pytest.approx(3_000_000 if how == "a cable" else 2_500_000, abs=5_000)
    assert [line["t_collected"] for line in stage.table("intervals") if line["disk"] == 3] == [20.0, None]
    assert replay_lines(stage.journal)[1] is None


@pytest.mark.parametrize("clock", ["runs", "stops"])
def test_a_lease_that_expires_long_after_a_hopper_was_up_makes_it_no_longer(clock: str) -> None:
    def stall(stage: Stage) -> None:
        stage.rig.cable.to_board.hold()
        running().call_later(9.0, stage.rig.cable.to_board.release)

    stage = run(
        peck(20.0, one_of(19)),
        *head(21.0, 10.0),
        direct=lambda stage: running().call_at(20.5, stall, stage),
        vi_s=UNLIKE,
        vi_distribution="fixed",
        vi_clock_in_reward=clock,
        vi_next_from="reward_end",
    )
    assert "lease_expired" in [line["what"] for line in stage.of_kind("fault")]
    (row,) = stage.rows
    assert (row["rewarded"], row["eaten_s"]) == (1, pytest.approx(2.0, abs=0.01))
    left = {row["disk"]: row for row in stage.table("intervals") if row["t_collected"] is None}
    assert left[one_of(19)]["t_started"] == pytest.approx(23.0, abs=0.01)
    assert left[one_of(21)]["t_armed"] == pytest.approx(21.0 if clock == "runs" else 24.0, abs=0.01)
    assert replay_lines(stage.journal)[1] is None


@pytest.mark.parametrize("at_s", [15.0, 21.5])
def test_what_was_written_of_the_end_when_a_session_was_killed_is_decided_again(at_s: float) -> None:
    stage = run(peck(20.0, 3), (at_s, stop), direct=hold)
    ends = [number for number, line in enumerate(stage.journal) if line["k"] in ("row", "trial", "health", "footer")]
    assert len(ends) > 8
    for number in ends:
        assert replay_lines(stage.journal[:number])[1] is None


def one_of(vi_s: float) -> int:
    """Which disk has an interval of ``UNLIKE``."""
    return next(int(disk) for disk, mean_s in day(vi_s=UNLIKE).values.items() if mean_s == vi_s)


@pytest.mark.parametrize(("values", "where"), [({"ring_cm": 40}, "disk0 is 22.1 cm"), ({"lowest_cm": 30}, "disk0 is")])
def test_disks_that_the_screen_would_not_show_refuse_the_session(values: dict[str, Any], where: str) -> None:
    with pytest.raises(ConfigError, match=f"params: {where}.* beyond the screen, which is 30.5 by 22.9 cm"):
        run(**values)

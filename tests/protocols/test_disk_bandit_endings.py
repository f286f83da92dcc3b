"""Sessions of the eight-disk bandit that are stopped, or never begin, and what is written of them."""

from typing import Any

import pytest

from rig.core.errors import ConfigError
from rig.session.replay import compare
from sim_hardware.body import Body
from tests.protocols.disks import day, paid, peck, run
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
    assert compare(stage.journal)[1] is None


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
    assert compare(stage.journal)[1] is None


@pytest.mark.parametrize("at_s", [15.0, 21.5])
def test_what_was_written_of_the_end_when_a_session_was_killed_is_decided_again(at_s: float) -> None:
    stage = run(peck(20.0, 3), (at_s, stop), direct=hold)
    ends = [number for number, line in enumerate(stage.journal) if line["k"] in ("row", "trial", "health", "footer")]
    assert len(ends) > 8
    for number in ends:
        assert compare(stage.journal[:number])[1] is None


def one_of(vi_s: float) -> int:
    """Which disk has an interval of ``UNLIKE``."""
    return next(int(disk) for disk, mean_s in day(vi_s=UNLIKE).values.items() if mean_s == vi_s)


@pytest.mark.parametrize(("values", "where"), [({"ring_cm": 40}, "disk0 is 22.1 cm"), ({"lowest_cm": 30}, "disk0 is")])
def test_disks_that_the_screen_would_not_show_refuse_the_session(values: dict[str, Any], where: str) -> None:
    with pytest.raises(ConfigError, match=f"params: {where}.* beyond the screen, which is 30.5 by 22.9 cm"):
        run(**values)

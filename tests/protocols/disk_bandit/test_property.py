"""Whatever a bird does, the tables of the eight disks add up: recomputed from them alone."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig.session.replay import replay_lines
from tests.protocols.disk_bandit.disks import Act, Row, assert_intervals, assert_waiting, peck, peck_at, run

HOPPER_S = 3.0
PECKS = st.lists(
    st.tuples(st.integers(0, 2_500), st.integers(0, 8), st.sampled_from([0.0, 0.9, 1.1, 1.4])), min_size=1, max_size=120
)
VI_S = "[3,4,6,9,12,20,40,80]"


def script_from_pecks(pecks: list[tuple[int, int, float]]) -> list[tuple[float, Act]]:
    """Pecks in hundredths of a second after the first; disk 8 is beside all disks."""
    return [
        peck(0.1 + at / 50, disk, aside) if disk < 8 else peck_at(0.1 + at / 50, 1 + aside, 1.0)
        for at, disk, aside in pecks
    ]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    PECKS,
    st.integers(0, 10_000),
    st.sampled_from(["runs", "stops"]),
    st.sampled_from(["collection", "reward_end"]),
    st.sampled_from(["off", "inactive"]),
)
def test_the_tables_of_any_session_add_up(
    pecks: list[tuple[int, int, float]], seed: int, clock: str, next_from: str, disks: str
) -> None:
    harness = run(
        *script_from_pecks(pecks),
        seed=seed,
        vi_s=VI_S,
        vi_clock_in_reward=clock,
        vi_next_from=next_from,
        disks_in_reward=disks,
        stop_session_s=55,
    )
    rows, intervals = harness.rows, harness.table("intervals")
    ups = [(row["t"], row["t"] + HOPPER_S) for row in rows if row["rewarded"]]
    assert_pecks(rows, ups)
    assert_intervals(rows, intervals)
    for interval in intervals:
        assert_arming(interval, ups, clock, next_from)
    assert_waiting(rows, intervals)
    assert harness.footer.rewards == len(ups)
    assert replay_lines(harness.journal)[1] is None


def assert_pecks(rows: list[Row], ups: list[tuple[float, float]]) -> None:
    for row in rows:
        up = any(begin < row["t"] < end for begin, end in ups)
        assert row["phase"] == ("reward" if up else "respond") or any(row["t"] in pair for pair in ups)
        assert row["rewarded"] == (row["armed_before"] and row["phase"] == "respond")
        assert row["on_target"] == (row["disk"] >= 0)
        assert row["block"] == row["t"] // 300 + 1
        assert (row["interval_drawn_s"] is not None) == bool(row["rewarded"])
    assert all(later[0] >= before[1] for before, later in pairwise(ups))


def assert_arming(interval: Row, ups: list[tuple[float, float]], clock: str, next_from: str) -> None:
    started, armed = interval["t_started"], interval["t_armed"]
    begins = [end if next_from == "reward_end" else begin for begin, end in ups]
    assert started < 0.1 or any(started == pytest.approx(begin, abs=1e-6) for begin in begins)
    if armed is None:
        assert interval["t_collected"] is None
        return
    due = started + interval["draw_s"]
    for begin, end in ups if clock == "stops" else ():
        if end > started and begin < due - 1e-9:
            due += end - max(begin, started)
    assert armed == pytest.approx(due, abs=2e-6)
    assert interval["t_collected"] is None or armed <= interval["t_collected"]

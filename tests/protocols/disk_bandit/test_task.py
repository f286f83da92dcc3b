"""The eight-disk bandit peck by peck, in virtual time."""

from pathlib import Path
from typing import Any

import pytest

from protocols.disk_bandit.params import COLORS
from rig.config import find
from rig.core.journal.kinds import Note, SceneLine
from rig.core.model.events import FrameShown
from tests.protocols.disk_bandit.disks import (
    at_us,
    began_us,
    column,
    day,
    paid,
    peck,
    run,
)

# --- intervals ------------------------------------------------------------------------------------------------


def test_a_peck_at_the_very_time_of_arming_is_paid_and_one_a_microsecond_earlier_is_not() -> None:
    first = run(peck(9.0, 3))
    due_s = (at_us(first) - began_us(first)) / 1e6
    for late_us, won in ((0, 1), (1, 0)):
        vi_s = str([due_s + late_us / 1e6] * 8)
        assert paid(run(peck(9.0, 3), vi_s=vi_s, vi_distribution="fixed")) == [won]


def test_a_reward_waits_until_it_is_collected() -> None:
    harness = run(peck(50.0, 7), stop_session_s=60)
    assert paid(harness) == [1]
    (interval,) = [row for row in harness.table("intervals") if row["t_collected"] is not None]
    assert interval["t_armed"] == pytest.approx(9.0, abs=0.01)
    assert interval["t_collected"] == harness.rows[0]["t"]


def test_the_collecting_peck_begins_the_next_interval() -> None:
    harness = run(peck(10.0, 3), peck(18.9, 3), peck(19.1, 3))
    assert paid(harness) == [1, 0, 1]
    second = [row for row in harness.table("intervals") if row["disk"] == 3][1]
    assert second["t_started"] == harness.rows[0]["t"]
    assert harness.rows[0]["interval_drawn_s"] == second["draw_s"] == 9.0
    assert column(harness, "since_last_reward_s") == [None, pytest.approx(8.9), pytest.approx(9.1)]


@pytest.mark.parametrize(("clock", "wins"), [("runs", [1, 1]), ("stops", [1, 0])])
def test_clocks_run_or_stand_still_while_the_hopper_is_up(clock: str, wins: list[int]) -> None:
    other = next(disk for disk, vi_s in day(vi_s="[9,11,99,99,99,99,99,99]").values.items() if vi_s == 11)
    first = next(disk for disk, vi_s in day(vi_s="[9,11,99,99,99,99,99,99]").values.items() if vi_s == 9)
    values: dict[str, Any] = {"vi_s": "[9,11,99,99,99,99,99,99]", "vi_distribution": "fixed"}
    harness = run(peck(9.1, first), peck(13.9, other), vi_clock_in_reward=clock, **values)
    assert paid(harness) == wins
    later = run(peck(9.1, first), peck(14.1, other), vi_clock_in_reward=clock, **values)
    assert paid(later) == [1, 1]
    armed = next(row["t_armed"] for row in later.table("intervals") if row["disk"] == other)
    assert armed == pytest.approx(11.0 if clock == "runs" else 14.0, abs=0.01)


def test_what_nobody_collected_is_in_the_table_too() -> None:
    harness = run(peck(10.0, 3), stop_session_s=15)
    table = harness.table("intervals")
    assert [row["disk"] for row in table] == [3, *range(8)]
    left = {row["disk"]: row for row in table[1:]}
    assert left[3]["t_armed"] is None
    assert left[4]["t_armed"] == pytest.approx(9.0, abs=0.01)
    assert all(row["t_collected"] is None for row in table[1:])


# --- the screen -----------------------------------------------------------------------------------------------


def test_the_disks_are_where_the_paper_has_them_and_a_probe_moves_only_the_colors() -> None:
    names = list(COLORS)
    for shift in (0, 3):
        harness = run(color_shift=shift, stop_session_s=2)
        disks = {item["name"]: item for item in harness.of_kind(SceneLine)[0].items}
        top, bottom, right = disks["disk0"], disks["disk4"], disks["disk2"]
        assert top["y_cm"] - bottom["y_cm"] == pytest.approx(8.0)
        assert bottom["y_cm"] - bottom["diameter_cm"] / 2 == pytest.approx(3.0)
        assert right["x_cm"] > top["x_cm"] == pytest.approx(800 / 26.2 / 2, abs=1e-3)
        assert [disks[f"disk{k}"]["color"] for k in range(8)] == [COLORS[names[(k - shift) % 8]] for k in range(8)]
    assert run(peck(1.0, 6)).rows[0]["color"] == "gray"


# --- the hopper -----------------------------------------------------------------------------------------------


def test_disks_that_stay_are_without_effect_while_the_hopper_is_up() -> None:
    harness = run(peck(20.0, 3), peck(21.0, 4), peck(23.5, 4), disks_in_reward="inactive")
    assert column(harness, "disk") == [3, 4, 4]
    assert column(harness, "armed_before") == [1, 1, 1]
    assert paid(harness) == [1, 0, 1]
    assert len(harness.of_kind(FrameShown)) == 1


def test_rows_are_in_the_order_of_their_times() -> None:
    harness = run(*(peck(0.5 + 0.4 * number, number % 8) for number in range(140)), stop_session_s=60)
    times = column(harness, "t")
    assert times == sorted(times)
    assert len(times) == 140


def test_without_a_beam_nothing_is_said_of_eating(tmp_path: Path) -> None:
    chamber = find("rigs", "sim_pigeon_chamber").read_text(encoding="utf-8").replace(", beam: 8", "")
    (tmp_path / "no_beam.yaml").write_text(chamber, encoding="utf-8")
    harness = run(*(peck(20.0 + 4 * disk, disk) for disk in range(8)), rig=str(tmp_path / "no_beam.yaml"))
    assert paid(harness) == [1] * 8
    assert {row["eaten_s"] for row in harness.rows} == {None}
    assert {note.what for note in harness.of_kind(Note)} == {"screen", "assignment", "intervals_running"}


# --- the end --------------------------------------------------------------------------------------------------


def test_a_peck_at_the_very_limit_counts_and_one_after_it_does_not() -> None:
    limit_us = at_us(run(peck(30.0, 3)))
    for early_us, won in ((0, [1]), (1, [])):
        harness = run(peck(30.0, 3), stop_session_s=(limit_us - early_us) / 1e6)
        assert paid(harness) == won
        assert harness.footer.reason == "time_limit"


def test_the_cap_reached_by_a_peck_at_the_very_limit_is_the_cap() -> None:
    limit_us = at_us(run(peck(30.0, 3)))
    harness = run(peck(30.0, 3), stop_session_s=limit_us / 1e6, stop_max_rewards=1)
    assert paid(harness) == [1]
    assert harness.footer.rewards == 1

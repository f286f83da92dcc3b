"""The eight-disk bandit peck by peck, in virtual time."""

from pathlib import Path
from typing import Any

import pytest

from protocols.disk_bandit.params import COLORS
from rig.config import find
from rig.core.errors import ConfigError
from rig.session.replay import replay_lines
from tests.harness import FaultHarness
from tests.protocols.disk_bandit.disks import (
    at_us,
    began_us,
    column,
    day,
    head,
    hoppers,
    paid,
    peck,
    peck_at,
    press,
    run,
)

HOPPER_S = 3.0


# --- intervals ------------------------------------------------------------------------------------------------


def test_a_disk_pays_once_its_interval_is_over_and_not_before() -> None:
    harness = run(peck(8.9, 3), peck(9.1, 3), peck(12.5, 3))
    assert paid(harness) == column(harness, "armed_before") == [0, 1, 0]
    assert hoppers(harness) == [(pytest.approx(at_us(harness, 1), abs=20_000), 3_000_000)]
    assert replay_lines(harness.journal)[1] is None


def test_a_peck_at_the_very_time_of_arming_is_paid_and_one_a_microsecond_earlier_is_not() -> None:
    first = run(peck(9.0, 3))
    due_s = (at_us(first) - began_us(first)) / 1e6
    for late_us, won in ((0, 1), (1, 0)):
        vi_s = str([due_s + late_us / 1e6] * 8)
        assert paid(run(peck(9.0, 3), vi_s=vi_s, vi_distribution="fixed")) == [won]


def test_every_disk_has_a_clock_of_its_own_that_runs_while_others_are_pecked() -> None:
    harness = run(peck(9.1, 3), peck(12.5, 4), peck(16.0, 5), peck(18.0, 3), peck(18.5, 3))
    assert paid(harness) == [1, 1, 1, 0, 0]  # disk 3 is due again at 18.1, while the hopper is up for disk 5
    assert column(harness, "disk") == [3, 4, 5, -1, -1]


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


def test_the_next_interval_begins_at_the_end_of_reward_when_asked() -> None:
    harness = run(peck(10.0, 3), peck(19.1, 3), peck(21.9, 3), peck(22.1, 3), vi_next_from="reward_end")
    assert paid(harness) == [1, 0, 0, 1]


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


def test_pecks_beside_the_disks_are_written_down_and_never_paid() -> None:
    harness = run(peck_at(20.0, 1.0, 1.0), peck_at(21.0, 15.27, 8.0))
    assert column(harness, "disk") == [-1, -1]
    assert column(harness, "on_target") == paid(harness) == [0, 0]
    assert harness.rows[0]["x_cm"] == pytest.approx(1.0, abs=0.05)
    assert harness.rows[0]["vi_s"] is None


@pytest.mark.parametrize(("aside_cm", "disk", "in_margin"), [(0.99, 3, 0), (1.2, 3, 1), (1.3, -1, 0)])
def test_a_peck_on_the_margin_counts_and_says_so(aside_cm: float, disk: int, in_margin: int) -> None:
    (row,) = run(peck(20.0, 3, aside_cm)).rows
    assert (row["disk"], row["in_margin"], row["rewarded"]) == (disk, in_margin, int(disk == 3))


def test_the_disks_are_where_the_paper_has_them_and_a_probe_moves_only_the_colors() -> None:
    names = list(COLORS)
    for shift in (0, 3):
        harness = run(color_shift=shift, stop_session_s=2)
        disks = {item["name"]: item for item in harness.of_kind("scene")[0]["items"]}
        top, bottom, right = disks["disk0"], disks["disk4"], disks["disk2"]
        assert top["y_cm"] - bottom["y_cm"] == pytest.approx(8.0)
        assert bottom["y_cm"] - bottom["diameter_cm"] / 2 == pytest.approx(3.0)
        assert right["x_cm"] > top["x_cm"] == pytest.approx(800 / 26.2 / 2, abs=1e-3)
        assert [disks[f"disk{k}"]["color"] for k in range(8)] == [COLORS[names[(k - shift) % 8]] for k in range(8)]
    assert run(peck(1.0, 6)).rows[0]["color"] == "gray"


def test_a_bounce_is_no_peck_and_a_touch_that_is_held_is_one() -> None:
    harness = run(press(20.0, 3), peck(20.03, 3), peck(30.0, 4))
    assert column(harness, "disk") == [3, 4]
    assert paid(harness) == [1, 1]


# --- the hopper -----------------------------------------------------------------------------------------------


def test_two_pecks_in_one_read_raise_the_hopper_once() -> None:
    harness = run(peck(20.0, 3), peck(20.0, 4))
    assert paid(harness) == [1, 0]
    assert column(harness, "phase") == ["respond", "reward"]
    assert column(harness, "on_target") == [1, 1]  # the disks were still there
    assert len(hoppers(harness)) == 1
    assert replay_lines(harness.journal)[1] is None


def test_disks_are_dark_while_the_hopper_is_up_and_come_back() -> None:
    harness = run(peck(20.0, 3), peck(21.0, 4), peck(23.5, 4))
    assert column(harness, "disk") == [3, -1, 4]
    assert column(harness, "phase") == ["respond", "reward", "respond"]
    assert paid(harness) == [1, 0, 1]
    assert harness.rows[2]["since_last_chosen_s"] is None


def test_disks_that_stay_are_without_effect_while_the_hopper_is_up() -> None:
    harness = run(peck(20.0, 3), peck(21.0, 4), peck(23.5, 4), disks_in_reward="inactive")
    assert column(harness, "disk") == [3, 4, 4]
    assert column(harness, "armed_before") == [1, 1, 1]
    assert paid(harness) == [1, 0, 1]
    assert len(harness.of_kind("frame_shown")) == 1


def test_rows_are_in_the_order_of_their_times() -> None:
    harness = run(*(peck(0.5 + 0.4 * number, number % 8) for number in range(140)), stop_session_s=60)
    times = column(harness, "t")
    assert times == sorted(times)
    assert len(times) == 140


def test_it_is_written_down_how_long_the_head_was_in_the_hopper() -> None:
    harness = run(peck(20.0, 3), *head(20.5, 2.0), peck(30.0, 4))
    assert harness.rows[0]["eaten_s"] == pytest.approx(2.0, abs=0.11)
    assert harness.rows[1]["eaten_s"] == 0.0


def test_a_head_that_is_still_in_the_hopper_when_it_falls_has_eaten_until_then() -> None:
    harness = run(*head(19.0, 20.0), peck(20.0, 3))
    assert harness.rows[0]["eaten_s"] == pytest.approx(3.0, abs=0.001)


def test_a_hopper_to_which_nobody_comes_several_times_in_a_row_is_a_warning() -> None:
    pecks = [peck(20.0 + 4 * disk, disk) for disk in range(8)]
    harness = run(*pecks, not_entered_alert=3)
    assert [line["times"] for line in harness.of_kind("note") if line["what"] == "hopper_not_entered"] == [3, 6]
    harness = run(*pecks, *head(29.0, 1.0), not_entered_alert=3)
    assert [line["times"] for line in harness.of_kind("note") if line["what"] == "hopper_not_entered"] == [3]


def test_without_a_beam_nothing_is_said_of_eating(tmp_path: Path) -> None:
    chamber = find("rigs", "sim_pigeon_chamber").read_text(encoding="utf-8").replace(", beam: 8", "")
    (tmp_path / "no_beam.yaml").write_text(chamber, encoding="utf-8")
    harness = run(*(peck(20.0 + 4 * disk, disk) for disk in range(8)), rig=str(tmp_path / "no_beam.yaml"))
    assert paid(harness) == [1] * 8
    assert {row["eaten_s"] for row in harness.rows} == {None}
    assert {line["what"] for line in harness.of_kind("note")} == {"screen", "assignment", "intervals_running"}


# --- the end --------------------------------------------------------------------------------------------------


def test_the_cap_of_rewards_ends_the_session_when_the_hopper_is_down() -> None:
    harness = run(*(peck(20.0 + 4 * disk, disk) for disk in range(4)), stop_max_rewards=2)
    assert harness.footer["reason"] == "reward_limit"
    assert (harness.footer["rewards"], sum(paid(harness))) == (2, 2)
    assert [lasted for _, lasted in hoppers(harness)] == [3_000_000] * 2


def test_seconds_of_access_are_a_cap_too() -> None:
    harness = run(*(peck(20.0 + 4 * disk, disk) for disk in range(4)), stop_max_access_s=7)
    assert (harness.footer["reason"], harness.footer["access_s"]) == ("reward_limit", 6.0)


def test_a_reward_that_has_begun_when_the_time_is_over_is_finished() -> None:
    harness = run(peck(59.0, 3), peck(59.5, 4), stop_session_s=60)
    assert harness.footer["reason"] == "time_limit"
    assert paid(harness) == [1, 0]
    assert hoppers(harness)[0][1] == 3_000_000
    assert harness.footer["t"] == pytest.approx(62e6, abs=0.2e6)


def test_a_peck_at_the_very_limit_counts_and_one_after_it_does_not() -> None:
    limit_us = at_us(run(peck(30.0, 3)))
    for early_us, won in ((0, [1]), (1, [])):
        harness = run(peck(30.0, 3), stop_session_s=(limit_us - early_us) / 1e6)
        assert paid(harness) == won
        assert harness.footer["reason"] == "time_limit"


def test_the_cap_reached_by_a_peck_at_the_very_limit_is_the_cap() -> None:
    limit_us = at_us(run(peck(30.0, 3)))
    harness = run(peck(30.0, 3), stop_session_s=limit_us / 1e6, stop_max_rewards=1)
    assert paid(harness) == [1]
    assert harness.footer["rewards"] == 1


def test_a_session_that_is_stopped_while_the_hopper_is_up_is_written_down_as_far_as_it_came() -> None:
    script = [peck(20.0, 3), peck(20.5, 4)]
    harness = run(*script, (21.0, lambda body: stop()), arrange=lambda harness: holder.append(harness))
    assert harness.footer["reason"] == "operator"
    assert column(harness, "phase") == ["respond", "reward"]
    assert harness.on_at_the_end() == []


holder: list[FaultHarness] = []


def stop() -> None:
    holder[-1].session.request("stop")


def test_a_hopper_raised_by_hand_counts_and_can_leave_none_for_the_peck() -> None:
    harness = run(
        (10.0, lambda body: holder[-1].session.request("reward hopper")),
        peck(20.0, 3),
        peck(24.0, 3),
        stop_max_rewards=1,
        arrange=lambda harness: holder.append(harness),
    )
    assert harness.footer["rewards"] == 1
    assert paid(harness) == [0]
    assert harness.rows[0]["armed_before"] == 1
    assert harness.rows[0]["interval_drawn_s"] is None
    assert harness.footer["reason"] == "reward_limit"


# --- what goes wrong ------------------------------------------------------------------------------------------


def test_after_an_expired_lease_the_chamber_is_lit_and_the_disks_pay_again() -> None:
    def arrange(harness: FaultHarness) -> None:
        def block_input() -> None:
            lane = harness.rig.cable.to_board
            lane.hold()
            harness.rig.board._clock.call_later(9, lane.release)

        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(20, block_input)

    harness = run(peck(10.0, 3), peck(50.0, 4), arrange=arrange)
    assert harness.footer["lease_expirations"] == 1
    assert [value for _, value in harness.changes("houselight.light")] == [1, 0, 1, 0]
    assert paid(harness) == [1, 1]


def test_a_hopper_that_may_not_be_up_for_so_long_refuses_the_session() -> None:
    with pytest.raises(ConfigError, match=r"params.hopper_s: hopper: up for 12 s: wanted more than 0 and at most 10 s"):
        run(hopper_s=12)

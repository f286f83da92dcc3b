"""Rules of rewards: collected, long enough, one per trial, and seen to drop."""

from __future__ import annotations

from typing import Any

import pytest

from rig.core.journal.header import Header
from rig.core.journal.kinds import SessionLine
from tests.expectations.lines import edge, footer, found, header, line, monitor_of, reward, rules_found, visit

PORT = {"left": {"kind": "port", "beam": 6}}
FEEDERS = {
    "left_feeder": {"kind": "feeder", "sensor": 7, "drop_s": 0.5, "gap_s": 0.5},
    "right_feeder": {"kind": "feeder", "sensor": 9, "drop_s": 0.5, "gap_s": 0.5},
}


def collects(**expected: Any) -> Header:
    return header(PORT, rewards={"left": {"channel": "left.beam", **expected}})


def test_rewards_without_a_visit_are_found_when_they_are_several_in_a_row() -> None:
    head = collects(visit_within_s=5, max_missed=3)
    rewards = [reward("left", 100 * n) for n in range(1, 4)]
    assert rules_found([*rewards, line("time", 307)], head) == [("not_collected", "left")]
    assert rules_found([*rewards, *visit("left.beam", 203), line("time", 307)], head) == []


def test_a_subject_that_is_there_already_has_come() -> None:
    head = collects(visit_within_s=5, max_missed=1)
    inside = [edge("left.beam", 99), reward("left", 100), edge("left.beam", 101, 0), line("time", 200)]
    assert rules_found(inside, head) == []


def test_the_line_of_a_reward_may_come_after_the_visit() -> None:
    monitor = monitor_of(
        [*visit("left.beam", 100), reward("left", 100.05), line("time", 200)], collects(visit_within_s=5, max_missed=1)
    )
    assert monitor.findings == []


@pytest.mark.parametrize("fields", [{"by": "operator"}, {"status": "pending"}, {"status": "cancelled"}])
def test_only_rewards_that_the_task_gave_have_to_be_collected(fields: dict[str, str]) -> None:
    head = collects(visit_within_s=5, max_missed=1)
    assert rules_found([reward("left", 100, **fields), line("time", 200)], head) == []


@pytest.mark.parametrize(("stay_s", "expected"), [(0.6, []), (0.2, [("short_stays", "left")])])
def test_short_stays_after_rewards_are_found(stay_s: float, expected: list[tuple[str, str]]) -> None:
    stays = [each for n in range(30) for each in (*visit("left.beam", 10 * n, stay_s), reward("left", 10 * n))]
    others = [each for n in range(30) for each in visit("left.beam", 10 * n + 5, 0.1)]
    assert rules_found([*stays, *others], collects(min_stay_s=0.4)) == expected


def test_a_trial_with_two_rewards_is_found_and_one_by_hand_does_not_count() -> None:
    head = header(PORT, limits={"max_rewards_per_trial": 1})
    trial = line("trial", 3, outcome="rewarded")
    assert rules_found([reward("left", 1), reward("left", 2, by="operator"), trial], head) == []
    (finding,) = found([trial, reward("left", 4), reward("left", 5), line("trial", 6, outcome="rewarded")], head)
    assert "trial 2 gave 2 rewards" in finding.text


@pytest.mark.parametrize(("incomplete", "expected"), [(6, []), (7, [("incomplete_trials", "")])])
def test_many_trials_that_come_to_nothing_are_found(incomplete: int, expected: list[tuple[str, str]]) -> None:
    head = header(PORT, limits={"max_incomplete_pct": 20})
    outcomes = ["omission"] * incomplete + ["rewarded"] * (30 - incomplete)
    assert rules_found([line("trial", t_s, outcome=said) for t_s, said in enumerate(outcomes)], head) == expected


def ran(feeder: str, t_s: float) -> SessionLine:
    return line("output_done", t_s, output=f"{feeder}.feeder")


def pellet(feeder: str, t_s: float) -> list[SessionLine]:
    return visit(f"{feeder}.sensor", t_s, 0.02)


def test_three_rewards_without_a_pellet_at_the_sensor_are_found() -> None:
    rewards = [ran("left_feeder", 100 * n) for n in range(1, 4)]
    assert rules_found([*rewards, line("time", 302)], header(FEEDERS)) == [("pellets", "left_feeder")]
    seen = pellet("left_feeder", 200.3)
    assert rules_found([*rewards, *seen, line("time", 302)], header(FEEDERS)) == []


def test_pellets_of_a_feeder_that_did_not_run_are_found() -> None:
    swapped = [each for n in range(1, 3) for each in (ran("left_feeder", 100 * n), *pellet("right_feeder", 100 * n))]
    assert ("stray_pellets", "right_feeder") in rules_found([*swapped, line("time", 302)], header(FEEDERS))


def test_the_pellets_of_one_reward_come_before_its_pulses_have_ended() -> None:
    reward_of_three = [*pellet("left_feeder", 100.1), *pellet("left_feeder", 100.6), ran("left_feeder", 101)]
    monitor = monitor_of([*reward_of_three, *pellet("left_feeder", 101.1), footer(300)], header(FEEDERS))
    assert (monitor.end(), monitor.findings) == ([], [])


def test_stray_pellets_are_found_also_when_the_session_ends_at_once() -> None:
    monitor = monitor_of([*pellet("right_feeder", 1), *pellet("right_feeder", 2), footer(3)], header(FEEDERS))
    assert [finding.rule for finding in monitor.end()] == ["stray_pellets"]

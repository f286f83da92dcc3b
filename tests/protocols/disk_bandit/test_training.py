"""The stages that lead to the eight disks: autoshaping, random ratios, one disk, one of eight."""

from typing import Any

import pytest

from tests.harness import FaultHarness
from tests.protocols.disk_bandit.disks import column, day, paid, peck, peck_at, place, run


def test_random_ratios_pay_by_chance_alone() -> None:
    pecks = [peck(1.0 + 0.3 * number, 3) for number in range(180)]
    always = run(*pecks, protocol="disk_bandit_rr", rr_p="[1,1,1,1,1,1,1,1]")
    assert set(paid_in(always, "respond")) == {1}
    never = run(*pecks, protocol="disk_bandit_rr", rr_p="[0,0,0,0,0,0,0,0]")
    assert set(paid(never)) == {0}
    assert {row["p_reward"] for row in never.rows} == {0.0}
    assert {row["vi_s"] for row in never.rows} == {None}
    assert never.table("intervals") == []


def paid_in(harness: FaultHarness, phase: str) -> list[int]:
    return [row["rewarded"] for row in harness.rows if row["phase"] == phase]


def test_the_single_disk_is_another_one_each_day_and_pays_as_often_as_it_should() -> None:
    carried_over: dict[str, Any] = {}
    for number in range(10):
        harness = run(
            *(peck(1.0 + 4 * k, number % 8) for k in range(12)),
            protocol="disk_bandit_single",
            carried_over=carried_over,
        )
        assert {row["disk"] for row in harness.rows if row["on_target"]} == {number % 8}
        carried_over = harness.footer["carry_over"]


def test_one_of_eight_disks_pays_and_it_is_not_always_the_same() -> None:
    rich = set()
    for seed in range(20):
        values = day(seed, protocol="disk_bandit_one_of_eight").values
        assert sorted(values.values()) == [0.0] * 7 + [0.61]
        rich.add(max(values, key=lambda disk: values[disk]))
    assert len(rich) > 4


def test_autoshaping_shows_a_white_disk_pays_its_peck_and_pauses_for_a_minute() -> None:
    harness = run(peck(5.0, 8), peck(30.0, 8), peck(69.0, 8), protocol="disk_bandit_autoshaping", stop_session_s=200)
    assert paid(harness) == [1, 0, 1]
    assert column(harness, "disk") == [8, -1, 8]
    assert column(harness, "phase") == ["respond", "iti", "respond"]
    assert harness.rows[0]["latency_s"] == pytest.approx(5.0, abs=0.05)
    assert harness.rows[2]["latency_s"] == pytest.approx(1.0, abs=0.1)
    assert column(harness, "trial") == [1, None, 2]
    assert harness.rows[0]["color"] == "white"
    assert place(8) == (pytest.approx(15.267, abs=0.001), 8.0)


def test_a_disk_that_nobody_pecks_pays_all_the_same_when_asked() -> None:
    harness = run(peck_at(4.0, 1, 1), protocol="disk_bandit_autoshaping", autoshape_free_after_s=8, stop_session_s=30)
    assert column(harness, "phase") == ["respond", "free"]
    assert harness.rows[1]["t"] == pytest.approx(8.0, abs=0.05)
    assert (harness.rows[1]["rewarded"], harness.rows[1]["x_cm"], harness.rows[1]["on_target"]) == (1, None, 0)


def test_autoshaping_ends_after_so_many_disks() -> None:
    pecks = [peck(1.0 + 5 * number, 8) for number in range(10)]
    harness = run(*pecks, protocol="disk_bandit_autoshaping", autoshape_iti_s=1, autoshape_trials=3)
    assert harness.footer["reason"] == "task_finished"
    assert sum(paid(harness)) == 3


@pytest.mark.parametrize(("stays", "lit"), [(True, [1, 0]), (False, [1, 0, 1, 0])])
def test_the_houselight_is_on_and_in_the_pauses_of_autoshaping_as_asked(stays: bool, lit: list[int]) -> None:
    harness = run(
        peck(5.0, 8), protocol="disk_bandit_autoshaping", autoshape_iti_s=5, iti_houselight=stays, stop_session_s=20
    )
    assert [value for _, value in harness.changes("houselight.light")] == lit

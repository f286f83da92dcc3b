"""The stages that lead to the eight disks: autoshaping, random ratios, one disk, one of eight."""

from typing import Any

from tests.harness import FaultHarness
from tests.protocols.disk_bandit.disks import day, paid, peck, run


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
        carried_over = harness.footer.carry_over


def test_one_of_eight_disks_pays_and_it_is_not_always_the_same() -> None:
    rich = set()
    for seed in range(20):
        values = day(seed, protocol="disk_bandit_one_of_eight").values
        assert sorted(values.values()) == [0.0] * 7 + [0.61]
        rich.add(max(values, key=lambda disk: values[disk]))
    assert len(rich) > 4

import datetime
from dataclasses import replace

import pytest

from rig.studies.power.designs import run_power
from rig.studies.power.page import power_page
from rig.studies.power.result import PowerResult
from rig.studies.power.tables import tables
from tests.studies.power.pools import pool, question

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def result() -> PowerResult:
    power = question(
        subjects=[3, 8, 40], statistic={"take": "a/b", "name": f"rate {HOSTILE} $x$", "unit": "%"}, experiments=100
    )
    return run_power(power, pool(power, 30, 1.0), 1)


def test_the_page_says_what_was_compared_and_how_it_was_made(result: PowerResult) -> None:
    page = power_page(
        result,
        study="first",
        title=HOSTILE,
        command="rig study power first",
        made=datetime.date(2026, 1, 5),
        versions={"numpy": "2.0"},
        arms=[("arm weak", f"two_armed_bandit, virtual subject rflr (beta={HOSTILE})")],
        notes=[HOSTILE],
    )
    for said in (
        "rig study power first",
        "2026-01-05",
        "numpy",
        "random seed",
        "no experiment can reject",
        "30 of arm base",
        "subject rflr",
        "<svg",
    ):
        assert said in page
    assert "<script" not in page
    assert "left out" not in page


def test_each_design_is_a_row_and_what_was_not_simulated_a_dash(result: PowerResult) -> None:
    compared, designs, smallest = tables(result)
    assert [row[:3] for row in designs.rows][::2] == [("3", "1", "-"), ("40", "1", "-"), ("8", "3", designs.rows[4][2])]
    assert len(compared.rows) == len(smallest.rows) == 2
    assert "none" in smallest.rows[0]


def test_subjects_without_a_value_are_counted_if_there_are_any(result: PowerResult) -> None:
    compared, *_ = tables(replace(result, compared=tuple(replace(each, left_out=2) for each in result.compared)))
    assert compared.header[-1] == "left out"
    assert {row[-1] for row in compared.rows} == {"2, 2"}
    whole, *_ = tables(result)
    assert (whole.header[-1], len(whole.rows[0])) == ("subjects", len(whole.header))

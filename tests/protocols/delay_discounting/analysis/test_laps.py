import math

import numpy as np
import pytest

from protocols.delay_discounting.analysis.laps import of_rows
from rig.core.errors import ConfigError
from tests.protocols.delay_discounting.analysis.made import laps, rows


def test_a_lap_to_the_side_of_the_one_before_is_an_adjustment_and_the_first_has_no_type() -> None:
    found = laps("LLRLRR")
    assert found.adjusted.tolist() == [False, True, False, False, False, True]
    assert found.typed.tolist() == [False, True, True, True, True, True]


def test_a_lap_that_was_cut_is_left_out_and_a_skipped_one_counts() -> None:
    table = rows("LlR")
    table.append(table[-1] | {"lap": 4, "outcome": "interrupted", "side": None, "is_delayed_side": None})
    found = of_rows("R1_01", "R1", table)
    assert found.trials == 3
    assert found.rewarded.tolist() == [True, False, True]
    assert found.adjusted.tolist() == [False, True, False]


def test_a_lap_behind_a_missing_one_has_no_type() -> None:
    table = rows("LLLL")
    del table[1]
    found = of_rows("R1_01", "R1", table)
    assert found.typed.tolist() == [False, False, True]
    assert found.adjusted.tolist() == [False, False, True]


def test_the_ratio_is_that_of_the_usual_rewards() -> None:
    assert laps("LRLRL").condition == "3:1"
    assert laps("LRLRL", large=5).condition == "5:1"
    table = rows("LRLRL")
    table[0]["pellets"] = 2  # one did not fall
    assert of_rows("R1_01", "R1", table).ratio == 3
    assert of_rows("R1_01", "R1", [row | {"large_pellets": 4} for row in rows("RRR")]).ratio == 4
    assert laps("RRR").condition == "unknown"
    assert laps("LLL").condition == "3:1"


def test_the_pass_ends_where_the_site_begins() -> None:
    table = rows("LR")
    table[0] |= {"t_choice_exit": None}
    table[1] |= {"t_site_enter": None}
    assert of_rows("R1_01", "R1", table).choice_exit_s.tolist() == [7, 46]


def test_a_lap_lasts_from_the_end_of_the_one_before() -> None:
    found = laps("LRL").duration_s
    assert math.isnan(found[0])
    assert found[1:].tolist() == [40, 40]


def test_a_table_with_only_the_needed_columns_is_enough() -> None:
    needed = ("lap", "side", "is_delayed_side", "delay_before_s", "pellets", "outcome")
    found = of_rows("R1_01", "R1", [{name: row[name] for name in needed} for row in rows("LRL")])
    assert found.trials == 3
    assert np.isnan(found.idphi).all()
    assert found.tracking_ok.all()


def test_tracking_is_not_ok_where_the_row_says_so_in_whatever_word() -> None:
    table = rows("LRLR", tracking_ok=[None, 1, 0, False])
    assert of_rows("R1_01", "R1", table).tracking_ok.tolist() == [True, True, False, False]


def test_a_lap_whose_reward_was_withheld_counts_as_one_without() -> None:
    found = of_rows("R1_01", "R1", [row | {"outcome": "withheld", "pellets": None} for row in rows("LR")])
    assert (found.trials, found.rewarded.sum()) == (2, 0)


def test_no_laps_are_a_session_without_any() -> None:
    found = of_rows("R1_01", "R1", [])
    assert (found.trials, found.condition) == (0, "unknown")
    assert found.adjusted.size == found.duration_s.size == 0


@pytest.mark.parametrize("wrong", [{"side": "up"}, {"lap": "x"}, {"lap": 0}, {"delay_before_s": None}])
def test_a_row_that_is_no_lap_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="R1_01: a row of its lap table cannot be read"):
        of_rows("R1_01", "R1", [rows("L")[0] | wrong])


def test_laps_out_of_order_are_refused() -> None:
    table = rows("LRL")
    with pytest.raises(ConfigError, match=r"lap 1 comes after lap 2\): wanted .* laps from 1 in order"):
        of_rows("R1_01", "R1", [table[1], table[0]])


def test_the_delayed_side_follows_from_any_lap() -> None:
    assert laps("LR").delayed_left is True
    assert laps("R").delayed_left is True
    assert laps("LR", delayed="R").delayed_left is False
    assert laps("").delayed_left is None

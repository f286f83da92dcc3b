import csv
import io
from dataclasses import replace

import numpy as np

from protocols.delay_discounting.analysis.lap_table import COLUMNS, lap_table
from tests.protocols.delay_discounting.analysis.made import laps


def test_every_lap_is_a_row_with_its_type_phase_and_turning() -> None:
    turned = replace(laps("LLr", first_delay=4), idphi=np.array([1.0, 3, np.nan]))
    table = list(csv.DictReader(io.StringIO(lap_table([turned, laps("R", "R2_01")]))))
    assert tuple(table[0]) == COLUMNS
    assert [row["session"] for row in table] == ["R1_01"] * 3 + ["R2_01"]
    assert [row["type"] for row in table] == ["", "adjustment", "alternation", ""]
    assert [row["phase"] for row in table[:3]] == ["investigation"] * 3
    assert [row["zidphi"] for row in table] == ["-0.707107", "0.707107", "", ""]
    assert [row["delay_before_s"] for row in table[:3]] == ["4", "5", "6"]
    assert [row["rewarded"] for row in table[:3]] == ["True", "True", "False"]
    assert (table[0]["lap_s"], table[1]["lap_s"], table[1]["is_delayed_side"]) == ("", "40", "True")


def test_no_laps_are_only_the_heading() -> None:
    assert lap_table([laps("")]) == ",".join(COLUMNS) + "\r\n"

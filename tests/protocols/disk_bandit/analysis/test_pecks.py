from dataclasses import replace

import numpy as np
import pytest

from protocols.disk_bandit.analysis.assignments import complete, told
from protocols.disk_bandit.analysis.pecks import of_rows
from protocols.disk_bandit.tables.pecks import PLACES
from rig.core.errors import ConfigError
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, Row, days, life, peck


def one(rows: list[Row]) -> list[Row]:
    """Rows of a session whose table names every disk."""
    return [*rows, *(peck(disk, 200.0 + disk, VI_S[disk]) for disk in range(PLACES))]


def test_only_pecks_on_disks_that_could_be_chosen_are_choices() -> None:
    rows = [peck(0), peck(-1), peck(3, phase="reward"), peck(2, on_target=False), peck(8, vi_s=None)]
    (found,) = of_rows("A/01", "A", rows).named()
    assert found.chosen.tolist() == [True, False, False, False, False]
    assert found.left_out == {"off target": 2, "reward": 1, "center": 1}


def test_a_session_is_named_by_what_its_disks_paid() -> None:
    (found,) = complete(of_rows("A/01", "A", one([])).named())
    assert found.condition == "8 disks, VI 3-6561 s"
    odds = [peck(disk, vi_s=None, p_reward=0.61 / (disk + 1)) for disk in range(4)]
    assert complete(of_rows("A/01", "A", odds).named())[0].condition == "4 disks, p 0.1525-0.61"
    assert of_rows("A/01", "A", [peck(8, vi_s=None)]).named()[0].condition == "one disk"
    assert replace(found, block_s=30).condition == "8 disks, VI 3-6561 s, blocks of 30 s"


def test_a_visit_of_a_person_holds_sessions_with_assignments_of_their_own() -> None:
    rows = [peck(0, 5.0, 3, number=1), peck(0, 370.0, 9, 3, number=2), peck(1, 380.0, 3, 9, number=2)]
    first, second = of_rows("P1/01", "P1", rows).named()
    assert [first.name, second.name] == ["P1/01 #1", "P1/01 #2"]
    assert first.assignment.vi_s[0] == 3
    assert second.assignment.vi_s[:2].tolist() == [9, 3]
    assert second.assignment.prev_vi_s[:2].tolist() == [3, 9]


def test_what_the_record_tells_counts_more_than_what_was_pecked() -> None:
    (found,) = of_rows("A/01", "A", [peck(0)]).named()
    full = told(found, {"vi_s": list(VI_S), "prev_vi_s": [*VI_S[1:], None]})
    assert full.assignment.vi_s.tolist() == list(VI_S)
    assert np.isnan(full.assignment.prev_vi_s[7])
    assert complete([full])[0] is full
    assert full.placed


def test_a_disk_that_was_never_pecked_has_the_vi_that_is_left() -> None:
    table = days(Bird(pecks=(60,) * 12), 2)
    absent = [row for row in table[0] if row["disk"] != 5]
    whole, other, missing = (of_rows("A", "A", rows).named()[0] for rows in (table[0], table[1], absent))
    assert np.isnan(missing.assignment.vi_s[5])
    found, _ = complete([missing, other])
    assert found.assignment.vi_s.tolist() == whole.assignment.vi_s.tolist()
    assert found.placed


def test_of_two_disks_that_were_never_pecked_it_is_not_known_which_is_which() -> None:
    table = days(Bird(pecks=(60,) * 12), 2)
    absent = [row for row in table[0] if row["disk"] not in (5, 6)]
    found, _ = complete([of_rows("A", "A", rows).named()[0] for rows in (absent, table[1])])
    assert sorted(found.assignment.vi_s.tolist()) == list(VI_S)
    assert not found.placed


def test_a_disk_that_was_pecked_on_no_day_still_is_an_alternative() -> None:
    sessions = complete(life(Bird(bias=(0, 0, 0, -50, 0, 0, 0, 0)), 6))
    assert all(pecks.assignment.shown.all() for pecks in sessions)
    assert all(pecks.placed for pecks in sessions)


def test_what_the_day_before_paid_is_filled_in_only_where_nothing_else_is_left() -> None:
    table = days(Bird(pecks=(60,) * 12), 3)
    absent = [row for row in table[1] if row["disk"] != 2]
    found = complete([of_rows("A", "A", rows).named()[0] for rows in (table[0], absent, table[2])])
    assert np.isnan(found[0].assignment.prev_vi_s).all()
    assert found[1].assignment.prev_vi_s.tolist() == found[0].assignment.vi_s.tolist()


@pytest.mark.parametrize(
    "wrong",
    [{"disk": 9}, {"disk": -2}, {"block": 0}, {"t": None}, {"disk": "top"}, {"vi_s": 27}],
)
def test_a_row_that_is_no_peck_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="A/01: a row of its peck table cannot be read"):
        of_rows("A/01", "A", [peck(0), peck(0) | wrong])


def test_a_table_without_a_column_is_refused_by_its_name() -> None:
    row = {name: value for name, value in peck(0).items() if name != "phase"}
    with pytest.raises(ConfigError, match="phase"):
        of_rows("A/01", "A", [row])


def test_no_rows_are_a_session_in_which_nothing_was_pecked() -> None:
    visit = of_rows("A/01", "A", [])
    (found,) = complete(visit.named())
    assert (visit.trials, found.chosen.size, found.left_out, found.condition) == (0, 0, {}, "no pecks")

"""Public tables of searches on grids: read, written again, and refused with what is wrong."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.searching.analysis.public import of_file, of_long, of_wide
from protocols.searching.analysis.public_tables import long_table, wide_table
from protocols.searching.analysis.rounds import GridPerson
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import RewardRange
from protocols.searching.tables.grid_long import is_long, read_long
from protocols.searching.tables.grid_wide import COLUMNS as WIDE
from protocols.searching.tables.grid_wide import is_wide, read_wide
from rig.core.errors import ConfigError
from tests.protocols.searching.analysis.made import made_round, person
from tests.tables import rows

STUDY = Grid(11, 11)

# As in the released file, with shorter rounds: columns after the search history, and doubled quotes.
HISTORY = (
    '"{""xcollect"":[[9,8,9],[0,0]],""ycollect"":[[4,5,4],[6,10]],'
    '""zcollect"":[[72,-1,72],[57,1]],""zcollectScaled"":[[53,4,53],[46,6]]}"'
)
WIDE_FILE = f"""{",".join(WIDE)},reward,start,end
3,0,1,0,"[67,72]","[8,13]",{HISTORY},1.19,16-07-05 16:09,16-07-05 16:24
4,1,0,1,"[67,72]","[8,13]",NULL,,,
"""
# As in a later study on 8 x 8 tiles, with further columns.
LONG_FILE = """"id","session","x","y","chosen","z","zscaled","time","trial","round","distance","type_choice"
1102,1,7,3,32,37,27,1734335758008,0,1,NA,NA
1102,1,4,2,21,9,10,1734335762147,1,1,4,"Far"
1102,1,0,7,57,-1,4,1734335763676,2,1,4,"Far"
1102,2,7,0,8,27,NA,NA,0,1,NA,NA
1102,2,4,0,5,28,24,1734335809283,1,1,3,"Far"
"""

# As in the table of a study with people of several ages, with its row numbers.
AGES_FILE = """"","id","cond","age","x","y","z","trial","round","agegroup"
"1",1,"Rough",7,1,6,24,0,1,"7-8"
"2",1,"Rough",7,0,4,-2,1,1,"7-8"
"3",1,"Rough",7,7,4,53,2,1,"7-8"
"4",2,"Smooth",31,1,7,24,0,1,">18"
"5",2,"Smooth",31,0,0,20,1,1,">18"
"6",2,"Smooth",31,2,4,23,2,1,">18"
"""


def file_of(folder: Path, text: str) -> Path:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_wide_table_as_it_was_released(tmp_path: Path) -> None:
    path = file_of(tmp_path, WIDE_FILE)
    assert is_wide(path)
    (one,) = of_file(path).people
    assert (one.subject, one.condition, one.payoff, one.environments) == ("3", "average-smooth", "average", "smooth")
    assert one.bonus == 1.19
    first, second = one.rounds
    assert first.tile.tolist() == [4 * 11 + 9, 5 * 11 + 8, 4 * 11 + 9]
    assert (first.horizon, second.horizon, first.scale, second.environment) == (2, 1, 67, 13)
    assert first.drawn.tolist() == [72, -1, 72]
    assert first.shown.tolist() == [53, 4, 53]


def test_a_long_table_of_another_grid(tmp_path: Path) -> None:
    path = file_of(tmp_path, LONG_FILE)
    assert is_long(path)
    visit = of_file(path)
    assert [each.name for each in visit.people] == ["table/1102/1", "table/1102/2"]
    first = visit.people[0].rounds[0]
    assert first.grid == Grid(8, 8)
    assert first.tile.tolist() == [31, 20, 56]
    assert first.time_s[1] - first.time_s[0] == pytest.approx(4.139)
    assert math.isnan(visit.people[1].rounds[0].shown[0])


def test_a_long_table_with_conditions_and_ages(tmp_path: Path) -> None:
    visit = of_file(file_of(tmp_path, AGES_FILE), RewardRange(0, 50))
    child, adult = visit.people
    assert (child.condition, child.environments, child.age, child.number) == ("Rough", "rough", 7, "1")
    assert (adult.condition, adult.environments, adult.age) == ("Smooth", "smooth", 31)
    assert child.rounds[0].grid == Grid(8, 8)
    assert child.rounds[0].tile.tolist() == [6 * 8 + 1, 4 * 8, 4 * 8 + 7]
    assert child.rounds[0].reward.tolist() == [-2, 53]
    assert not child.kernels_known


def test_conditions_of_a_long_table_may_have_any_name_and_differ_between_rounds(tmp_path: Path) -> None:
    text = AGES_FILE.replace("cond", "Condition").replace("Rough", "with music").replace('2,"Smooth"', '1,"silent"')
    (person_of_both,) = of_file(file_of(tmp_path, text.replace(',1,">18', ',2,">18'))).people
    assert [each.condition for each in person_of_both.rounds] == ["with music", "silent"]
    assert person_of_both.environments == ""


def same(first: GridPerson, second: GridPerson, *names: str) -> None:
    assert len(first.rounds) == len(second.rounds)
    for a, b in zip(first.rounds, second.rounds, strict=True):
        for name in names:
            np.testing.assert_equal(getattr(a, name), getattr(b, name), err_msg=name)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 120), st.integers(-3, 103)), min_size=2, max_size=6), min_size=1, max_size=3
    )
)
def test_both_tables_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[tuple[int, int]]]
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    made = person(
        *(made_round([tile for tile, _ in own], [value for _, value in own], STUDY, environment=4) for own in rounds)
    )
    (wide,) = of_wide("w", read_wide(file_of(folder, wide_table([made])))).people
    same(wide, made, "tile", "drawn", "shown", "horizon", "scale", "environment", "condition")
    assert wide.bonus == pytest.approx(made.bonus, abs=0.005, nan_ok=True)
    table = read_long(file_of(folder, long_table([made])))
    (long,) = of_long("l", table).people
    same(long, made, "drawn", "shown", "horizon", "number", "time_s")
    # A table does not name its grid: one that was not searched to its edges is smaller.
    for a, b in zip(long.rounds, made.rounds, strict=True):
        assert [a.grid.place(tile) for tile in a.tile.tolist()] == [b.grid.place(tile) for tile in b.tile.tolist()]


def test_a_long_table_that_is_read_and_written_is_the_same(tmp_path: Path) -> None:
    visit = of_file(file_of(tmp_path, LONG_FILE))
    once = long_table(visit.people)
    assert long_table(of_file(file_of(tmp_path, once)).people) == once
    assert once.splitlines()[3] == "1102,1,0,7,57,-1,4,1734335763676,2,1"


def test_sessions_that_the_wide_table_cannot_hold_are_named() -> None:
    risky = person(made_round([0, 1], [10, 20]), payoff="", name="R1")
    with pytest.raises(ConfigError) as refused:
        wide_table([risky])
    assert [mistake.split(":")[0] for mistake in refused.value.mistakes] == ["R1", "R1"]
    assert all("--layout long" in mistake for mistake in refused.value.mistakes)


@rows("old", "new", "why")
def test_a_wide_row_that_cannot_be_is_refused_with_its_line(tmp_path: Path, old: str, new: str, why: str) -> None:
    text = WIDE_FILE.replace("4,1,0,1", "4,1,0,1", 1)
    lines = text.splitlines(keepends=True)
    changed = lines[1].replace(old, new, 1) if new != "3,0," else lines[1].replace("3,0,1", "3,0,x", 1)
    with pytest.raises(ConfigError) as refused:
        read_wide(file_of(tmp_path, lines[0] + changed))
    (mistake,) = refused.value.mistakes
    assert ":2: " in mistake
    assert (why if new != "3,0," else "kernel is x, not 0 (rough) or 1 (smooth)") in mistake


@rows("old", "new", "why")
def test_a_long_row_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_long(file_of(tmp_path, LONG_FILE.replace(old, new, 1)))
    assert why in refused.value.mistakes[0]


@rows("old", "new", "why")
def test_a_table_with_conditions_and_ages_that_cannot_be_is_refused(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        read_long(file_of(tmp_path, AGES_FILE.replace(old, new, 1)))
    assert why in refused.value.mistakes[0]


def test_an_unknown_environment_or_scale_is_null(tmp_path: Path) -> None:
    text = WIDE_FILE.replace("[67,72]", "[null,72]").replace("[8,13]", "[null,13]")
    (one,) = of_file(file_of(tmp_path, text)).people
    assert [(each.environment, each.scale) for each in one.rounds] == [(None, None), (13, 72)]


def test_a_long_table_of_revealed_tiles_alone_has_no_click(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no click: each of its rows is a revealed tile \(trial 0\)"):
        of_file(file_of(tmp_path, "id,x,y,z,trial,round\n1,2,3,50,0,1\n1,4,1,60,0,2\n"))

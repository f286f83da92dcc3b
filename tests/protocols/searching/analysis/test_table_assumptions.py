"""What a public table does not say is printed, and can be stated."""

from pathlib import Path

import pytest

from protocols.searching.analysis.analysis import GridBanditAnalysis, grid_size
from protocols.searching.analysis.public import of_file
from protocols.searching.analysis.public_tables import long_table, wide_table
from protocols.searching.analysis.rounds import GridVisit
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import RewardRange
from rig.analysis.common.plugin import Source
from rig.core.errors import ConfigError
from tests.protocols.searching.analysis.made import made_round, person

HEAD = "id,cond,age,x,y,z,trial,round,agegroup\n"
HALF = RewardRange(0, 50)


def table_of(folder: Path, *clicks: tuple[int, int, float], head: str = HEAD, cells: str = "Rough,7") -> Path:
    """A table with one round of one person; the first click is the revealed tile."""
    path = folder / "ages.csv"
    rows = (f"1,{cells},{x},{y},{z:g},{trial},1,7-8\n" for trial, (x, y, z) in enumerate(clicks))
    path.write_text(head + "".join(rows))
    return path


def notes_of(visit: GridVisit) -> list[str]:
    return [note.removeprefix("ages.csv: ") for note in visit.notes]


def test_what_is_taken_for_certain_is_in_the_notes(tmp_path: Path) -> None:
    path = table_of(tmp_path, (0, 0, -2), (7, 3, 53), (4, 7, 20))
    assert notes_of(of_file(path, HALF)) == [
        "grids of 8 x 8 tiles, by the largest x and the largest y; --grid states another size",
        "1 person, 1 round of 2 clicks; trial 0 is the revealed tile, which is no click",
        "people by condition: Rough (1)",
        "the lambda of its rough and smooth environments is unknown: no test against it",
        "1 of 1 people have an age: 7 to 7 years",
        "columns that are not read: agegroup",
        "rewards are -2 to 53, with noise; their range is 0 to 50, as --range says; models read (reward - 25) / 50",
    ]


def test_a_range_in_doubt_is_not_in_the_notes(tmp_path: Path) -> None:
    visit = of_file(table_of(tmp_path, (0, 0, -2), (7, 3, 53), (4, 7, 20)))
    assert "its rewards are -2 to 53, and models need their range" in visit.doubt
    assert not any("models read" in note for note in visit.notes)


def test_a_size_that_is_stated_is_that_of_the_grids(tmp_path: Path) -> None:
    visit = of_file(table_of(tmp_path, (0, 0, 9), (5, 3, 53), (4, 2, 20)), HALF, grid_size("8,8"))
    (round_of_one,) = visit.people[0].rounds
    assert round_of_one.grid == Grid(8, 8)
    assert round_of_one.tile.tolist() == [0, 3 * 8 + 5, 2 * 8 + 4]
    assert notes_of(visit)[0] == "grids of 8 x 8 tiles, as --grid says; --grid states another size"


def test_a_size_that_cannot_be_is_refused(tmp_path: Path) -> None:
    path = table_of(tmp_path, (0, 0, 9), (7, 3, 53), (4, 7, 20))
    with pytest.raises(ConfigError, match="x 7 and one with y 7, and --grid says 8,6: wanted --grid 8,8 or larger"):
        of_file(path, HALF, Grid(8, 6))
    told = tmp_path / "told.csv"
    told.write_text(long_table([person(made_round([0, 24, 3], [1, 70, 2]))]))
    with pytest.raises(ConfigError, match="column chosen says that a grid is 5 wide, and --grid 8: wanted one of them"):
        of_file(told, None, Grid(8, 8))
    assert of_file(told, None, Grid(5, 9)).people[0].rounds[0].grid == Grid(5, 9)


def test_tiles_that_are_counted_from_1_are_refused(tmp_path: Path) -> None:
    path = table_of(tmp_path, (1, 1, 9), (8, 3, 53), (4, 8, 20))
    with pytest.raises(ConfigError, match="no x and no y is 0: wanted tiles counted from 0, or --grid WIDTH,HEIGHT"):
        of_file(path, HALF)
    assert of_file(path, HALF, Grid(9, 9)).people[0].rounds[0].grid == Grid(9, 9)


def test_a_wide_table_has_the_grid_of_its_study_or_the_stated_one(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(wide_table([person(made_round([0, 1, 2], [1, 70, 2], Grid(11, 11)))]))
    visit = of_file(path)
    assert visit.people[0].rounds[0].grid == Grid(11, 11)
    assert "wide.csv: grids of 11 x 11 tiles, as in the study; --grid states another size" in visit.notes
    assert of_file(path, None, Grid(8, 8)).people[0].rounds[0].grid == Grid(8, 8)
    with pytest.raises(ConfigError, match="--grid says 2,2: wanted --grid 3,2 or larger"):
        of_file(path, None, Grid(2, 2))


def test_the_table_of_people_has_their_ages(tmp_path: Path) -> None:
    path = table_of(tmp_path, (0, 0, 9), (7, 3, 53), (4, 7, 20))
    given = {"fit": None, "jobs": 0, "fits": None, "seed": 1, "recovery": 0, "range": HALF, "grid": None}
    report = GridBanditAnalysis(given).report([Source(path, of_file(path, HALF))], fits=True)
    assert report.found.people[0].age == 7
    assert list(report.tables())[-1].header[-1] == "age"


@pytest.mark.parametrize("word", ["8", "8,", "0,8", "8,51", "8x8", "8,8,8", "a,b"])
def test_a_size_is_two_whole_numbers(word: str) -> None:
    with pytest.raises(ValueError, match="WIDTH,HEIGHT in tiles, 1 to 50, such as 8,8"):
        grid_size(word)

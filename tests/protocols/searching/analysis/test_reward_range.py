"""The range of a table's rewards is told or seen; where it is neither, no model is fitted."""

from pathlib import Path

import numpy as np
import pytest

from protocols.searching.analysis.analysis import GridBanditAnalysis, reward_range
from protocols.searching.analysis.fit_problems import problems
from protocols.searching.analysis.public_tables import long_table, wide_table
from protocols.searching.analysis.rounds import GridVisit
from rig.analysis.common.plugin import Source
from rig.core.errors import ConfigError
from tests.protocols.searching.analysis.made import made_round, person, simulated

PEOPLE = [simulated("local_search", number, rounds=4) for number in range(3)]
GIVEN = {"fit": None, "jobs": 0, "fits": None, "seed": 1, "recovery": 0, "range": None, "grid": None}


def put(folder: Path, text: str, factor: float, columns: str = "", cells: str = "") -> Path:
    """The table with its rewards multiplied, and with further columns."""
    head, *rows = text.splitlines()
    column = head.split(",").index("z")
    made = []
    for row in rows:
        words = row.split(",")
        words[column] = f"{float(words[column]) * factor:.6g}"
        made.append(",".join(words) + cells)
    path = folder / "table.csv"
    path.write_text("\n".join([head + columns, *made]) + "\n")
    return path


def visit_of(path: Path, option: str | None = None) -> GridVisit:
    return GridBanditAnalysis({**GIVEN, "range": reward_range(option) if option else None}).of_file(path)


def values(visit: GridVisit) -> np.ndarray:
    """All rewards, as the models read them."""
    found = [problem for each in visit.people for problem in problems(each, ["gp_ucb"], risky=False)]
    return np.concatenate([own.values for problem in found for own in problem.rounds])


@pytest.mark.parametrize("factor", [0.5, 0.01, 10.0])
def test_rewards_of_another_range_are_those_of_0_to_100_for_the_models(tmp_path: Path, factor: float) -> None:
    wanted = values(visit_of(put(tmp_path, long_table(PEOPLE), 1)))
    high = f"{100 * factor:g}"
    by_option = visit_of(put(tmp_path, long_table(PEOPLE), factor), f"0,{high}")
    by_column = visit_of(put(tmp_path, long_table(PEOPLE), factor, ",z_low,z_high", f",0,{high}"))
    for visit in (by_option, by_column):
        assert visit.doubt == ""
        assert values(visit) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("factor", [0.5, 0.01, 10.0, -1.0])
def test_rewards_that_do_not_fit_0_to_100_are_asked_about(tmp_path: Path, factor: float) -> None:
    path = put(tmp_path, long_table(PEOPLE), factor)
    source = Source(path, visit_of(path))
    with pytest.raises(ConfigError, match=r"its rewards are .* wanted --range LOW,HIGH.*columns z_low and z_high"):
        GridBanditAnalysis({**GIVEN, "fit": ("wsls",)}).report([source], fits=True)
    report = GridBanditAnalysis(GIVEN).report([source], fits=True)
    assert any("models need their range" in note for note in report.notes)


def test_a_range_that_is_stated_is_checked_against_the_values(tmp_path: Path) -> None:
    path = put(tmp_path, long_table(PEOPLE), 1)
    with pytest.raises(ConfigError, match=r"round \d: a reward is \d+, and the range is 0 to 50"):
        visit_of(path, "0,50")
    assert visit_of(put(tmp_path, long_table(PEOPLE), 0.5), "0,100").doubt == ""
    both = put(tmp_path, long_table(PEOPLE), 0.5, ",z_low,z_high", ",0,50")
    with pytest.raises(ConfigError, match="z_low and z_high say 0 to 50, and --range 0 to 100: wanted one of them"):
        visit_of(both, "0,100")
    turned = put(tmp_path, long_table(PEOPLE), 0.5, ",z_low,z_high", ",50,0")
    with pytest.raises(ConfigError, match=r"table\.csv:2: z_low is 50, not below z_high, 0"):
        visit_of(turned)


def test_a_wide_table_has_the_range_of_each_person(tmp_path: Path) -> None:
    head, *rows = wide_table(PEOPLE).splitlines()
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([f"{head},z_low,z_high", *(f"{row},-10,110" for row in rows)]) + "\n")
    assert {each.range for own in visit_of(path).people for each in own.rounds} == {(-10, 110)}


@pytest.mark.parametrize("word", ["50", "50,0", "0,nan", "0;50", "a,b"])
def test_a_range_is_two_numbers(word: str) -> None:
    with pytest.raises(ValueError, match="LOW,HIGH with LOW below HIGH"):
        reward_range(word)


def test_rounds_that_are_missing_or_short_are_named(tmp_path: Path) -> None:
    whole = long_table(PEOPLE).splitlines()
    first = PEOPLE[0].subject
    kept = [row for row in whole if not (row.startswith(f"{first},") and row.endswith(",2"))]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(kept) + "\n")
    assert [note for note in visit_of(path).notes if "round 2 is missing" in note]
    path.write_text("\n".join(whole[:-3]) + "\n")
    (note,) = [note for note in visit_of(path).notes if "is it complete?" in note]
    assert "round 4 has" in note


def test_a_person_who_clicks_on_one_tile_only_is_named_and_not_fitted() -> None:
    rounds = [made_round([place, 7, 7, 7, 7, 7], [20, 80, 80, 81, 79, 80]) for place in (3, 4)]
    stuck, once = person(*rounds, name="stuck"), person(*(made_round([0, 1], [30, 70]) for _ in range(4)), name="once")
    usual = person(*(made_round([3, 7, 8, 9, 7, 2], [20, 80, 30, 61, 79, 10]) for _ in range(2)), name="usual")
    people = [stuck, once, usual]
    sources = [Source(Path(each.name), GridVisit(each.name, (each,))) for each in people]
    report = GridBanditAnalysis({**GIVEN, "fit": ("local_search",)}).report(sources, fits=True)
    assert report.found.fits is not None
    assert {each.person for each in report.found.fits.people} == {"usual"}
    assert "stuck: clicks on one tile only: no model is fitted" in report.notes
    assert "once: has one click in each round: no model is fitted" in report.notes

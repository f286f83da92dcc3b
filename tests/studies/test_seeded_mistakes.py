"""The numbers of the papers find mistakes: with each of these in a study, the numbers that must show it are outside."""

from pathlib import Path

import pytest

from rig.studies.plan import Study
from tests.repository import ROOT
from tests.studies.mistakes_table import verdict
from tests.studies.seeded_mistakes import (
    MISTAKES,
    Reduced,
    is_green,
    is_red,
    run,
    run_mistake,
    shipped,
    with_mistake,
    write,
)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_its_place_and_its_numbers(name: str) -> None:
    mistake = MISTAKES[name]
    rows = [row["name"] for row in shipped(mistake.study)["figures"]]
    assert set(mistake.rows) <= set(rows)
    assert bool(mistake.arms) != bool(mistake.file)
    if mistake.file:
        assert (ROOT / mistake.file).read_text(encoding="utf-8").count(mistake.right) == 1
        assert mistake.right != mistake.wrong


@pytest.mark.parametrize("study", sorted({mistake.study for mistake in MISTAKES.values()}))
def test_a_study_with_a_mistake_can_run(study: str, tmp_path: Path) -> None:
    for mistake in (mistake for mistake in MISTAKES.values() if mistake.study == study):
        file = tmp_path / "seeded.yaml"
        data = Reduced.of(mistake).data()
        assert data["arms"].keys() >= mistake.arms.keys(), "the arm belongs to the numbers"
        write(file, with_mistake(data, mistake))
        assert Study(file).total > 0


@pytest.mark.parametrize(
    ("without", "figure", "cell"),
    [
        (("within", True), ("off", False), "yes"),
        (("direction", False), ("off", False), "yes"),
        (("within", False), ("undecided", False), "no: undecided"),
        (("within", False), ("off", True), "no: off, unsafe"),
        (("within", False), ("within", False), "no: within"),
        (("off", True), ("off", False), "no: without the mistake it is off"),
    ],
)
def test_a_number_shows_a_mistake_that_alone_puts_it_outside(
    without: tuple[str, bool], figure: tuple[str, bool], cell: str
) -> None:
    assert verdict(*({"verdict": word, "unsafe": unsafe} for word, unsafe in (without, figure))) == cell


@pytest.mark.campaign
@pytest.mark.parametrize("reduced", dict.fromkeys(map(Reduced.control, MISTAKES.values())), ids=str)
def test_without_a_mistake_every_number_is_as_published(reduced: Reduced, tmp_path: Path) -> None:
    for figure in run(reduced.data(), ROOT, tmp_path).values():
        assert is_green(figure), figure


@pytest.mark.campaign
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_noticed(name: str, tmp_path: Path) -> None:
    for figure in run_mistake(MISTAKES[name], tmp_path).values():
        assert is_red(figure), figure

"""The numbers of the papers find mistakes: with each of these in a study, the numbers that must show it are outside."""

from pathlib import Path

import pytest

from rig.studies.plan import Study
from tests.repository import ROOT
from tests.studies.seeded_mistakes import MISTAKES, Reduced, program, run, shipped, with_mistake, write


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


@pytest.mark.campaign
@pytest.mark.parametrize("reduced", dict.fromkeys(map(Reduced.of, MISTAKES.values())), ids=str)
def test_without_a_mistake_no_number_is_outside_by_more_than_its_error(reduced: Reduced, tmp_path: Path) -> None:
    for figure in run(reduced.data(), ROOT, tmp_path):
        assert figure["unsafe"] or figure["verdict"] in ("within", "direction"), figure


@pytest.mark.campaign
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_noticed(name: str, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    root = program(mistake, tmp_path / "program")
    for figure in run(with_mistake(Reduced.of(mistake).data(), mistake), root, tmp_path):
        assert (figure["verdict"], figure["unsafe"]) == ("off", False), figure

"""The studies that are shipped: each can run, and the numbers of the papers come out."""

from pathlib import Path

import pytest

from rig.cli.main import main
from rig.config import names, shipped_folder
from rig.studies.plan import Study

PAPERS = ("beron_2022", "racey_2011", "papale_2012", "wu_2017", "schulz_2018")


def shipped() -> list[str]:
    return sorted(path.stem for path in Path(shipped_folder(), "studies").glob("*.yaml"))


def test_there_is_a_study_of_each_paper() -> None:
    assert set(PAPERS) <= set(names("studies"))


@pytest.mark.parametrize("name", shipped())
def test_every_file_that_a_shipped_study_names_is_right(name: str) -> None:
    study = Study(Path(shipped_folder(), "studies", f"{name}.yaml"))
    assert study.total > 0


@pytest.mark.campaign
@pytest.mark.parametrize("name", PAPERS)
def test_the_numbers_of_a_paper_come_out(name: str, tmp_path: Path) -> None:
    assert main(["study", "run", name, "--data", str(tmp_path), "--jobs", "2"]) == 0

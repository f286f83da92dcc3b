"""Tables of subjects as files."""

import csv
from pathlib import Path

import pytest

from protocols.two_armed_bandit.analysis.results import report
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.subject_files import write_subjects
from rig.core.errors import ConfigError
from tests.protocols.two_armed_bandit.made import session


def tables(folder: Path, fits: bool = True) -> list[list[dict[str, str]]]:
    sessions = [
        session("LLlRrRLLlLRrRR" * 10, "LLLRRRRLLLRRRR" * 10, name="a_80-20"),
        session("LlLLRR" * 5, name="b_80-20"),
        session("LLlRrRLL", name="a_90-10", odds=(0.9, 0.1)),
    ]
    groups = report(sessions, BanditSettings(fits=fits, resamples=10)).groups
    paths = list(write_subjects(folder, groups.values()))
    assert [Path(path).name for path in paths] == ["subjects.csv", "weights.csv"]
    return [list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines())) for path in paths]


def test_each_subject_has_a_row_for_each_of_its_conditions(tmp_path: Path) -> None:
    behavior, weights = tables(tmp_path / "new")
    keys = [("a", "80-20"), ("b", "80-20"), ("a", "90-10")]
    assert [(row["subject"], row["condition"]) for row in behavior] == keys
    assert [(row["subject"], row["condition"]) for row in weights] == keys
    assert (behavior[1]["trials"], behavior[1]["rewards"], behavior[1]["reward_rate"]) == ("30", "25", "0.833333")
    assert float(weights[0]["alpha_se"]) > 0


def test_without_fits_the_table_of_weights_has_no_rows(tmp_path: Path) -> None:
    behavior, weights = tables(tmp_path, fits=False)
    assert len(behavior) == 3
    assert weights == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="ascii")
    with pytest.raises(ConfigError, match="taken: cannot be created"):
        tables(tmp_path / "taken")

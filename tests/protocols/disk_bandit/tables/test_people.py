from pathlib import Path

import pytest

from protocols.disk_bandit.tables.people import read_people
from rig.core.errors import ConfigError
from tests.tables import rows


def written(folder: Path, text: str) -> Path:
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_column_beside_the_subject_is_a_trait(tmp_path: Path) -> None:
    found = read_people(written(tmp_path, "subject,sex,grades\nP1,f,3.4\nP2, m ,\n"))
    assert found == {"P1": {"sex": "f", "grades": "3.4"}, "P2": {"sex": "m", "grades": ""}}


@rows("text", "said")
def test_a_table_that_is_none_of_subjects_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"people\.csv") as refused:
        read_people(written(tmp_path, text))
    assert said in str(refused.value)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.csv: cannot be read as subjects: No such file"):
        read_people(tmp_path / "none.csv")

"""`subject.yaml`: every mistake at its line, everything optional."""

import datetime
import os
from pathlib import Path

import pytest

from rig.config.subject import SubjectFile, load_subject
from rig.core.errors import ConfigError
from tests.tables import rows


def loaded(folder: Path, text: str) -> SubjectFile:
    (folder / "subject.yaml").write_text(text)
    return load_subject(folder)


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    known = load_subject(tmp_path)
    assert (known.baseline_g, known.daily_target_ul, known.warn_pct, known.refuse_pct) == (None, None, 85, 80)


def test_a_file_is_read(tmp_path: Path) -> None:
    known = loaded(tmp_path, "baseline_g: 24.5\nbaseline_date: 2026-11-01\nwarn_pct: 88\ndaily_target_ul: 1200\n")
    assert known.baseline_g == 24.5
    assert known.baseline_date == datetime.date(2026, 11, 1)
    assert (known.warn_pct, known.daily_target_ul) == (88, 1200)


@rows("text", "said")
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    assert str(caught.value).startswith("subject.yaml:")
    assert said in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="Windows gives links to administrators alone")
def test_a_link_to_nowhere_is_a_mistake_and_not_an_unknown_subject(tmp_path: Path) -> None:
    (tmp_path / "subject.yaml").symlink_to(tmp_path / "gone.yaml")
    with pytest.raises(ConfigError):
        load_subject(tmp_path)

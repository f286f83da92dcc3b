"""The columns that the program computes after a session are read from its trial table."""

import os
from pathlib import Path

import pytest

from rig.records.tables import computed
from rig.records.tables.computed import read_computed


def test_a_table_larger_than_that_of_any_session_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trials.csv").write_text("trial\n1\n")
    assert read_computed(tmp_path) == [{"trial": "1"}]
    monkeypatch.setattr(computed, "MAX_BYTES", 7)
    assert read_computed(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are files on POSIX")
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trials.csv")
    assert read_computed(tmp_path) == []

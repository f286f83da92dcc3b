"""Commands that move records, where a file that is open cannot be moved, as on Windows."""

import shutil
import sys
from pathlib import Path

import pytest

from rig.records.catalog import CATALOG
from tests.cli.conftest import Rig
from tests.platform.open_files import keep_open_files_in_place

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
pytestmark = [
    pytest.mark.usefixtures("morning"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the files that a program has open"),
]


@pytest.fixture(autouse=True)
def windows_files(monkeypatch: pytest.MonkeyPatch, rig: Rig) -> None:
    keep_open_files_in_place(monkeypatch)


def test_a_session_is_run_moved_and_its_subject_renamed(rig: Rig, real: Rig, data: Path) -> None:
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    assert rig("subject", "add", "M2", *MOUSE).status == 0
    assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status == 0
    assert rig("subject", "rename", "M2", "M3", "--reason", "wrong name").status == 0
    assert rig("subject", "merge", "M1", "into", "M3", "--reason", "typed twice").status == 0
    assert (data / "M3" / "2026-11-21" / "001" / "journal.jsonl").is_file()


def test_a_catalog_is_made_again_and_an_export_replaced(rig: Rig, session: Path, data: Path) -> None:
    for _ in range(2):
        assert rig("catalog", "rebuild").status == 0
        assert (data / CATALOG).is_file()
        assert rig("export", "csv", session, "--to", data.parent / "export", "--force").status == 0


def test_a_session_without_an_end_is_recovered_and_reported(rig: Rig, session: Path) -> None:
    journal = session / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-200])
    for name in ("summary.json", "trials.csv"):
        (session / name).unlink()
    shutil.rmtree(session / "config" / "tables", ignore_errors=True)
    assert rig("recover", session).status == 0
    assert (session / "summary.json").is_file()

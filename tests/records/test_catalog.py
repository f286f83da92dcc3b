"""The catalog is made from the journals at any time: damaged, deleted or killed, it changes nothing but speed."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.records import catalog as module
from rig.records.catalog import CATALOG, load_catalog, rebuild_catalog
from rig.records.journal.read import JOURNAL
from tests.past_sessions import rewarded_rows, write_session

REBUILD = """
import sys
from pathlib import Path
from rig.records.catalog import load_catalog, rebuild_catalog
print("ready", flush=True)
while True:
    rebuild_catalog(Path(sys.argv[1]))
    Path(sys.argv[1], "catalog.sqlite").unlink()
    load_catalog(Path(sys.argv[1]))
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("M1", "M2"):
        for day in range(1, 6):
            write_session(tmp_path / name, day, "first", rewarded_rows(1, 0))
    write_session(tmp_path / "M2", 6, reason=None)
    return tmp_path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The journals that were read."""
    paths: list[Path] = []
    real = module.read_ends
    monkeypatch.setattr(module, "read_ends", lambda path: paths.append(path) or real(path))
    return paths


def test_only_what_changed_is_read_again(data: Path, read: list[Path]) -> None:
    first = load_catalog(data)
    assert (len(first), len(read)) == (11, 11)
    assert load_catalog(data) == first
    assert len(read) == 11
    write_session(data / "M1", 7, number=2)
    journal = data / "M1" / "2026-11-01" / "001" / JOURNAL
    journal.write_bytes(journal.read_bytes() + b"{")
    shutil.rmtree(data / "M2" / "2026-11-02")
    assert len(load_catalog(data)) == 11
    assert len(read) == 13
    assert load_catalog(data) == rebuild_catalog(data)


def test_a_row_says_how_the_session_ended(data: Path) -> None:
    row = load_catalog(data)[0]
    assert (row.subject, row.session, row.stage, row.reason, row.trials) == (
        "M1",
        "2026-11-01/001",
        "first",
        "time_limit",
        2,
    )
    assert row.counts
    assert load_catalog(data)[-1].reason is None


def test_a_session_without_an_end_has_what_it_came_to_so_far(data: Path) -> None:
    folder = write_session(data / "M2", 7, rows=rewarded_rows(1, 0, 1), reason=None)
    assert (load_catalog(data)[-1].trials, load_catalog(data)[-1].reason) == (3, None)
    with (folder / JOURNAL).open("ab") as journal:
        journal.write(b'{"seq":5,"t":9')
    assert load_catalog(data)[-1].trials == 3


def test_any_damage_of_the_file_changes_nothing(data: Path) -> None:
    right = load_catalog(data)
    path = data / CATALOG
    raw = path.read_bytes()
    chance = random.Random("damage")
    for _ in range(60):
        spoilt = bytearray(raw)
        for _ in range(chance.choice((1, 10, 1000))):
            spoilt[chance.randrange(len(raw))] = chance.randrange(256)
        path.write_bytes(bytes(spoilt[: chance.choice((len(raw), len(raw) // 2, 10, 0))]))
        assert load_catalog(data) == right
        assert load_catalog(data) == right


def test_a_file_of_another_program_is_replaced(data: Path) -> None:
    right = load_catalog(data)
    (data / CATALOG).write_text("not a catalog")
    assert load_catalog(data) == right
    (data / CATALOG).unlink()
    with sqlite3.connect(data / CATALOG) as other:
        other.execute("CREATE TABLE sessions (subject)")
    assert load_catalog(data) == right


def test_a_value_that_was_changed_in_the_file_is_read_again(data: Path) -> None:
    right = load_catalog(data)
    with sqlite3.connect(data / CATALOG) as catalog:
        catalog.execute("UPDATE sessions SET trials=99, reason='fault'")
    assert load_catalog(data) == right


def test_a_catalog_that_cannot_be_written_is_made_in_memory(data: Path) -> None:
    right = load_catalog(data)
    (data / CATALOG).unlink()
    (data / CATALOG).mkdir()
    assert load_catalog(data) == right
    with pytest.raises(RecordError, match="cannot be written"):
        rebuild_catalog(data)


def test_a_journal_that_cannot_be_read_has_a_row(data: Path) -> None:
    (data / "M1" / "2026-11-01" / "001" / JOURNAL).write_bytes(b"nonsense\n")
    assert load_catalog(data)[0].protocol is None


def test_a_folder_without_sessions_has_an_empty_catalog(tmp_path: Path) -> None:
    assert load_catalog(tmp_path / "nowhere") == []
    assert load_catalog(tmp_path) == []


def kill_while_it_writes(data: Path, kills: int) -> None:
    right = rebuild_catalog(data)
    chance = random.Random("kills")
    for _ in range(kills):
        writer = subprocess.Popen([sys.executable, "-c", REBUILD, str(data)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(chance.uniform(0.0, 0.05))
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert load_catalog(data) == right
        assert rebuild_catalog(data) == right
        for left in data.glob(f".{CATALOG}.*"):
            left.unlink()


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_a_writer_that_is_killed_leaves_nothing_wrong(data: Path) -> None:
    kill_while_it_writes(data, 3)


@pytest.mark.campaign
@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_a_writer_may_be_killed_200_times(data: Path) -> None:
    kill_while_it_writes(data, 200)

"""`rig export csv` and `rig export parquet`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Rig
from tests.export.recorded import played, save
from tests.missing_modules import hide_module


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return save(tmp_path / "records", played("free_water"))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_tables_of_a_session_are_written_and_their_folder_named(rig: Rig, session: Path, kind: str) -> None:
    answer = rig("export", kind, session)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == f"M1 2026-11-21/001: 17 tables in M1_2026-11-21_001_{kind}\n"
    assert Path(f"M1_2026-11-21_001_{kind}", f"edges.{kind}").is_file()


def test_all_sessions_of_a_subject_go_to_one_place(rig: Rig, session: Path, tmp_path: Path) -> None:
    save(tmp_path / "records", played("two_armed_bandit"), number=2)
    answer = rig("export", "csv", tmp_path / "records" / "M1", "--to", tmp_path / "to", "--json")
    found = json.loads(answer.out)
    assert [Path(one["folder"]).name for one in found] == ["M1_2026-11-21_001_csv", "M1_2026-11-21_002_csv"]
    assert found[1]["tables"]["trials"] == len(played("two_armed_bandit").rows)
    assert all(one["complete"] for one in found)


def test_parquet_without_its_extra_says_what_to_install(
    rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_module(monkeypatch, "rig.export.parquet")
    answer = rig("export", "parquet", session)
    assert (answer.status, answer.out) == (2, "")
    assert "pip install 'behavior-rig[data]'" in answer.err


def test_csv_needs_no_package_of_an_extra(session: Path, tmp_path: Path) -> None:
    program = (
        "import sys\nsys.modules |= dict.fromkeys(('pandas', 'pyarrow', 'scipy', 'matplotlib', 'pynwb'))\n"
        "from rig.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    )
    words = ["export", "csv", str(session), "--to", str(tmp_path / "to")]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")

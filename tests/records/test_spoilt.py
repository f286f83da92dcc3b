"""Journals that were damaged on purpose, with valid checksums: what reads them goes on, and harms nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.records.spoil import spoilt
from tests.records.spoilt import LARGEST_MB

JOURNAL: list[dict[str, Any]] = [
    {"k": "header", "seq": 0, "columns": ["trial"]},
    {"k": "command", "seq": 1, "t": 5, "orders": [{"do": "set", "output": "light", "on": True}]},
    {"k": "reward", "seq": 2, "t": 6, "id": 1, "amount": 2.5, "unit": "ul", "status": "pending"},
    {"k": "footer", "seq": 3, "t": 7, "digest": "0"},
]


def put_before_all(folder: Path, first: int, count: int) -> dict[str, Any]:
    """In a process of its own, which writes down what it does."""
    # Without -B the interpreter writes what it has compiled: a write elsewhere.
    words = (sys.executable, "-B", "-m", "tests.records.spoilt", str(folder), str(first), str(count))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "RIG_"))}
    done = subprocess.run(words, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def judge(found: dict[str, Any]) -> None:
    assert found["wrong"] == []
    assert found["peak_mb"] - found["before_mb"] < LARGEST_MB
    for command in (
        "watch",
        "replay",
        "start",
        "analyze",
        "load",
        "export",
        "recover",
        "counted",
        "next",
        "why",
        "rebuild",
    ):
        assert found["outcomes"].get(f"{command}: done"), f"{command} was never put to the test"


def test_what_a_journal_becomes_depends_on_its_number_alone() -> None:
    forward = [spoilt(Random(number), JOURNAL) for number in range(300)]
    assert [spoilt(Random(number), JOURNAL) for number in reversed(range(300))] == forward[::-1]


def test_no_journal_makes_an_internal_error_or_a_write_elsewhere_or_is_run(tmp_path: Path) -> None:
    judge(put_before_all(tmp_path, 0, 30))


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_spoilt_journals_do_no_harm(tmp_path: Path, part: int) -> None:
    judge(put_before_all(tmp_path, 2500 * part, 2500))

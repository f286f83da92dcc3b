"""The process that replays: a journal that ends or holds it costs its own replay alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rig.session.replay_worker import ReplayWorker
from rig.session.shipped_sessions import shipped_sessions


def journal(protocol: str = "free_water") -> Path:
    path = shipped_sessions()[protocol]
    assert path is not None
    return path


def test_it_replays_several_journals() -> None:
    with ReplayWorker() as worker:
        assert [worker.check(journal(name)).verdict for name in ("free_water", "risky_bandit")] == ["same", "same"]


def test_a_replay_that_takes_too_long_is_stopped_and_the_next_one_is_not() -> None:
    with ReplayWorker(limit_s=0.01) as worker:  # shorter than the start of a process
        result = worker.check(journal())
        assert (result.verdict, result.text) == ("not replayed", "its replay was stopped after 0.01 s")
        worker._limit_s = 120
        assert worker.check(journal()).verdict == "same"


def test_a_process_that_dies_is_replaced() -> None:
    with ReplayWorker() as worker:
        assert worker.check(journal()).verdict == "same"
        assert worker._process is not None
        worker._process.kill()
        worker._process.wait()
        assert worker.check(journal()).text.startswith("its replay has ended (status ")
        assert worker.check(journal()).verdict == "same"


def test_no_process_is_left() -> None:
    with ReplayWorker() as worker:
        worker.check(journal())
        process = worker._process
    assert process is not None
    assert process.poll() is not None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_whose_name_is_no_utf8_is_replayed_like_another(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/M\xff"))
    folder.mkdir()
    (folder / "journal.jsonl").write_bytes(journal().read_bytes())
    with ReplayWorker() as worker:
        assert worker.check(folder / "journal.jsonl").verdict == "same"
        missing = worker.check(folder / "other.jsonl")
    assert missing.verdict == "not replayed"
    assert missing.text.isascii()

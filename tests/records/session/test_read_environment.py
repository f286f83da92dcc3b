"""The facts about a session's computer are read if they are there; whatever else lies in their place is no fact."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rig.records.session.read_environment import ENVIRONMENT, read_environment


def test_facts_are_read(tmp_path: Path) -> None:
    (tmp_path / ENVIRONMENT).write_text('{"host": "box"}')
    assert read_environment(tmp_path) == {"host": "box"}


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000, b'{"a": "' + b"x" * (1 << 20) + b'"}'])
def test_a_file_that_holds_no_facts_gives_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ENVIRONMENT).write_bytes(content)
    assert read_environment(tmp_path) == {}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_neither_a_missing_file_nor_a_folder_nor_a_pipe_is_waited_for(tmp_path: Path) -> None:
    assert read_environment(tmp_path) == {}
    (tmp_path / "one" / ENVIRONMENT).mkdir(parents=True)
    assert read_environment(tmp_path / "one") == {}
    (tmp_path / "two").mkdir()
    os.mkfifo(tmp_path / "two" / ENVIRONMENT)
    assert read_environment(tmp_path / "two") == {}

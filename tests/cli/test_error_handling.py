"""Whatever a user gets wrong is said in words, with the exit status of whose fault it is."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Rig


def test_hardware_that_is_not_there_is_status_3_and_leaves_no_session(rig: Rig, data: Path, far: Path) -> None:
    answer = rig(
        "run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--override", "weight=new", "--yes", "--new"
    )
    assert answer.status == 3
    assert "/dev/nowhere" in answer.err
    assert not list(data.rglob("journal.jsonl"))


def test_a_file_that_the_system_refuses_is_no_mistake_of_our_own(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(task: object) -> str:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(tmp_path / "here"))

    monkeypatch.setattr("rig.cli.show.task.text", refused)
    answer = rig("show", "graph", "free_water")
    assert (answer.status, answer.err) == (2, f"{tmp_path / 'here'}: cannot be used: Input/output error\n")


def test_our_own_mistake_is_status_1_with_the_details_in_a_file(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("rig.cli.show.task.text", lambda task: 1 / 0)
    answer = rig("show", "graph", "free_water")
    assert answer.status == 1
    assert "rig has failed: ZeroDivisionError" in answer.err
    (details,) = tmp_path.glob("rig-error-*.txt")
    assert str(details) in answer.err
    assert "Traceback" in details.read_text()


def test_control_c_between_sessions_is_status_130(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(task: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("rig.cli.show.task.text", stop)
    assert rig("show", "graph", "free_water").status == 130

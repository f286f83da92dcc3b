"""The facts of the machine: git where there is one, and never a failure."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.session.run import collect_environment
from rig.session.run.collect_environment import git_state, host_facts


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> Iterator[None]:
    git_state.cache_clear()
    yield
    git_state.cache_clear()


def git(folder: Path, *words: str) -> str:
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **who}).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "task.yaml").write_text("protocol: free_water\n")
    (folder / ".gitignore").write_text("ignored/\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder.resolve()


def test_a_committed_file_is_named_by_its_commit(repository: Path) -> None:
    state = git_state((str(repository / "task.yaml"),))
    assert state == [{"repository": str(repository), "commit": git(repository, "rev-parse", "HEAD"), "dirty": False}]


def test_a_file_that_was_changed_or_never_committed_is_dirty_and_another_one_does_not_make_it_so(
    repository: Path,
) -> None:
    new = repository / "new.yaml"
    new.write_text("protocol: free_water\n")
    assert git_state((str(repository / "task.yaml"),))[0]["dirty"] is False
    assert git_state((str(new),))[0]["dirty"] is True
    (repository / "task.yaml").write_text("protocol: other\n")
    git_state.cache_clear()
    assert git_state((str(repository / "task.yaml"),))[0]["dirty"] is True


def test_what_is_in_no_repository_or_ignored_there_has_no_commit(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "alone.yaml").write_text("")
    (repository / "ignored").mkdir()
    (repository / "ignored" / "task.yaml").write_text("")
    assert git_state((str(tmp_path / "alone.yaml"), str(repository / "ignored" / "task.yaml"))) == []
    assert git_state((str(tmp_path / "nowhere" / "task.yaml"),)) == []


def test_a_repository_without_a_commit_has_none(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "task.yaml").write_text("")
    assert git_state((str(tmp_path / "task.yaml"),)) == []


def test_without_git_nothing_is_known_and_nothing_fails(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    facts = host_facts([repository / "task.yaml"], None)
    assert facts["protocol"] == {"git": []}
    json.dumps(facts)


def test_a_slow_git_is_asked_once(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def slow(command: list[str], **options: Any) -> None:
        asked.append(command)
        raise subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(collect_environment.subprocess, "run", slow)
    assert git_state((str(repository / "task.yaml"), str(repository / "other.yaml"))) == []
    assert len(asked) == 1


def test_nothing_is_written_into_the_repository(repository: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")}
    os.utime(repository / "task.yaml")
    git_state((str(repository / "task.yaml"),))
    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before


def test_the_programs_own_files_and_the_protocols_are_looked_up(repository: Path) -> None:
    facts = host_facts([repository / "task.yaml"], "AB")
    assert facts["experimenter"] == "AB"
    assert str(repository) in [state["repository"] for state in facts["protocol"]["git"]]


def test_a_session_without_files_is_no_failure() -> None:
    assert host_facts([], None)["protocol"] == {"git": []}

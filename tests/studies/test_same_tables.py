"""The tables of a study are the same bytes: in one process, in two, on a cluster, after kills and after stops."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from rig.campaigns.store import TABLES
from tests.cli.processes import posix, start, until

pytestmark = [pytest.mark.campaign, pytest.mark.real_time, posix]

STUDY = """
title: Mice and pigeons in several sessions
arms:
  mice: {protocol: two_armed_bandit, model: rflr, stop: {session_s: 600}, subjects: 12, sessions: 2}
  trained: {curriculum: two_armed_bandit, model: rflr, stop: {session_s: 600}, subjects: 2, sessions: 5}
  birds: {protocol: disk_bandit, model: pigeon, stop: {session_s: 900}, subjects: 6, sessions: 3}
"""
KILLS, STOPS = 5, 3


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "same.yaml"
    path.write_text(STUDY, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def expected(study: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the tables of one process that runs without a disturbance."""
    data = tmp_path_factory.mktemp("one")
    assert begin(study, data).wait(timeout=600) == 0
    return tables_of(data)


def begin(study: Path, data: Path, *words: str) -> "subprocess.Popen[str]":
    return start(
        "study", "run", str(study), "--data", str(data), *words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def tables_of(data: Path) -> dict[str, bytes]:
    tables = data / "studies" / "same" / TABLES
    found = {str(path.relative_to(tables)): path.read_bytes() for path in tables.rglob("*") if path.is_file()}
    assert found
    return found


def files_of(data: Path) -> int:
    return sum(path.is_file() for path in data.rglob("*"))


def descendants(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text(encoding="ascii").split())
    return found[1:]


def workers_of(pid: int) -> list[int]:
    return [each for each in descendants(pid) if b"spawn_main" in command_of(each)]


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_two_processes_write_the_same_tables_as_one(study: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    assert begin(study, tmp_path, "--jobs", "2").wait(timeout=600) == 0
    assert tables_of(tmp_path) == expected


def test_workers_that_are_killed_change_no_table(study: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    rand = random.Random(1)
    running = begin(study, tmp_path, "--jobs", "2")
    killed = 0
    while killed < KILLS:
        before = files_of(tmp_path)
        until(lambda before=before: files_of(tmp_path) > before + 1, 120)  # some sessions came back
        time.sleep(rand.uniform(0, 0.3))
        with suppress(ProcessLookupError):
            os.kill(rand.choice(until(lambda: workers_of(running.pid), 60)), signal.SIGKILL)
            killed += 1
    assert running.wait(timeout=600) == 0
    assert tables_of(tmp_path) == expected


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_study_that_is_stopped_and_continued_writes_the_same_tables(
    jobs: int, study: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    for number in range(1, STOPS + 1):
        running = begin(study, tmp_path, "--jobs", str(jobs))
        before = files_of(tmp_path)
        until(lambda before=before: files_of(tmp_path) > before + 3, 120)
        running.send_signal([signal.SIGINT, signal.SIGTERM, signal.SIGKILL][number - 1])
        assert running.wait(timeout=120) in (130, -signal.SIGKILL)
    assert begin(study, tmp_path, "--jobs", str(jobs)).wait(timeout=600) == 0
    assert tables_of(tmp_path) == expected


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """Start a scheduler and two workers, as a person does on several computers; yield the scheduler's file."""
    place = folder / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli"]
    scheduler = [*dask[:2], "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = [*dask[:2], "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard"]
    commands = [
        [*scheduler, "--scheduler-file", str(place)],
        *([*worker, "--scheduler-file", str(place), "--local-directory", str(folder / name)] for name in "ab"),
    ]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    try:
        until(place.is_file, 60)
        yield str(place)
    finally:
        for each in reversed(running):
            each.terminate()
            each.wait(timeout=60)


def test_a_cluster_of_two_workers_writes_the_same_tables(
    study: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    with cluster(tmp_path) as scheduler:
        data = tmp_path / "data"
        assert begin(study, data, "--scheduler", scheduler).wait(timeout=600) == 0
    assert tables_of(data) == expected

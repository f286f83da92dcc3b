"""Work whose results are kept: nothing is done twice, and a torn line costs one result."""

import multiprocessing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rig.analysis.common.jobs import Job, read_results, run_jobs
from rig.core.errors import ConfigError

CALLS: list[int] = []


def square(number: int) -> dict[str, Any]:
    CALLS.append(number)
    return {"value": number**2}


def jobs(*numbers: int) -> list[Job]:
    return [Job(f"job {number}", number) for number in numbers]


@pytest.fixture(autouse=True)
def no_calls() -> None:
    CALLS.clear()


def test_what_the_file_has_is_not_done_again(tmp_path: Path) -> None:
    file = tmp_path / "fits.jsonl"
    assert dict(run_jobs(square, jobs(1, 2), 0, file)) == {"job 1": {"value": 1}, "job 2": {"value": 4}}
    assert dict(run_jobs(square, jobs(1, 2, 3), 0, file))["job 3"] == {"value": 9}
    assert CALLS == [1, 2, 3]
    assert read_results(file) == {f"job {number}": {"value": number**2} for number in (1, 2, 3)}


def test_a_process_that_may_have_no_other_ones_does_the_work_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "current_process", lambda: SimpleNamespace(daemon=True))
    assert dict(run_jobs(square, jobs(3), 2, None)) == {"job 3": {"value": 9}}
    assert CALLS == [3]


def test_a_run_that_is_stopped_keeps_what_was_done(tmp_path: Path) -> None:
    file = tmp_path / "fits.jsonl"
    running = run_jobs(square, jobs(1, 2, 3), 0, file)
    next(running)
    next(running)
    del running
    assert list(read_results(file)) == ["job 1", "job 2"]


def test_a_torn_last_line_is_dropped_and_done_again(tmp_path: Path) -> None:
    file = tmp_path / "fits.jsonl"
    list(run_jobs(square, jobs(1, 2), 0, file))
    file.write_text(file.read_text()[:-5])
    assert dict(run_jobs(square, jobs(1, 2, 3), 0, file))["job 2"] == {"value": 4}
    assert CALLS == [1, 2, 2, 3]
    assert len(read_results(file)) == 3


@pytest.mark.parametrize("text", ["notes\n", '{"key": 1}\n', "[]\n", '{"key":"a","result":3}\n'])
def test_another_file_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"notes\.txt:1: is no result of a fit"):
        list(run_jobs(square, jobs(1), 0, file))
    assert file.read_text() == text


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    side_by_side = dict(run_jobs(square, jobs(1, 2, 3), 2, tmp_path / "fits.jsonl"))
    assert side_by_side == dict(run_jobs(square, jobs(1, 2, 3), 0, None))
    assert len(read_results(tmp_path / "fits.jsonl")) == 3

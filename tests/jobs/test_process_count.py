"""How many processes run jobs, if a person does not say it."""

import os

import pytest

from rig.jobs.process_count import default_jobs


@pytest.mark.parametrize(("processors", "jobs"), [(1, 1), (2, 1), (8, 7)])
def test_without_a_number_of_jobs_one_processor_is_left_to_others(
    processors: int, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(processors)), raising=False)
    assert default_jobs() == jobs

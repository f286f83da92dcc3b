"""The sessions of a study: none runs twice, and a stop changes nothing."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rig.campaigns.store import CampaignStore
from rig.config.models.study_file import StudyFile
from rig.core.model.rig_spec import SimulationOptions
from rig.jobs.engine import Chain, Engine, InProcessEngine
from rig.session.spec.request import SessionRequest
from rig.studies.arms import ArmPlan
from rig.studies.sessions import ArmSessions, run_sessions, sessions_done

FILE = StudyFile.model_validate({"title": "mice", "arms": {"base": {"protocol": "two_armed_bandit", "model": "rflr"}}})


class StoppedEngine(Engine):
    """An engine that is stopped after some jobs, as by Ctrl-C."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, work: Callable[[Any], Any], chains: Iterable[Chain[Any, Any]]) -> Iterator[Any]:
        for number, result in enumerate(InProcessEngine().run(work, chains), start=1):
            yield result
            if number == self._jobs:
                raise KeyboardInterrupt


@pytest.fixture(scope="module")
def arms() -> dict[str, ArmSessions]:
    request = SessionRequest(
        protocol="two_armed_bandit", sets=("stop.session_s=20",), simulation=SimulationOptions("rflr")
    )
    return {"base": ArmSessions.of(ArmPlan("base", request, ("base-001", "base-002"), 2, {}, "mice"), FILE)}


def store_in(folder: Path, arms: dict[str, ArmSessions]) -> CampaignStore:
    headers = {name: arm.condition.header for name, arm in arms.items()}
    return CampaignStore(folder, "mice", headers, keeps_journals=False)


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_study_that_was_stopped_and_went_on_has_the_same_tables(arms: dict[str, ArmSessions], tmp_path: Path) -> None:
    run_sessions(arms, store_in(tmp_path / "whole", arms), InProcessEngine())
    ran = []
    for _ in range(4):
        store = store_in(tmp_path / "stopped", arms)
        assert sessions_done(arms["base"].plan, store) == len(ran)
        with pytest.raises(KeyboardInterrupt):
            run_sessions(arms, store, StoppedEngine(1), ran.append)
    assert [(product.subject, product.number) for product in ran] == [
        (f"base-00{subject}", number) for subject in (1, 2) for number in (1, 2)
    ]
    run_sessions(arms, store_in(tmp_path / "stopped", arms), StoppedEngine(1))  # nothing is left to run
    assert bytes_below(tmp_path / "whole") == bytes_below(tmp_path / "stopped")


def test_what_a_killed_process_left_of_a_finished_subject_is_removed(
    arms: dict[str, ArmSessions], tmp_path: Path
) -> None:
    store = store_in(tmp_path / "whole", arms)
    run_sessions(arms, store, InProcessEngine())
    shutil.copytree(tmp_path / "whole", tmp_path / "killed")
    left = tmp_path / "killed" / "unfinished" / "base" / "base-001" / "00001"
    left.mkdir(parents=True)
    run_sessions(arms, store_in(tmp_path / "killed", arms), InProcessEngine())
    assert not left.exists()


def test_the_subjects_of_two_arms_do_not_repeat_each_other_s_draws(arms: dict[str, ArmSessions]) -> None:
    base = arms["base"]
    other = replace(base, plan=replace(base.plan, name="other"))
    assert base.order("m1", ()).seed != other.order("m1", ()).seed

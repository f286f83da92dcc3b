"""Power from sessions: the numbers of subjects come from their sessions, in any order."""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.cli.main import main
from rig.core.errors import ConfigError
from rig.jobs.engine import Chain, Engine, InProcessEngine
from rig.studies.power_run import power_of
from rig.studies.run import StudyProgress, StudyRun
from tests.studies.test_run import MICE, study_in

QUESTION = """
title: How many mice?
arms:
  base: {protocol: two_armed_bandit, model: rflr, stop: {session_s: 40}, subjects: 12, sessions: 2}
  lost: {like: base, model: random}
power:
  baseline: base
  effect: lost
  statistic: {take: groups/80-20/rates/p_switch/value, name: switches}
  subjects: [4, 6]
  sessions: [1, 2]
  experiments: 100
"""


class ShuffledEngine(Engine):
    """An engine whose jobs come back in another order."""

    def run(self, work: Callable[[Any], Any], chains: Iterable[Chain[Any, Any]]) -> Iterator[Any]:
        results = list(InProcessEngine().run(work, chains))
        random.Random(3).shuffle(results)
        yield from results


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> StudyRun:
    folder = tmp_path_factory.mktemp("power")
    run = StudyRun(study_in(folder, QUESTION), folder)
    run.sessions(("base", "lost"), InProcessEngine(), StudyProgress())
    return run


def test_mice_without_a_strategy_are_told_from_others_by_few(work: StudyRun) -> None:
    result, _ = power_of(work, InProcessEngine())
    [largest] = [each for each in result.designs if (each.subjects, each.sessions) == (6, 2)]
    assert largest.power is not None
    assert largest.power.value > 0.9
    assert largest.false_alarms is not None
    assert largest.false_alarms.value < 0.2


def test_the_order_of_jobs_changes_nothing(work: StudyRun) -> None:
    assert power_of(work, ShuffledEngine()) == power_of(work, InProcessEngine())


def test_a_study_without_the_question_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="power:"):
        power_of(StudyRun(study_in(tmp_path, MICE), tmp_path), InProcessEngine())


def test_a_design_with_more_subjects_than_an_arm_has_is_told_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"mice\.yaml:10: .*arm base has 12 subjects"):
        study_in(tmp_path, QUESTION.replace("[4, 6]", "[4, 20]"))


def test_the_command_writes_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mice.yaml"
    path.write_text(QUESTION, encoding="utf-8")
    assert main(["study", "power", str(path), "--data", str(tmp_path)]) == 0
    page = tmp_path / "studies" / "mice" / "power.html"
    assert f"page: {page}" in capsys.readouterr().out
    assert "How many mice?" in page.read_text(encoding="utf-8")

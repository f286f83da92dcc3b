"""A study from its file to its results."""

import json
import math
from pathlib import Path

import pytest

from rig.campaigns.engine import InProcessEngine
from rig.campaigns.store import HEADERS
from rig.core.errors import ConfigError, RecordError
from rig.studies.changes import CONDITIONS
from rig.studies.page import study_page
from rig.studies.plan import Study
from rig.studies.results import StudyResult
from rig.studies.run import StudyProgress, StudyRun, results_folder
from rig.system.config_paths import STUDIES

MICE = """
title: Mice of <one> arm
paper: Doe 2022
arms:
  base: {protocol: two_armed_bandit, model: rflr, stop: {session_s: 120}, subjects: 3}
analyses:
  choices: {options: {skip_first: 2}}
figures:
  - {name: choices, of: choices, take: groups/80-20/rates/p_high/value, expected: 0.5, tolerance: 0.5, source: Table 1}
  - {name: never, of: choices, take: groups/80-20/rates/p_high/value, at_most: -1, source: Table 2}
  - {name: explained, of: choices, take: groups/80-20/rates/p_high/value, at_most: -1, source: T, explanation: why}
  - {name: nowhere, of: choices, take: groups/80-20/rates/p_hihg/value, at_most: 1, source: Table 3}
not_reached:
  - {name: weight, published: 25 g, source: Methods, reason: a virtual mouse has none}
pictures:
  - {of: choices, picture: 80-20_position, paper: Figure 1, shows: Mice come back.}
  - {of: choices, picture: nothing, paper: Figure 2, shows: Nothing.}
"""

ONE = """
title: One mouse
arms:
  base: {protocol: two_armed_bandit, model: rflr, stop: {session_s: 20}}
"""


def study_in(folder: Path, text: str = MICE) -> Study:
    path = folder / "mice.yaml"
    path.write_text(text, encoding="utf-8")
    return Study(path)


def run_in(folder: Path, text: str = MICE, *, again: bool = False) -> tuple[StudyRun, list[str]]:
    """Run the sessions of a study; return it, and the subjects that ran."""
    run = StudyRun(study_in(folder, text), folder, again=again)
    ran: list[str] = []
    run.sessions(run.compared, InProcessEngine(), StudyProgress(on_session=lambda product: ran.append(product.subject)))
    return run, ran


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    run, _ = run_in(tmp_path_factory.mktemp("study"))
    return run.result(InProcessEngine(), StudyProgress(), "rig study run mice")


def test_each_number_is_compared_with_its_bounds(result: StudyResult) -> None:
    assert [each.verdict for each in result.figures] == ["within", "off", "explained", "unknown"]
    assert [each.figure.name for each in result.missed] == ["never", "nowhere"]


def test_a_number_has_a_monte_carlo_error(result: StudyResult) -> None:
    found = result.figures[0].obtained
    assert 0 < found.value < 1
    assert math.isfinite(found.error)
    assert found.error > 0


def test_a_place_that_is_not_there_says_what_is_there(result: StudyResult) -> None:
    assert "p_high" in result.figures[3].obtained.problem


def test_the_arms_are_counted(result: StudyResult) -> None:
    [arm] = result.arms
    assert (arm.name, arm.subjects, arm.sessions) == ("base", 3, 3)
    assert arm.trials > 0


def test_the_page_escapes_what_the_file_says(result: StudyResult) -> None:
    page = study_page(result)
    assert "Mice of &lt;one&gt; arm" in page
    assert "<one>" not in page
    assert page.count("<svg") == 1


def test_what_ran_does_not_run_again(tmp_path: Path) -> None:
    _, first = run_in(tmp_path)
    _, second = run_in(tmp_path)
    assert (len(first), len(second)) == (3, 0)


def test_other_figures_need_no_new_sessions(tmp_path: Path) -> None:
    run_in(tmp_path)
    _, ran = run_in(tmp_path, MICE.replace("expected: 0.5", "expected: 0.6"))
    assert ran == []


@pytest.mark.parametrize("change", ["session_s: 130", "seed", "sessions", "journals"])
def test_a_changed_arm_runs_again_only_if_it_is_asked_for(change: str, tmp_path: Path) -> None:
    run_in(tmp_path)
    text = {
        "seed": f"seed: 2\n{MICE}",
        "sessions": MICE.replace("subjects: 3", "subjects: 3, sessions: 2"),
        "journals": f"keep: journals\n{MICE}",
    }.get(change, MICE.replace("session_s: 120", change))
    with pytest.raises(ConfigError, match=r"base.*--again"):
        run_in(tmp_path, text)
    _, ran = run_in(tmp_path, text, again=True)
    assert len(ran) == (6 if change == "sessions" else 3)


def test_an_arm_that_was_left_out_for_a_while_is_not_taken_for_another_one(tmp_path: Path) -> None:
    run_in(tmp_path, ONE)
    run, _ = run_in(tmp_path, ONE.replace("base:", "other:"))
    assert set(json.loads((run.folder / HEADERS).read_text())) == {"base", "other"}
    with pytest.raises(ConfigError, match=r"base.*--again"):
        run_in(tmp_path, ONE.replace("session_s: 20", "session_s: 21"))


def test_sessions_of_an_unknown_condition_are_not_kept_silently(tmp_path: Path) -> None:
    run, _ = run_in(tmp_path, ONE)
    (run.folder / CONDITIONS).unlink()
    with pytest.raises(ConfigError, match=r"base.*--again"):
        run_in(tmp_path, ONE)


@pytest.mark.parametrize("text", [b"", b"[1]", b"5", b"\xff", b"[" * 100_000])
def test_damaged_headers_are_told_with_a_remedy(text: bytes, tmp_path: Path) -> None:
    study = study_in(tmp_path, ONE)
    folder = results_folder(study, tmp_path)
    folder.mkdir(parents=True)
    (folder / HEADERS).write_bytes(text)
    with pytest.raises(RecordError, match=rf"{HEADERS}: damaged .*: remove this file"):
        StudyRun(study, tmp_path)


@pytest.mark.parametrize("text", [b"", b"[1]", b"5", b"\xff", b"[" * 100_000])
def test_damaged_conditions_are_told_with_a_remedy(text: bytes, tmp_path: Path) -> None:
    study = study_in(tmp_path, ONE)
    folder = results_folder(study, tmp_path)
    folder.mkdir(parents=True)
    (folder / CONDITIONS).write_bytes(text)
    with pytest.raises(RecordError, match=rf"{CONDITIONS}: cannot be read .*--again"):
        StudyRun(study, tmp_path)


def test_results_lie_below_the_folder_of_all_records(tmp_path: Path) -> None:
    run, _ = run_in(tmp_path)
    assert run.folder == tmp_path / STUDIES / "mice"

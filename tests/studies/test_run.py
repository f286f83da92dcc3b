"""A study from its file to its results."""

import datetime
import json
import math
import shlex
import zlib
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

from rig.campaigns.session_job import run_job
from rig.campaigns.store import HEADERS
from rig.cli.main import main
from rig.core.errors import ConfigError, RecordError
from rig.jobs.engine import InProcessEngine
from rig.records.journal.read import JOURNAL
from rig.studies.conditions import CONDITIONS
from rig.studies.estimate import Estimate
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
  all_choices: {}
figures:
  - {name: choices, of: choices, take: groups/80-20/rates/p_high/value, expected: 0.5, tolerance: 0.5, source: Table 1}
  - {name: never, of: choices, take: groups/80-20/rates/p_high/value, at_most: -1, source: Table 2}
  - name: the authors' guess
    of: choices
    take: groups/80-20/rates/p_high/value
    at_most: -1
    source: T
    explanation: {text: Mice guess., at_least: -0.5, at_most: 1.5}
  - name: more than one trial
    of: choices
    take: groups/80-20/rates/p_high/value
    at_least: 2
    source: T
    explanation:
      text: It is a share.
      at_least: -0.5
      at_most: 1.5
      without: all_choices
      take: groups/80-20/trials_per_session/mean
  - {name: side, of: choices, take: groups/80-20/rates/p_high/value, at_least: 0.01, compares: direction, source: T}
  - {name: nowhere, of: choices, take: groups/80-20/rates/p_hihg/value, at_most: 1, source: Table 3}
not_reached:
  - {name: weight, published: 25 g, source: Methods, reason: a virtual mouse has none}
pictures:
  - {of: choices, picture: 80-20_position, paper: Figure 1, shows: Mice come back.}
  - {of: choices, picture: nothing, paper: Figure 2, shows: Nothing.}
"""

QUICK = MICE.replace("session_s: 120", "session_s: 20")
"""The same study, for tests that look at no number."""

ONE = """
title: One mouse
arms:
  base: {protocol: two_armed_bandit, model: rflr, stop: {session_s: 20}}
"""


def study_in(folder: Path, text: str) -> Study:
    path = folder / "mice.yaml"
    path.write_text(text, encoding="utf-8")
    return Study(path)


def run_in(folder: Path, text: str = QUICK, *, again: bool = False) -> tuple[StudyRun, list[str]]:
    """Run the sessions of a study; return it, and the subjects that ran."""
    run = StudyRun(study_in(folder, text), folder, again=again)
    ran: list[str] = []
    run.sessions(run.compared, InProcessEngine(), StudyProgress(on_session=lambda product: ran.append(product.subject)))
    return run, ran


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    run, _ = run_in(tmp_path_factory.mktemp("study"), MICE)
    return run.result(InProcessEngine(), StudyProgress(), "rig study run mice")


def test_each_number_is_compared_with_its_bounds(result: StudyResult) -> None:
    assert [each.verdict for each in result.figures] == [
        "within",
        "off",
        "not_explained",
        "explained",
        "direction",
        "unknown",
    ]
    assert [each.figure.name for each in result.missed] == ["never", "nowhere"]


def test_a_number_has_a_monte_carlo_error(result: StudyResult) -> None:
    found = result.figures[0].obtained
    assert 0 < found.value < 1
    assert math.isfinite(found.error)
    assert found.error > 0


def test_named_subjects_have_a_monte_carlo_error_and_a_spread_and_the_page_prints_both(tmp_path: Path) -> None:
    figure = "{name: n, of: all, take: groups/80-20/rewards_per_session/mean, at_least: 0, source: s}"
    arm = "subjects: [m1, m2, m3], sessions: 2"
    run, _ = run_in(tmp_path, f"{ONE.replace('20}}', f'20}}, {arm}}}')}analyses: {{all: {{}}}}\nfigures: [{figure}]\n")
    result = run.result(InProcessEngine(), StudyProgress(), "")
    [row] = result.figures
    # Leaving out every second session, and leaving out each subject.
    assert math.isfinite(row.obtained.error)
    assert math.isfinite(row.obtained.spread)
    page = study_page(result, datetime.date(2026, 1, 5))
    assert row.obtained.text in page
    assert f"{row.obtained.spread_text} between subjects" in page


def test_the_page_has_the_number_without_the_cause_and_marks_unsafe_verdicts(result: StudyResult) -> None:
    page = study_page(result, datetime.date(2026, 1, 5))
    explained = result.figures[3]
    assert explained.without is not None
    assert f"without the cause: {explained.without.text}" in page
    assert "It is a share. Expected for this cause: -0.5 to 1.5." in page
    assert page.count(">unsafe<") == sum(figure.is_unsafe for figure in result.figures)


def test_the_summary_counts_each_verdict_and_what_is_unsafe(result: StudyResult) -> None:
    row = replace(result.figures[0], obtained=Estimate(0.5, 0.01))
    unsafe = replace(result.figures[0], obtained=Estimate(0.5, 0.4))
    assert replace(result, figures=(row,)).summary == "1 number: 1 within tolerance."
    counted = "2 within tolerance, 1 in the published direction, 1 outside and explained, 1 outside and not explained."
    assert replace(result, figures=(row, *result.figures[2:5], unsafe)).summary.startswith(f"5 numbers: {counted}")
    assert replace(result, figures=(row, unsafe)).summary.endswith("1 UNSAFE verdict, which may change with the seed.")
    fitted = replace(row, figure=row.figure.model_copy(update={"fitted": True}))
    assert replace(result, figures=(row, fitted)).summary.endswith(
        "Parameters of virtual subjects were fitted to 1 of them."
    )
    page = study_page(replace(result, figures=(row, fitted)), datetime.date(2026, 1, 5))
    assert page.count(">fitted<") == 1


@pytest.mark.parametrize(
    ("values", "word"), [((0.5,), "met"), ((0.5, 1.15), "undecided"), ((0.5, 1.15, 1.25), "missed")]
)
def test_the_page_says_in_one_word_whether_the_study_is_met(
    values: tuple[float, ...], word: str, result: StudyResult
) -> None:
    rows = tuple(replace(result.figures[0], obtained=Estimate(value, 0.1)) for value in values)
    page = study_page(replace(result, figures=rows), datetime.date(2026, 1, 5))
    assert [each for each in ("met", "undecided", "missed") if f">{each}</strong> {len(rows)} number" in page] == [word]


def test_a_place_that_is_not_there_says_what_is_there(result: StudyResult) -> None:
    assert "p_high" in result.figures[5].obtained.problem


def test_the_arms_are_counted(result: StudyResult) -> None:
    [arm] = result.arms
    assert (arm.name, arm.subjects, arm.sessions) == ("base", 3, 3)
    assert arm.trials > 0


def test_the_page_escapes_what_the_file_says(result: StudyResult) -> None:
    page = study_page(result, datetime.date(2026, 1, 5))
    assert "Mice of &lt;one&gt; arm" in page
    assert "<one>" not in page
    assert page.count("<svg") == 1


def test_the_page_says_what_was_analyzed_where_each_number_is_from_and_when_it_was_made(result: StudyResult) -> None:
    page = study_page(result, datetime.date(2026, 1, 5))
    for said in ("2026-01-05", "skip_first=2", "two_armed_bandit", "<small>choices: groups/80-20/rates/p_high/value<"):
        assert said in page
    assert 'href="http' not in page


def test_the_command_of_an_arm_gives_its_first_session_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = "rig: sim_nose_ports, params: {p_high: 0.9}, model_params: {beta: 1.6}"
    run, _ = run_in(tmp_path, ONE.replace("20}}", f"20}}, {arm}}}"))
    [found] = run.result(InProcessEngine(), StudyProgress(), "").arms
    assert found.alone.startswith("rig sim two_armed_bandit --rig sim_nose_ports --model rflr ")
    product = run_job(replace(run.arms["base"].order("base-s1-001", ()), keeps=(JOURNAL,)))
    assert product.record is not None
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(found.alone)[1:]) == 0
    [journal] = tmp_path.glob("alone/sim/base-s1-001/*/*/journal.jsonl")
    assert journal.read_bytes() == zlib.decompress(product.record.files[JOURNAL])


def test_what_ran_does_not_run_again(tmp_path: Path) -> None:
    _, first = run_in(tmp_path)
    _, second = run_in(tmp_path)
    assert (len(first), len(second)) == (3, 0)


def test_other_figures_need_no_new_sessions(tmp_path: Path) -> None:
    run_in(tmp_path)
    _, ran = run_in(tmp_path, QUICK.replace("expected: 0.5", "expected: 0.6"))
    assert ran == []


@pytest.mark.parametrize("change", ["session_s: 30", "seed", "sessions", "journals"])
def test_a_changed_arm_runs_again_only_if_it_is_asked_for(change: str, tmp_path: Path) -> None:
    run_in(tmp_path)
    text = {
        "seed": f"seed: 2\n{QUICK}",
        "sessions": QUICK.replace("subjects: 3", "subjects: 3, sessions: 2"),
        "journals": f"keep: journals\n{QUICK}",
    }.get(change, QUICK.replace("session_s: 20", change))
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


DAMAGED = (b"", b"[1]", b"5", b"\xff", b"[" * 100_000)
FORGED = (
    *DAMAGED,
    b"1" * 10_000,
    b" " * 10_000_001,
    b'{"study": "a", "arms": {"base": NaN}}',
    b'{"study": "a", "arms": []}',
    b'{"study": 5, "arms": {}}',
)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        *((HEADERS, text, "damaged .*: remove this file") for text in DAMAGED),
        *((CONDITIONS, text, "cannot be read .*--again") for text in FORGED),
    ],
)
def test_a_damaged_file_of_a_study_is_told_with_a_remedy(name: str, text: bytes, said: str, tmp_path: Path) -> None:
    study = study_in(tmp_path, ONE)
    folder = results_folder(study, tmp_path)
    folder.mkdir(parents=True)
    (folder / name).write_bytes(text)
    with pytest.raises(RecordError, match=f"{name}: {said}"):
        StudyRun(study, tmp_path)


def test_the_results_of_another_file_of_the_same_name_are_not_touched(tmp_path: Path) -> None:
    run_in(tmp_path, ONE)
    other = tmp_path / "other" / "mice.yaml"
    other.parent.mkdir()
    other.write_text(ONE.replace("base:", "other:"))
    with pytest.raises(ConfigError, match=r"results of .*mice\.yaml, another study of this name: rename"):
        StudyRun(Study(other), tmp_path, again=True)


def test_a_study_may_be_moved_or_copied(tmp_path: Path) -> None:
    run_in(tmp_path, ONE)
    place = tmp_path / "other"
    place.mkdir()
    (place / "mice.yaml").write_text(ONE)
    StudyRun(Study(place / "mice.yaml"), tmp_path)
    (place / "mice.yaml").rename(tmp_path / "mice.yaml")
    assert run_in(tmp_path, ONE)[1] == []
    (tmp_path / "mice.yaml").rename(place / "mice.yaml")
    (place / "mice.yaml").write_text(ONE + "seed: 1\n")
    StudyRun(Study(place / "mice.yaml"), tmp_path)


def arms_in(run: StudyRun) -> dict[str, set[str]]:
    table = pandas.read_parquet(run.folder / "tables" / "sessions")
    return {str(arm): set(rows.subject) for arm, rows in table.groupby("arm", observed=True)}


def test_what_a_study_no_longer_has_is_told_and_removed_only_if_it_is_asked_for(tmp_path: Path) -> None:
    more = ONE.replace("20}}", "20}, subjects: 3}") + "  gone: {like: base}\n"
    less = more.replace("subjects: 3", "subjects: 2").partition("  gone")[0]
    run, _ = run_in(tmp_path, more)
    assert run.left_over == ()
    run, _ = run_in(tmp_path, less)
    assert [said.removeprefix(f"{run.folder}: also has ") for said in run.left_over] == [
        "1 subject of arm base, which the file no longer has: --again removes them",
        "arm gone (3 subjects), which the file no longer has: --again removes them",
    ]
    assert run.result(InProcessEngine(), StudyProgress(), "").notes[:2] == run.left_over
    assert arms_in(run).keys() == {"base", "gone"}
    run, ran = run_in(tmp_path, less, again=True)
    assert json.loads((run.folder / HEADERS).read_text(encoding="utf-8")).keys() == {"base"}
    assert (run.left_over, ran, arms_in(run)) == ((), [], {"base": {"base-s1-001", "base-s1-002"}})
    assert len(run_in(tmp_path, more)[1]) == 4


def test_results_lie_below_the_folder_of_all_records(tmp_path: Path) -> None:
    run, _ = run_in(tmp_path)
    assert run.folder == tmp_path / STUDIES / "mice"

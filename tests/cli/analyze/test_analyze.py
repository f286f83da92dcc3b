"""`rig analyze`."""

import json
from pathlib import Path

import pytest

from protocols.two_armed_bandit.subjects.ngram import read_table
from rig.cli.analyze import answer as analyze_print
from tests.cli.conftest import BANDIT, Rig
from tests.cli.processes import without
from tests.protocols.two_armed_bandit.made import csv_of

HISTORY = "LLLlLLrRRlLLLLlrrRRRLLlL" * 3


@pytest.fixture
def mouse(tmp_path: Path) -> Path:
    return csv_of(tmp_path / "baby_80-20.csv", HISTORY)


def test_a_file_in_the_public_format_is_analyzed(rig: Rig, mouse: Path) -> None:
    answer = rig("analyze", mouse)
    assert (answer.status, answer.err) == (0, "")
    for words in ("selection all: every completed trial", "p_switch_after_none", "in sample", "baby_80-20", "AAA"):
        assert words in answer.out


def test_a_session_folder_and_its_journal_are_analyzed_with_the_subject_of_the_header(rig: Rig, session: Path) -> None:
    by_folder, by_journal = (
        json.loads(rig("analyze", path, "--json").out) for path in (session, session / "journal.jsonl")
    )
    assert by_folder == by_journal
    (found,) = by_folder["sessions"]
    assert (found["name"], found["subject"], found["condition"]) == ("M1/2026-11-21/001", "M1", "80-20")
    summary = json.loads((session / "summary.json").read_text())
    assert found["counts"]["trials"] == summary["completed"]
    assert found["rates"]["p_switch"] == pytest.approx(summary["shares"]["p_switch"], abs=1e-4)
    assert found["timing"]["trial_duration_s"]["measured"] == "center to center"


def test_sessions_of_several_conditions_are_reported_apart_and_pooled(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    other = csv_of(tmp_path / "sky_70-30.csv", HISTORY[::-1], [0.7] * len(HISTORY))
    found = json.loads(rig("analyze", mouse, other, "--json").out)
    assert list(found["groups"]) == ["70-30", "80-20", "pooled"]
    assert [each["subject"] for each in found["sessions"]] == ["baby", "sky"]


def test_the_document_has_keys_to_rely_on(rig: Rig, mouse: Path) -> None:
    found = json.loads(rig("analyze", mouse, "--json").out, parse_constant=pytest.fail)
    top = ["format", "kind", "analysis", "selection", "bootstrap", "groups", "sessions", "comparison"]
    top += ["notes", "figures"]
    assert list(found) == top
    group = found["groups"]["80-20"]
    assert {"counts", "rates", "timing", "tau", "around_flip", "block_trial", "words", "fits"} <= set(group)
    assert set(group["rates"]["p_high"]) == {"value", "se", "low", "high", "by_session", "by_subject"}
    assert group["tau"]["overall"] is None
    assert group["fits"]["comparison"]["in_sample"]
    assert {model["name"] for model in group["fits"]["comparison"]["models"]} >= {"rflr", "fq", "ngram", "random"}


def test_the_same_question_has_the_same_answer(rig: Rig, mouse: Path) -> None:
    assert rig("analyze", mouse, "--json").out == rig("analyze", mouse, "--json").out


def test_the_first_trials_can_be_dropped_and_the_answer_says_so(rig: Rig, mouse: Path) -> None:
    assert "selection trim10: the first 10 completed trials" in rig("analyze", mouse, "--skip-first", 10).out
    found = json.loads(rig("analyze", mouse, "--skip-first", 10, "--json").out)
    assert found["selection"] == {"name": "trim10", "skip_first": 10}
    assert found["sessions"][0]["counts"]["trials"] == len(HISTORY) - 10


def test_the_table_of_words_is_one_that_the_virtual_mouse_reads(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    assert rig("analyze", mouse, "--ngram", tmp_path / "words.json").status == 0
    table = read_table(tmp_path / "words.json")
    assert table.length == 3
    assert sum(word.n for word in table.words.values()) == len(HISTORY) - 3


def test_figures_are_drawn_where_asked_and_named_in_the_answer(
    rig: Rig, mouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.two_armed_bandit.analysis.landscape.SESSIONS", 2)
    answer = rig("analyze", mouse, "--figures", tmp_path / "new" / "folder")
    assert answer.status == 0
    drawn = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert "80-20_position.png" in drawn
    assert all(name in answer.out for name in drawn)


@pytest.mark.slow
def test_the_models_are_studied_when_asked(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.two_armed_bandit.analysis.landscape.SESSIONS", 2)
    monkeypatch.setattr("protocols.two_armed_bandit.analysis.generative.SESSIONS", 5)
    files = [csv_of(tmp_path / f"m{each}_80-20.csv", HISTORY[each:] + HISTORY[:each]) for each in range(3)]
    answer = rig("analyze", *files, "--models", "--splits", 2, "--json", "--figures", tmp_path / "figures")
    found = json.loads(answer.out, parse_constant=pytest.fail)
    study = found["groups"]["80-20"]["study"]
    assert set(study) == {"lengths", "splits", "surface", "played", "landscape"}
    assert {each["splits"] for each in study["splits"]} == {2}
    assert study["played"][0]["name"] == "subjects"
    drawn = {Path(path).stem for path in found["figures"]}
    assert {"80-20_example", "80-20_course", "80-20_times", "80-20_lengths", "80-20_surface", "80-20_agents"} <= drawn
    text = rig("analyze", *files, "--models", "--splits", 0).out
    for words in (
        "by lags of choices",
        "fitted policies in simulated sessions",
        "share of the plane within 0.01 of the best",
    ):
        assert words in text


def test_trials_are_written_in_the_formats_of_the_authors(rig: Rig, mouse: Path, session: Path, tmp_path: Path) -> None:
    answer = rig("analyze", mouse, "--public", tmp_path / "all.csv", "--decisions", tmp_path / "files")
    assert answer.status == 0
    assert (tmp_path / "all.csv").read_text().startswith("Trial,blockTrial,Decision,Switch,Reward,Condition,Target,")
    again = json.loads(rig("analyze", tmp_path / "files" / mouse.name, "--json").out)
    before = json.loads(rig("analyze", mouse, "--json").out)
    assert again["sessions"][0]["counts"] == before["sessions"][0]["counts"]
    assert rig("analyze", session, "--decisions", tmp_path / "own").status == 0
    assert rig("analyze", tmp_path / "own" / "M1_2026-11-21_001.csv").status == 0


def test_without_the_extra_all_but_fits_and_figures_is_said_and_what_to_install(mouse: Path) -> None:
    answer = without("scipy", "matplotlib", words=("analyze", mouse))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "fits and figures are left out" in answer.stdout
    assert "pip install 'behavior-rig[analysis]'" in answer.stdout
    assert "p_switch" in answer.stdout
    assert "rflr" not in answer.stdout


def test_without_the_drawing_half_of_the_extra_there_are_fits(mouse: Path) -> None:
    answer = without("matplotlib", words=("analyze", mouse, "--json"))
    found = json.loads(answer.stdout)
    assert found["groups"]["80-20"]["fits"] is not None
    assert found["notes"] == ["figures are left out, for want of matplotlib: pip install 'behavior-rig[analysis]'"]


def test_sessions_of_one_name_in_two_places_are_distinguished(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    other = csv_of(tmp_path / "more" / mouse.name, HISTORY[::-1])
    found = json.loads(rig("analyze", mouse, other, "--json").out)
    assert [each["name"] for each in found["sessions"]] == [str(mouse), str(other)]


@pytest.mark.parametrize("history", ["L", "Lr", "LLLLLLLLLL", "LRLRLRLR", "llllrlll", "LLLLRRRR"])
def test_odd_sessions_have_an_answer(rig: Rig, tmp_path: Path, history: str) -> None:
    answer = rig("analyze", csv_of(tmp_path / "m_80-20.csv", history))
    assert (answer.status, answer.err) == (0, "")


def test_figures_without_what_draws_them_are_refused_before_any_work(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyze_print, "find_spec", lambda name: None if name == "matplotlib" else object())
    answer = rig("analyze", tmp_path / "nothing_there", "--figures", tmp_path / "figures")
    assert answer.status == 2
    assert "needs matplotlib: pip install 'behavior-rig[analysis]'" in answer.err
    assert "nothing_there" not in answer.err
    assert not (tmp_path / "figures").exists()


def test_conditions_that_the_analysis_separates_may_differ(rig: Rig, data: Path) -> None:
    for seed, p_high in ((1, 0.8), (2, 0.9)):
        start = ("--start", f"2026-11-2{seed}T09:00", "--seed", seed)
        assert rig("sim", *BANDIT, *start, "--subject", "M1", "--set", f"params.p_high={p_high}").status == 0
    answer = rig("analyze", data / "sim" / "M1", "--json")
    assert answer.status == 0, answer.err
    assert list(json.loads(answer.out)["groups"]) == ["80-20", "90-10", "pooled"]

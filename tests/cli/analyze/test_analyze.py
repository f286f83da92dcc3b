"""`rig analyze`."""

import json
from pathlib import Path
from typing import Any

import pytest

from protocols.two_armed_bandit.subjects.ngram import read_table
from rig.cli.analyze import answer as analyze_print
from tests.cli.conftest import BANDIT, Rig
from tests.cli.processes import without
from tests.cli.recorded_sessions import truncate_journal
from tests.protocols.delay_discounting.analysis.made import rat, rows, write_csv
from tests.protocols.two_armed_bandit.made import csv_of

HISTORY = "LLLlLLrRRlLLLLlrrRRRLLlL" * 3


@pytest.fixture
def mouse(tmp_path: Path) -> Path:
    return csv_of(tmp_path / "baby_80-20.csv", HISTORY)


def test_the_command_explains_itself(rig: Rig) -> None:
    answer = rig("analyze", "--help")
    assert answer.status == 0
    assert "--skip-first" in answer.out


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
    top = ["format", "kind", "analysis", "selection", "bootstrap", "groups", "sessions", "notes", "figures"]
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


def test_what_is_whole_of_a_crashed_session_is_analyzed_and_said(rig: Rig, session: Path) -> None:
    truncate_journal(session)
    answer = rig("analyze", session)
    assert answer.status == 0
    assert "has no footer (program did not end it)" in answer.out
    assert rig("recover", session).status == 0
    assert "ended by a crash" in rig("analyze", session).out


def test_damaged_lines_are_left_out_and_named(rig: Rig, session: Path) -> None:
    path = session / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"t":', b'"t":1', 1)
    path.write_bytes(b"".join(lines))
    answer = rig("analyze", session)
    assert answer.status == 0
    assert "the first is line 5: its checksum does not fit" in answer.out


def test_the_journal_of_a_protocol_without_an_analysis_is_shown_as_a_session(rig: Rig, data: Path) -> None:
    words = ("free_water", "--subject", "M2", "--model", "random", "--set", "stop.session_s=5")
    assert rig("sim", *words, "--start", "2026-11-21T09:00").status == 0
    folder = data / "sim" / "M2" / "2026-11-21" / "001"
    found = json.loads(rig("analyze", folder, "--json").out)
    assert found["analysis"] == "sessions"
    assert [each["protocol"] for each in found["sessions"]] == ["free_water"]
    answer = rig("analyze", folder, "--analysis", "two_armed_bandit")
    assert answer.status == 2
    assert (
        "is a journal of free_water: two_armed_bandit does not suit these columns: two_armed_bandit also needs"
        in answer.err
    )


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("empty.csv", "", "has no column names in line 1: wanted a CSV file of one session"),
        ("binary.csv", "\0\1\udcff\2", "is no table of text: wanted one in UTF-8 or UTF-16"),
        ("other.csv", "a,b\n1,2\n", "no analysis suits these columns: "),
        ("journal.jsonl", "", "does not begin with a header"),
        ("trials.csv", "trial\n", "no analysis suits these columns: "),
    ],
)
def test_a_file_that_is_something_else_is_refused(rig: Rig, tmp_path: Path, name: str, text: str, why: str) -> None:
    (tmp_path / name).write_text(text, errors="surrogateescape")
    answer = rig("analyze", tmp_path / name)
    assert answer.status == 2
    assert answer.err.startswith(str(tmp_path / name))
    assert why in answer.err


def test_files_of_two_kinds_are_not_sent_to_an_analysis_that_reads_none(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    write_csv(tmp_path / "R1_a.csv", rows(rat(3, 3, 12), 12, 3))
    answer = rig("analyze", mouse, tmp_path / "R1_a.csv")
    assert answer.status == 2
    assert answer.err.rstrip().endswith("wanted one kind")
    answer = rig("analyze", mouse, "--analysis", "sessions")
    assert "sessions cannot read CSV files: wanted a session's folder" in answer.err


def test_every_wrong_session_is_named_at_once(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    answer = rig("analyze", tmp_path / "none.csv", mouse, tmp_path / "other.csv")
    assert answer.status == 2
    missing, other = answer.err.splitlines()
    assert (
        missing == f"{tmp_path / 'none.csv'}: does not exist: wanted a session's folder, or a CSV file of one session"
    )
    assert other.startswith(f"{tmp_path / 'other.csv'}:1: no analysis suits these columns")


def test_the_table_of_a_session_is_refused_for_its_folder(rig: Rig, session: Path) -> None:
    answer = rig("analyze", session / "trials.csv")
    assert answer.status == 2
    assert f"wanted its folder, {session}" in answer.err


def test_the_same_session_twice_is_refused_under_whatever_name(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy_80-20.csv"
    copy.write_bytes(mouse.read_bytes())
    assert f"{mouse}: is given twice" in rig("analyze", mouse, mouse).err
    answer = rig("analyze", mouse, copy)
    assert answer.status == 2
    assert f"{copy}: has the same trials as {mouse}" in answer.err


def test_of_simulations_with_the_same_seed_only_the_first_counts(rig: Rig, session: Path, data: Path) -> None:
    assert rig("sim", *BANDIT, "--subject", "M2").status == 0
    again = data / "sim" / "M2" / "2026-11-21" / "001"
    found = json.loads(rig("analyze", session, again, "--json").out)
    assert [each["subject"] for each in found["sessions"]] == ["M1"]
    assert f"{again}: left out: a simulation with the same trials as {session}" in found["notes"]
    assert f"{session}: is given twice" in rig("analyze", session, session).err


def test_sessions_of_one_name_in_two_places_are_distinguished(rig: Rig, mouse: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    other = csv_of(tmp_path / "more" / mouse.name, HISTORY[::-1])
    found = json.loads(rig("analyze", mouse, other, "--json").out)
    assert [each["name"] for each in found["sessions"]] == [str(mouse), str(other)]


def test_a_session_of_which_nothing_is_left_falls_out_unless_it_is_the_only_one(
    rig: Rig, mouse: Path, tmp_path: Path
) -> None:
    short = csv_of(tmp_path / "short_80-20.csv", "Lr")
    both = rig("analyze", mouse, short, "--skip-first", 5)
    assert both.status == 0
    assert "short_80-20: has no completed trial after its first 5; excluded" in both.out
    alone = rig("analyze", short, "--skip-first", 5)
    assert alone.status == 2
    assert "has no completed trial after its first 5" in alone.err


def test_a_session_without_completed_trials_is_refused(rig: Rig, data: Path) -> None:
    assert rig("sim", *BANDIT[:-1], "stop.session_s=0.5", "--subject", "M3").status == 0
    answer = rig("analyze", data / "sim" / "M3" / "2026-11-21" / "001")
    assert answer.status == 2
    assert "has no completed trial: wanted at least one" in answer.err


@pytest.mark.parametrize("history", ["L", "Lr", "LLLLLLLLLL", "LRLRLRLR", "llllrlll", "LLLLRRRR"])
def test_odd_sessions_have_an_answer(rig: Rig, tmp_path: Path, history: str) -> None:
    answer = rig("analyze", csv_of(tmp_path / "m_80-20.csv", history))
    assert (answer.status, answer.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--skip-first", "-1"), "--skip-first -1: wanted a whole number, 0 or more"),
        (("--split-seed", "-1"), "--split-seed -1: wanted a whole number, 0 or more"),
        (("--ngram", "{file}/no/where.json"), "cannot be written"),
        (("--figures", "{file}"), "cannot be written"),
    ],
)
def test_wrong_options_are_named(rig: Rig, mouse: Path, words: tuple[str, ...], why: str) -> None:
    answer: Any = rig("analyze", mouse, *(word.format(file=mouse) for word in words))
    assert answer.status == 2
    assert why in answer.err


def test_figures_without_what_draws_them_are_refused_before_any_work(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyze_print, "find_spec", lambda name: None if name == "matplotlib" else object())
    answer = rig("analyze", tmp_path / "nothing_there", "--figures", tmp_path / "figures")
    assert answer.status == 2
    assert "needs matplotlib: pip install 'behavior-rig[analysis]'" in answer.err
    assert "nothing_there" not in answer.err
    assert not (tmp_path / "figures").exists()


@pytest.fixture
def days(rig: Rig, data: Path) -> Path:
    """Two days of a virtual mouse, the second one with another volume; return the subject's folder."""
    for seed, words in ((1, ()), (2, ("--set", "params.reward_ul=4"))):
        start = ("--start", f"2026-11-2{seed}T09:00", "--seed", seed)
        assert rig("sim", *BANDIT, *start, "--subject", "M1", *words).status == 0
    return data / "sim" / "M1"


def test_sessions_of_other_parameters_are_pooled_only_if_a_person_asks_for_it(rig: Rig, days: Path) -> None:
    refused = rig("analyze", days)
    assert refused.status == 2
    assert refused.err.splitlines() == [
        "the sessions differ in code or parameters: analyze each group alone, or all of them with --pool-different",
        "1 session of two_armed_bandit (M1/2026-11-21/001)",
        "1 session of two_armed_bandit (M1/2026-11-22/001): reward_ul 2.5 -> 4",
    ]
    pooled = json.loads(rig("analyze", days, "--pool-different", "--json").out)
    assert len(pooled["sessions"]) == 2
    assert any(note.endswith("(M1/2026-11-22/001): reward_ul 2.5 -> 4") for note in pooled["notes"])


def test_an_analysis_that_keeps_sessions_apart_says_what_differs(rig: Rig, days: Path) -> None:
    answer = rig("analyze", days, "--analysis", "sessions", "--json")
    assert answer.status == 0, answer.err
    assert any("reward_ul 2.5 -> 4" in note for note in json.loads(answer.out)["notes"])


def test_conditions_that_the_analysis_separates_may_differ(rig: Rig, data: Path) -> None:
    for seed, p_high in ((1, 0.8), (2, 0.9)):
        start = ("--start", f"2026-11-2{seed}T09:00", "--seed", seed)
        assert rig("sim", *BANDIT, *start, "--subject", "M1", "--set", f"params.p_high={p_high}").status == 0
    answer = rig("analyze", data / "sim" / "M1", "--json")
    assert answer.status == 0, answer.err
    assert list(json.loads(answer.out)["groups"]) == ["80-20", "90-10", "pooled"]


@pytest.mark.parametrize("names", [["."], ["2026-11-21", "2026-11-22"], ["..", "2026-11-21/001"]])
def test_folders_of_days_subjects_and_all_data_stand_for_their_sessions(rig: Rig, days: Path, names: list[str]) -> None:
    answer = rig("analyze", *(days / name for name in names), "--pool-different", "--json")
    assert answer.status == 0, answer.err
    assert {each["name"] for each in json.loads(answer.out)["sessions"]} == {
        "M1/2026-11-21/001",
        "M1/2026-11-22/001",
    }


STRAYS = ("Thumbs.db", "notes.txt", "report.html", "weights.csv", "empty")


def test_stray_files_and_empty_folders_are_named_and_passed_over(rig: Rig, session: Path) -> None:
    for name in STRAYS[:-1]:
        (session.parent / name).write_bytes(b"\x00\xd0" if name.endswith("db") else b"a mouse\n")
    (session.parent / "empty").mkdir()
    alone = json.loads(rig("analyze", session, "--json").out)
    answer = rig("analyze", session, *(session.parent / name for name in STRAYS), "--json")
    assert answer.status == 0, answer.err
    assert json.loads(answer.out) == alone
    assert [line.startswith("left out: ") for line in answer.err.splitlines()] == [True] * len(STRAYS)
    assert all(any(name in line for line in answer.err.splitlines()) for name in STRAYS)


@pytest.mark.parametrize("name", STRAYS)
def test_a_stray_alone_is_refused(rig: Rig, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.mkdir() if name == "empty" else path.write_text("a mouse\n")
    assert rig("analyze", path).status == 2


def test_what_would_change_the_result_is_refused_beside_good_sessions(rig: Rig, session: Path, mouse: Path) -> None:
    lost = session.parent / "002"
    lost.mkdir()
    (lost / "trials.csv").write_text("trial\n1\n")
    answer = rig("analyze", session, lost)
    assert (answer.status, "has trials.csv and no journal.jsonl" in answer.err) == (2, True)
    table = mouse.with_name("other.csv")
    table.write_text("trial,side\n1,left\n")
    assert rig("analyze", mouse, table).status == 2
    (lost / "journal.jsonl").write_text("{\n")
    assert rig("analyze", session, lost).status == 2

"""Analyses that a laboratory writes: a class in a file, found by name or by the columns of a table."""

import json
import re
from pathlib import Path

import pytest

from rig.analysis.common import select_analysis
from rig.analysis.common.select_analysis import Found
from tests.cli.conftest import Rig
from tests.protocols.two_armed_bandit.made import csv_of

FILE = '''
from dataclasses import dataclass

from rig.analysis.common.plugin import Analysis, Option, Report, count
from rig.analysis.common.tables import Table

print("this file was executed")


@dataclass(frozen=True)
class Licks:
    name: str
    rows: tuple

    @property
    def trials(self):
        return len(self.rows)

    @property
    def fingerprint(self):
        return repr(self.rows).encode()


class Answer(Report):
    def __init__(self, sources, least):
        self.sessions = [source.session for source in sources if source.session.trials >= least]
        self.notes = [f"{len(sources) - len(self.sessions)} sessions are left out"]

    def document(self):
        return {"sessions": {session.name: session.trials for session in self.sessions}}

    def tables(self):
        yield Table.of("trials that count", ("session", "n"), [(each.name, str(each.trials)) for each in self.sessions])

    def figures(self):
        from matplotlib.figure import Figure

        yield "empty", Figure()


class Mine(Analysis[Licks]):
    """Count trials."""

    about = "licks"
    columns = ("outcome", "p_left")
    file_columns = ("decision_s",)
    options = (Option("--least", "leave sessions of fewer trials out", "N", count, 1), Option("--loud", "shout"))

    def of_record(self, record):
        return Licks(record.name, tuple(row["outcome"] for row in record.rows)), ()

    def of_file(self, path):
        return Licks(path.stem, tuple(path.read_text().splitlines()[1:]))

    def report(self, sources, *, fits):
        return Answer(sources, self.given["least"])
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "licks.py"
    path.write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return path


def test_a_file_that_is_named_analyses_sessions_of_our_own_and_files(rig: Rig, mine: Path, session: Path) -> None:
    csv = csv_of(mine.parent / "m_80-20.csv", "LLrL")
    for path, name in ((session, "M1/2026-11-21/001"), (csv, "m_80-20")):
        answer = rig("analyze", path, "--analysis", "./licks.py:Mine")
        assert answer.status == 0
        assert "trials that count" in answer.out
        assert name in answer.out
        assert "executed" not in answer.out  # what a file prints is no part of the answer


def test_its_options_are_on_the_command_line_and_in_the_help(rig: Rig, mine: Path) -> None:
    csv = csv_of(mine.parent / "m_80-20.csv", "LLrL")
    assert "options of licks" in rig("analyze", "--analysis", mine, "--help").out
    assert "1 sessions are left out" in rig("analyze", csv, "--analysis", mine, "--least", 5).out
    answer = rig("analyze", csv, "--analysis", mine, "--least", "few")
    assert (answer.status, answer.err.splitlines()[-1]) == (2, "--least few: wanted a whole number, 0 or more")


def test_it_answers_as_json_and_draws(rig: Rig, mine: Path) -> None:
    csv = csv_of(mine.parent / "m_80-20.csv", "LLrL")
    found = json.loads(rig("analyze", csv, f"--analysis={mine}", "--json", "--figures", mine.parent / "figures").out)
    assert (found["kind"], found["analysis"], found["sessions"]) == ("analysis", "licks", {"m_80-20": 4})
    assert found["figures"] == [str(mine.parent / "figures" / "empty.png")]


def test_a_file_is_never_run_unasked(rig: Rig, mine: Path, session: Path) -> None:
    assert "executed" not in rig("analyze", session).err
    assert "executed" in rig("analyze", session, "--analysis", mine).err


def test_an_installed_analysis_is_taken_by_the_columns_that_it_needs(
    rig: Rig, mine: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = select_analysis.find_analysis(str(mine)).kind
    bandit = select_analysis.find_analysis("two_armed_bandit")
    monkeypatch.setattr("rig.cli.analyze.analyze.installed_analyses", lambda on_mistake: [Found("licks", kind), bandit])
    assert json.loads(rig("analyze", session, "--json").out)["analysis"] == "two_armed_bandit"
    monkeypatch.setattr("rig.cli.analyze.analyze.installed_analyses", lambda on_mistake: [Found("licks", kind)])
    assert json.loads(rig("analyze", session, "--json").out)["analysis"] == "licks"


def test_two_analyses_that_suit_equally_are_for_the_person_to_choose_from(mine: Path) -> None:
    kind = select_analysis.find_analysis(str(mine)).kind
    with pytest.raises(select_analysis.ConfigError, match="its columns fit a and b: choose one, such as --analysis a"):
        select_analysis.select([Found("a", kind), Found("b", kind)], ("outcome", "p_left"))


def test_an_analysis_that_cannot_be_loaded_is_named_and_the_others_work(
    rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {**select_analysis.installed_plugins("rig.analyses"), "broken": None}
    load = select_analysis.load_plugin

    def break_one(group: str, name: str) -> object:
        if name == "broken":
            raise select_analysis.ConfigError("analysis 'broken' cannot be loaded: theirs.py:3: KeyError: 'x'")
        return load(group, name)

    monkeypatch.setattr(select_analysis, "installed_plugins", lambda group: points)
    monkeypatch.setattr(select_analysis, "load_plugin", break_one)
    answer = rig("analyze", session)
    assert answer.status == 0
    assert answer.err == "left out: analysis 'broken' cannot be loaded: theirs.py:3: KeyError: 'x'\n"


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("two_armed_bandid", "did you mean 'two_armed_bandit'?"),
        ("./none.py:Mine", "there is no file"),
        ("./licks.py:Other", "has no analysis Other"),
    ],
)
def test_an_analysis_that_is_not_there_is_named(rig: Rig, mine: Path, session: Path, word: str, why: str) -> None:
    answer = rig("analyze", session, "--analysis", word)
    assert answer.status == 2
    assert why in answer.err


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('    about = "licks"\n', "", "Mine: has no about"),
        ('columns = ("outcome", "p_left")', 'columns = "outcome"', "Mine: has no columns"),
        ('    about = "licks"\n', '    about = "licks"\n    lines = ("note",)\n', "its lines are no kinds of lines"),
        ("def report(self, sources, *, fits)", "def report(self, sources)", "wanted report(self, sources, *, fits)"),
        ('row["outcome"]', 'row["outcom"]', "KeyError: 'outcom'"),
        ("    def tables(self):", "    def tabels(self):", "TypeError: Can't instantiate abstract class Answer"),
        ("str(each.trials)", "each.trials", "the cell 4 is not text"),
    ],
)
def test_a_fault_of_a_laboratorys_file_is_reported_with_its_file_and_line(
    rig: Rig, mine: Path, session: Path, right: str, wrong: str, said: str
) -> None:
    csv = csv_of(mine.parent / "m_80-20.csv", "LLrL")
    assert right in FILE
    mine.write_text(FILE.replace(right, wrong, 1))
    answer = rig("analyze", session if "outcom" in wrong else csv, "--analysis", mine)
    assert answer.status == 2
    assert re.search(rf"^{re.escape(str(mine))}:[0-9]+: .*{re.escape(said)}", answer.err, re.MULTILINE)
    assert "Traceback" not in answer.err


def test_a_number_that_json_does_not_have_is_printed_as_null(rig: Rig, mine: Path) -> None:
    csv = csv_of(mine.parent / "m_80-20.csv", "LLrL")
    mine.write_text(
        FILE.replace("session.name: session.trials for", 'session.name: [float("nan"), float("inf"), 1.5] for')
    )
    answer = rig("analyze", csv, "--analysis", mine, "--json")
    assert json.loads(answer.out)["sessions"] == {"m_80-20": [None, None, 1.5]}
    assert "NaN" not in answer.out


def test_the_installed_analyses_are_listed(rig: Rig) -> None:
    found = json.loads(rig("show", "analyses", "--json").out)["analyses"]
    assert {"two_armed_bandit", "delay_discounting", "disk_bandit"} <= {each["name"] for each in found}
    assert not any(each["mistake"] for each in found)

"""Analyses that a laboratory writes: a class in a file, found by name or by the columns of a table."""

import json
from pathlib import Path

import pytest

from rig.analysis.common import select_analysis
from rig.analysis.common.select_analysis import Found
from tests.cli.conftest import Rig
from tests.cli.transcripts import transcript
from tests.cli.transcripts.transcript import Transcript

FILE = Transcript.read(Path(transcript.__file__).parent / "analyze" / "plugins.txt").head["files"]["licks.py"]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "licks.py"
    path.write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return path


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

"""Analyses of a study as jobs, and the numbers that are taken from them."""

import math
import pickle
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rig.analysis.common.plugin import Source
from rig.analysis.common.select_analysis import find_analysis
from rig.config import user_classes
from rig.studies.analyses import AnalysisPlan
from rig.studies.analysis_jobs import AnalysisAnswer, AnalysisOrder, analyze, obtained


def test_a_place_that_is_not_there_is_told() -> None:
    answers = [AnalysisAnswer("all", "number", {"a/b": "there is no a"}, {})]
    found = obtained(answers, "a/b")
    assert math.isnan(found.value)
    assert found.problem == "there is no a"


def test_the_number_is_that_of_all_sessions_and_the_others_give_its_errors() -> None:
    answers = [
        AnalysisAnswer("all", "error", {"a": 1.0}, {}),
        AnalysisAnswer("all", "number", {"a": 2.0}, {}),
        AnalysisAnswer("all", "spread", {"a": 0.0}, {}),
        AnalysisAnswer("all", "error", {"a": 3.0}, {}),
        AnalysisAnswer("all", "spread", {"a": 4.0}, {}),
    ]
    found = obtained(answers, "a")
    assert (found.value, found.error, found.spread) == (2.0, pytest.approx(1.0), pytest.approx(2.0))


def test_a_number_that_cannot_be_computed_is_told() -> None:
    found = obtained([AnalysisAnswer("all", "number", {"a": math.nan}, {})], "a")
    assert found.problem.startswith("a: the analysis could not compute")


OWN = """
from dataclasses import dataclass
from matplotlib.figure import Figure
from rig.analysis.common.plugin import Analysis, Report

@dataclass(frozen=True)
class Session:
    trials: int

class Answer(Report):
    def __init__(self, sources):
        self.notes = ()
        self.trials = [source.session.trials for source in sources]
    def document(self):
        if not self.trials[0]:
            print("leaves")
            raise SystemExit(0)
        return {"trials": sum(self.trials), "share": self.trials[0] / self.trials[1]}
    def tables(self):
        yield from ()
    def figures(self):
        for name, title in (("own_trials", "trials"), ("no_formula", "$x^$"), ("not_wanted", "trials")):
            figure = Figure()
            figure.suptitle(title)
            yield name, figure

class Own(Analysis[Session]):
    about = "own sessions"
    columns = ("outcome",)
    def of_session(self, session):
        return Session(len(session.rows())), ()
    def report(self, sources, *, fits):
        return Answer(sources)
"""


def own_order(folder: Path, *trials: int) -> AnalysisOrder:
    path = folder / "own.py"
    path.write_text(OWN, encoding="utf-8")
    found = find_analysis(f"{path}:Own")
    session = vars(sys.modules[found.kind.__module__])["Session"]
    plan = AnalysisPlan("mine", found, f"{path}:Own", {}, {"a": ("m1",)}, frozenset(), ("early",), ("trials",))
    return AnalysisOrder(plan, [Source(Path("a/m1"), session(each)) for each in trials])


def test_an_analysis_of_a_laboratory_s_file_runs_in_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = own_order(tmp_path, 2, 3)
    packed = pickle.dumps(order)
    monkeypatch.setattr(user_classes, "_modules", {})
    monkeypatch.delitem(sys.modules, order.plan.found.kind.__module__)
    assert analyze(pickle.loads(packed)).numbers == {"trials": 5}


def test_a_mistake_in_the_code_of_an_analysis_is_told_with_its_line(tmp_path: Path) -> None:
    answer = analyze(own_order(tmp_path, 2, 0))
    assert "own.py:18: ZeroDivisionError" in str(answer.numbers["trials"])
    assert answer.notes == (f"mine: {answer.numbers['trials']}",)


def test_a_picture_that_cannot_be_drawn_is_told_from_one_that_is_not_there(tmp_path: Path) -> None:
    order = own_order(tmp_path, 2, 3)
    plan = replace(order.plan, pictures=("own_trials", "no_formula", "nothing"))
    found = analyze(replace(order, plan=plan)).pictures
    assert analyze(replace(order, plan=plan, purpose="error")).pictures == {}
    assert list(found) == ["own_trials", "no_formula"]
    assert "<svg" in found["own_trials"].part()
    assert "no formula: cannot be drawn" in found["no_formula"].part()


def test_an_analysis_that_ends_the_program_is_a_mistake_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "SystemExit" in str(analyze(own_order(tmp_path, 0, 1)).numbers["trials"])
    assert capsys.readouterr() == ("", "leaves\n")


def test_an_analysis_without_sessions_says_which_stage_was_not_reached(tmp_path: Path) -> None:
    assert analyze(own_order(tmp_path)).numbers == {"trials": "no subject came to stage early"}

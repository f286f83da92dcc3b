"""The analyses of a study as jobs: the numbers and the pictures that it takes from them."""

from __future__ import annotations

import math
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.sources import source_of
from rig.analysis.common.user_errors import located_user_errors
from rig.campaigns.store import CampaignStore
from rig.core.errors import ConfigError, RigError
from rig.jobs.engine import Chain, Engine
from rig.report.drawings import Drawing, drawn
from rig.studies.analyses import AnalysisPlan
from rig.studies.estimate import Estimate
from rig.studies.jackknife import jackknife_error, without_draws, without_subjects
from rig.studies.result_number import take
from rig.terminal.format import pluralize
from rig.terminal.output import multiline_output

Purpose: TypeAlias = Literal["number", "error", "spread"]
"""What an analysis is for: with all of its sessions the numbers, and without a part of them one of their errors."""


@dataclass(frozen=True)
class AnalysisOrder:
    """One analysis: its plan and the sessions."""

    plan: AnalysisPlan
    sources: Sequence[Source[Any]]
    purpose: Purpose = "number"

    def __str__(self) -> str:
        return f"analysis {self.plan.name}"

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: sessions of a laboratory's class are known only behind the plan, which loads it."""
        return {**vars(self), "sources": pickle.dumps(self.sources)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Load the sessions."""
        self.__dict__.update({**state, "sources": pickle.loads(state["sources"])})


@dataclass(frozen=True)
class AnalysisAnswer:
    """What an analysis gives: the number at each place, or why there is none, and its pictures."""

    run: str
    purpose: Purpose
    numbers: Mapping[str, float | str]
    pictures: Mapping[str, Drawing]
    notes: tuple[str, ...] = ()


def analyze(order: AnalysisOrder) -> AnalysisAnswer:
    """Run an analysis. Raises ``ConfigError`` for a mistake in the code of its pictures."""
    run, kind = order.plan.name, order.plan.found.kind
    try:
        if not order.sources:
            raise ConfigError(f"no subject came to stage {' or '.join(order.plan.stages)}")
        # What a laboratory's analysis prints is no part of what the command prints.
        with located_user_errors(kind), redirect_stdout(multiline_output(sys.stderr)):
            report = order.plan.analysis().report(order.sources, fits=True)
            document, notes = report.document(), tuple(report.notes)
    except RigError as error:
        reason = _reason(error)
        return AnalysisAnswer(run, order.purpose, dict.fromkeys(order.plan.takes, reason), {}, (f"{run}: {reason}",))
    numbers = {place: _taken(document, place) for place in order.plan.takes}
    with located_user_errors(kind):
        return AnalysisAnswer(run, order.purpose, numbers, _drawn(report, order), notes)


def _reason(error: RigError) -> str:
    """Return a message in one line; there may be a line for each of many sessions."""
    lines = list(dict.fromkeys(error.lines))
    more = len(lines) - 1
    return f"{lines[0]} (and {pluralize(more, 'more message')})" if more > 0 else "".join(lines)


def _taken(document: Mapping[str, Any], place: str) -> float | str:
    try:
        return take(document, place)
    except ConfigError as error:
        return str(error)


def _drawn(report: Report, order: AnalysisOrder) -> dict[str, Drawing]:
    """Return the wanted pictures, which are those of all subjects."""
    wanted = order.plan.pictures if order.purpose == "number" else ()
    if not wanted:  # loading matplotlib takes longer than many an analysis
        return {}
    drawings = drawn(lambda: (each for each in report.figures() if each[0] in wanted), f"{order.plan.name}-")
    return {each.name: each for each in drawings}


def orders_of(plan: AnalysisPlan, store: CampaignStore) -> Iterator[AnalysisOrder]:
    """Yield the analysis of all of its sessions, and those that its errors need. Raises ``RigError``."""
    sources = list(sources_of(plan, store))
    yield AnalysisOrder(plan, sources)
    if plan.takes:
        for rest in without_draws(sources, plan.named):
            yield AnalysisOrder(plan, rest, "error")
    if plan.takes and plan.named:
        for rest in without_subjects(sources):
            yield AnalysisOrder(plan, rest, "spread")


def sources_of(plan: AnalysisPlan, store: CampaignStore) -> Iterator[Source[Any]]:
    """Yield the sessions that an analysis takes, in the order of arms and subjects. Raises ``RigError``."""
    analysis = plan.analysis()
    for arm, subjects in plan.arms.items():
        for subject in subjects:
            for session in store.sessions(arm, subject):
                stage = session.header.curriculum
                if not plan.stages or (stage is not None and stage.stage in plan.stages):
                    yield source_of(session, analysis)


def run_analyses(
    plans: Iterable[AnalysisPlan],
    store: CampaignStore,
    engine: Engine,
    on_answer: Callable[[AnalysisAnswer], object] = lambda answer: None,
) -> list[AnalysisAnswer]:
    """Return the answers of analyses; ``on_answer`` is called behind each. Raises ``RigError``."""
    orders = (order for plan in plans for order in orders_of(plan, store))
    answers = []
    for answer in engine.run(analyze, map(Chain, orders)):
        answers.append(answer)
        on_answer(answer)
    return answers


def obtained(answers: Sequence[AnalysisAnswer], place: str) -> Estimate:
    """Return a number of an analysis with its errors, from its answers with all sessions and without each part."""
    numbers: dict[Purpose, list[float | str]] = {"number": [], "error": [], "spread": []}
    for answer in answers:
        numbers[answer.purpose].append(answer.numbers[place])
    [value] = numbers["number"]
    if isinstance(value, str):
        return Estimate(math.nan, math.nan, problem=value)
    if math.isnan(value):
        problem = f"{place}: the analysis could not compute this number of these sessions"
        return Estimate(value, math.nan, problem=problem)
    return Estimate(value, jackknife_error(numbers["error"]), jackknife_error(numbers["spread"]))

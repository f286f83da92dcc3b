"""The analyses of a study as jobs: the numbers and the pictures that it takes from them.

The Monte Carlo error of a number is a jackknife over groups of subjects: the analysis is made again without each of up
to ten groups (Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 11; Shao & Wu 1989, Annals of
Statistics 17). So it holds for every number that an analysis prints, means and test statistics alike.
"""

from __future__ import annotations

import math
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.sources import source_of
from rig.analysis.common.user_errors import located_user_errors
from rig.campaigns.store import CampaignStore
from rig.core.errors import ConfigError, RigError
from rig.jobs.engine import Chain, Engine
from rig.report.drawings import Drawing, drawn
from rig.studies.analyses import AnalysisPlan
from rig.studies.result_number import take
from rig.terminal.format import pluralize
from rig.terminal.output import multiline_output

GROUPS = 10
"""Most groups of subjects that are left out in turn: more cost as many more analyses, and the error changes little."""


@dataclass(frozen=True)
class AnalysisOrder:
    """One analysis: its plan and the sessions."""

    plan: AnalysisPlan
    sources: Sequence[Source[Any]]
    without: int | None = None
    """The group of subjects that is left out; None: all are there."""

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
    without: int | None
    numbers: Mapping[str, float | str]
    pictures: Mapping[str, Drawing]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Estimate:
    """A number with its Monte Carlo error; NaN where it is not known, and then why."""

    value: float
    error: float
    problem: str = ""


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
        return AnalysisAnswer(run, order.without, dict.fromkeys(order.plan.takes, reason), {}, (f"{run}: {reason}",))
    numbers = {place: _taken(document, place) for place in order.plan.takes}
    with located_user_errors(kind):
        return AnalysisAnswer(run, order.without, numbers, _drawn(report, order), notes)


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
    wanted = order.plan.pictures if order.without is None else ()
    if not wanted:  # loading matplotlib takes longer than many an analysis
        return {}
    drawings = drawn(lambda: (each for each in report.figures() if each[0] in wanted), f"{order.plan.name}-")
    return {each.name: each for each in drawings}


def orders_of(plan: AnalysisPlan, store: CampaignStore) -> Iterator[AnalysisOrder]:
    """Yield the analysis of all of its sessions, and those without each group of subjects. Raises ``RigError``."""
    sources = list(sources_of(plan, store))
    yield AnalysisOrder(plan, sources)
    if plan.takes:
        for without, rest in enumerate(groups_left_out(sources)):
            yield AnalysisOrder(plan, rest, without)


def sources_of(plan: AnalysisPlan, store: CampaignStore) -> Iterator[Source[Any]]:
    """Yield the sessions that an analysis takes, in the order of arms and subjects. Raises ``RigError``."""
    analysis = plan.analysis()
    for arm, subjects in plan.arms.items():
        for subject in subjects:
            for session in store.sessions(arm, subject):
                stage = session.header.curriculum
                if not plan.stages or (stage is not None and stage.stage in plan.stages):
                    yield source_of(session, analysis)


def groups_left_out(sources: Sequence[Source[Any]]) -> Iterator[list[Source[Any]]]:
    """Yield the sessions without each group: of subjects, or of sessions where there is one subject."""
    subjects = list(dict.fromkeys(_subject(source) for source in sources))
    keys: list[Any] = [_subject(source) for source in sources] if len(subjects) > 1 else list(range(len(sources)))
    order = list(dict.fromkeys(keys))
    groups = min(GROUPS, len(order))
    if groups < 2:
        return
    # In turn, so that every group has subjects of every arm.
    group = {key: index % groups for index, key in enumerate(order)}
    for number in range(groups):
        yield [source for source, key in zip(sources, keys, strict=True) if group[key] != number]


def _subject(source: Source[Any]) -> str:
    return source.path.name  # alone: its sessions in two arms depend on each other


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
    """Return a number of an analysis with its error, from the answers with all subjects and without each group."""
    whole = next(answer.numbers[place] for answer in answers if answer.without is None)
    if isinstance(whole, str):
        return Estimate(math.nan, math.nan, whole)
    if math.isnan(whole):
        return Estimate(whole, math.nan, f"{place}: the analysis could not compute this number of these sessions")
    return Estimate(whole, jackknife_error([answer.numbers[place] for answer in answers if answer.without is not None]))


def jackknife_error(left_out: Sequence[float | str]) -> float:
    """Return the standard error of a number from its values without each of g groups; NaN if one is not known.

    It is sqrt((g - 1) / g * sum of squares about their mean).
    """
    values = [value for value in left_out if not isinstance(value, str) and math.isfinite(value)]
    groups = len(left_out)
    if groups < 2 or len(values) < groups:
        return math.nan
    mean = sum(values) / groups
    # Not the squares themselves: an analysis may print numbers of any size, whose squares are no floats.
    return math.sqrt((groups - 1) / groups) * math.hypot(*(value - mean for value in values))

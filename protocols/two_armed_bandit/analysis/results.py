"""Results of many sessions: each session, each condition, and all conditions pooled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocols.two_armed_bandit.analysis import blocks, confusion, rates
from protocols.two_armed_bandit.analysis.history_words import WordTable, switch_table
from protocols.two_armed_bandit.analysis.rates import Rate
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.stability import Stability, stability
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.analysis.times import ByHistory, Timing, by_history, timing
from rig.analysis.common.arrays import Ints
from rig.analysis.common.subjects import POOLED, OverSubjects, PerSession, over_subjects, per_session, places

if TYPE_CHECKING:
    from protocols.two_armed_bandit.analysis.fits import Fits, Odds
    from protocols.two_armed_bandit.analysis.rflr import RflrFit
    from protocols.two_armed_bandit.analysis.study import Study


@dataclass(frozen=True)
class BanditSessionResults:
    """Results of one session."""

    name: str
    subject: str
    condition: str
    skipped: int
    counts: dict[str, int]
    rates: dict[str, float]
    timing: Timing
    tau: blocks.Tau
    rflr: RflrFit | None


@dataclass(frozen=True)
class SubjectReport:
    """Results of one subject over all of its sessions of a condition."""

    subject: str
    sessions: int
    counts: dict[str, int]
    rates: dict[str, float]
    tau: blocks.Tau


@dataclass(frozen=True)
class BanditGroup:
    """Results of all sessions of one condition, or of all conditions."""

    name: str
    sessions: int
    subjects: int
    odds: tuple[float, float] | None
    counts: dict[str, int]
    trials_per_session: PerSession
    rewards_per_session: PerSession
    rates: dict[str, Rate]
    by_subject: tuple[SubjectReport, ...]
    timing: Timing
    timing_by_history: ByHistory
    stability: Stability
    tau: blocks.Tau
    tau_by_subject: OverSubjects
    around_flip: blocks.BlockCurve
    block_trial: blocks.BlockCurve
    words: WordTable
    expected_confusion: confusion.Confusion
    fits: Fits | None
    study: Study | None


@dataclass(frozen=True)
class BanditResults:
    """Results of every session and every group of sessions."""

    settings: BanditSettings
    sessions: tuple[BanditSessionResults, ...]
    groups: dict[str, BanditGroup]


def selected(sessions: Sequence[ChoiceSession], skip_first: int) -> list[ChoiceSession]:
    """Return the sessions without their first trials; sessions without trials are dropped."""
    kept = (session.without_first(skip_first) for session in sessions)
    return [session for session in kept if session.trials]


def report(sessions: Sequence[ChoiceSession], settings: BanditSettings) -> BanditResults:
    """Return the report of sessions that have trials; pooled results only for two or more conditions."""
    groups = {
        name: _group(name, [session for session in sessions if session.condition == name], settings)
        for name in sorted({session.condition for session in sessions})
    }
    if len(groups) > 1:
        groups[POOLED] = _group(POOLED, sessions, settings)
    return BanditResults(settings, tuple(_session(session, settings) for session in sessions), groups)


def _named(counts: Ints) -> dict[str, int]:
    return {name: int(value) for name, value in zip(rates.COUNTS, counts, strict=True)}


def _session(session: ChoiceSession, settings: BanditSettings) -> BanditSessionResults:
    stack = Stack.of([session])
    counts = rates.count(stack)[0]
    return BanditSessionResults(
        name=session.name,
        subject=session.subject,
        condition=session.condition,
        skipped=session.skipped,
        counts=_named(counts),
        rates={name: float(value) for name, value in rates.rates_of(counts).items()},
        timing=timing([session]),
        tau=blocks.tau(stack),
        rflr=_rflr(stack) if settings.fits else None,
    )


def _rflr(stack: Stack) -> RflrFit | None:
    from protocols.two_armed_bandit.analysis import rflr

    return rflr.fit(stack)


def _group(name: str, sessions: Sequence[ChoiceSession], settings: BanditSettings) -> BanditGroup:
    stack = Stack.of(sessions)
    names, subjects = [session.name for session in sessions], [session.subject for session in sessions]
    counts = rates.count(stack)
    column: Mapping[str, Ints] = dict(zip(rates.COUNTS, counts.T, strict=True))
    values = blocks.observed(stack)
    drawn = rates.resamples(stack.sessions, settings.seed, settings.resamples)
    # Pooled conditions have no common odds, so what needs them is omitted there.
    odds = sessions[0].odds if len({session.odds for session in sessions}) == 1 else None
    return BanditGroup(
        name=name,
        sessions=len(sessions),
        subjects=len(set(subjects)),
        odds=odds,
        counts=_named(counts.sum(axis=0)),
        trials_per_session=per_session(column["trials"]),
        rewards_per_session=per_session(column["rewards"]),
        rates=rates.rates(counts, subjects, drawn),
        by_subject=tuple(_subject(subjects, stack.rows(place), place) for place in places(subjects)),
        timing=timing(sessions),
        timing_by_history=by_history(sessions),
        stability=stability(sessions),
        tau=blocks.tau(stack),
        tau_by_subject=_taus(stack, subjects),
        around_flip=blocks.around_flip(stack, values, drawn),
        block_trial=blocks.by_block_trial(stack, values, drawn),
        words=switch_table(stack),
        expected_confusion=confusion.of_switches(stack, stack.switched.astype(float)),
        fits=_fits(names, subjects, stack, odds, settings) if settings.fits else None,
        study=_study(names, stack, odds, settings) if settings.fits and settings.study else None,
    )


def _subject(subjects: Sequence[str], stack: Stack, place: Ints) -> SubjectReport:
    counts = rates.count(stack).sum(axis=0)
    own = {name: float(value) for name, value in rates.rates_of(counts).items()}
    return SubjectReport(subjects[place[0]], stack.sessions, _named(counts), own, blocks.tau(stack))


def _taus(stack: Stack, subjects: Sequence[str]) -> OverSubjects:
    """Return the mean over subjects of tau, fitted to all sessions of each."""
    return over_subjects([blocks.tau(stack.rows(place)).overall for place in places(subjects)])


def _fits(names: Sequence[str], subjects: Sequence[str], stack: Stack, odds: Odds, settings: BanditSettings) -> Fits:
    from protocols.two_armed_bandit.analysis.fits import fits

    return fits(names, subjects, stack, odds, settings)


def _study(names: Sequence[str], stack: Stack, odds: Odds, settings: BanditSettings) -> Study:
    from protocols.two_armed_bandit.analysis.study import study

    return study(names, stack, odds, settings)

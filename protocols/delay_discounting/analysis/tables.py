"""Tables of a report of delay discounting: one column per ratio of the rewards, then one row per session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from protocols.delay_discounting.analysis.curves import COUNTED_LAPS
from protocols.delay_discounting.analysis.delays import CONVENTIONS
from protocols.delay_discounting.analysis.phases import PHASES
from protocols.delay_discounting.analysis.results import (
    SIDES,
    MazeGroup,
    MazeResults,
    MazeSessionResults,
    Ratios,
    Spread,
)
from protocols.delay_discounting.analysis.vte import PARTS, REACHES, TYPES, Mean, Vte, VteCurve
from rig.analysis.common.tables import Rows, Table, number, spread

if TYPE_CHECKING:
    from rig.analysis.common.statistics import KolmogorovSmirnov, KruskalWallis, TwoWay

SESSION_COLUMNS = (
    *("session", "R", "laps", "skipped", "first", "in force", "dd_get", "delayed", "k", "adjusted", "lap", "choice"),
    *("pause", "z adj.", "z alt."),
)
OF_SESSIONS = (
    "sessions: delay of the first lap and of the final 20 (in force, by dd_getdelays, of delayed laps), k, share of "
    "adjustments, mean lap, median pass of the choice point, mean pause there (all in s), zIdPhi of adjustments and "
    "alternations"
)
CORRELATIONS = {
    "pause": "pause",
    "neighbors_of_adjustments": "other adjustments around, adjustment laps",
}


def tables(found: MazeResults) -> Iterator[Table]:
    """Yield the tables with one column per group, then those of the ratios and of the sessions."""
    groups = list(found.groups.values())
    header = ("", *(group.name for group in groups))
    for title, rows in (
        ("delay of the final 20 laps (s), ± SD over sessions; mean of subjects ± s.e.m.", _indifference),
        ("course of a session: shares of laps or sessions, by sliding window (by bins of five laps)", _course),
        ("zIdPhi, turning at the choice point: mean ± s.e.m. over passes", _vte),
    ):
        yield Table.of(title, header, rows(groups))
    title = "delay of the final 20 laps against the ratio of the rewards"
    yield Table.of(title, ("", ""), _ratios(found.ratios))
    yield Table.of_sessions(SESSION_COLUMNS, map(_session, found.sessions), OF_SESSIONS)


def _indifference(groups: Sequence[MazeGroup]) -> Rows:
    if not groups:
        return
    yield ("sessions (subjects)", *(f"{group.sessions} ({group.subjects})" for group in groups))
    yield ("laps (skipped)", *(f"{group.laps} ({group.skipped})" for group in groups))
    yield _row("laps per session", [group.laps_per_session for group in groups], 1)
    for name in CONVENTIONS:
        found = [group.indifference[name] for group in groups]
        yield _row(name, found, 2)
        yield ("  mean of subjects", *(spread(each.by_subject.mean, each.by_subject.sem, 2) for each in found))
    yield ("k of the mean delay in force", *(number(group.discount_rate, 3) for group in groups))
    yield _row("lap duration (s)", [group.lap_s for group in groups], 1)
    for side in SIDES:
        of_side = [group.by_side[side] for group in groups]
        yield (f"in_force_s, delayed side {side} (sessions)", *(f"{spread(x.mean, x.sd, 2)} ({x.n})" for x in of_side))
    yield ("difference between sides", *(_kruskal(group.sides) for group in groups))
    yield ("first delay against final", *(_ks(group.settling) for group in groups))
    yield ("difference between days", *(_kruskal(group.over_days) for group in groups))


def _row(name: str, found: Sequence[Spread], digits: int) -> tuple[str, ...]:
    return (name, *(spread(each.mean, each.sd, digits) for each in found))


def _course(groups: Sequence[MazeGroup]) -> Rows:
    if not groups:
        return
    passed = [group.milestones for group in groups]
    laps = "/".join(str(lap) for lap in COUNTED_LAPS)
    yield (f"sessions that reached lap {laps}", *("/".join(map(str, each.sessions.values())) for each in passed))
    yield ("adjustment, laps 1 to 5", *(number(each.adjustment_laps_1_to_5, 3) for each in passed))
    yield ("adjustment, laps 11 to 20", *(number(each.adjustment_laps_11_to_20, 3) for each in passed))
    yield ("adjustment, laps 76 to 100", *(number(each.adjustment_laps_76_to_100, 3) for each in passed))
    yield ("investigation, laps 1 to 5", *(_by_rule(each.investigation_laps_1_to_5) for each in passed))
    yield ("investigation, lap 10", *(_by_rule(each.investigation_lap_10) for each in passed))
    yield ("exploitation, laps 70 to 75", *(_by_rule(each.exploitation_laps_70_to_75) for each in passed))
    yield ("lap with most titration", *(str(each.titration_peak_lap) for each in passed))
    for place, third in enumerate(groups[0].thirds):
        yield (f"delays of 3 to 9 s, {third.name} third", *(number(group.thirds[place].settled, 3) for group in groups))


def _by_rule(share: dict[str, float]) -> str:
    return f"{number(share['sliding'], 3)} ({number(share['binned'], 3)})"


def _vte(groups: Sequence[MazeGroup]) -> Rows:
    found = [group.vte for group in groups]
    if not any(found):
        return

    def row(name: str, cell: Callable[[Vte], str]) -> Rows:
        yield (name, *("-" if each is None else cell(each) for each in found))

    yield from row("passes (laps excluded)", lambda each: f"{each.passes} ({each.left_out})")
    yield from row("IdPhi (rad)", lambda each: _mean(each.idphi))
    yield from row("pause at the choice point (s)", lambda each: _mean(each.pause_s))
    for name in ("adjustment", "alternation"):
        yield from row(name, lambda each, name=name: _mean(each.by_type[name]))  # type: ignore[misc]
    for name in PARTS:
        yield from row(name.replace("_", " "), lambda each, name=name: _mean(each.by_part[name]))  # type: ignore[misc]
    for name in PHASES:
        yield from row(name, lambda each, name=name: _mean(each.by_phase[name]))  # type: ignore[misc]
    for name in PHASES:
        for kind in TYPES:
            yield from row(f"{name}, {kind}", _of_phase_and_type(name, kind))
    for reach in REACHES:
        for kind in TYPES:
            yield from row(f"{kind}, no other adjustment within {reach} laps", _alone(reach, kind))
    if all(each is None or each.tests is None for each in found):
        return
    tests = [None if each is None else each.tests for each in found]
    for name in ("lap", "delay", "type", "phase"):
        yield (f"difference by {name}", *(_kruskal(getattr(each, name, None)) for each in tests))
    for name in ("lap", "delay", "phase"):
        cells = (_two_way(getattr(each, f"type_and_{name}", None)) for each in tests)
        yield (f"F of type, F of {name} (two-way)", *cells)
    for name, what in CORRELATIONS.items():
        correlations = (getattr(test, name, None) for test in tests)
        cells = ("-" if ranks is None else number(ranks.rho, 3) for ranks in correlations)
        yield (f"rank correlation with {what}", *cells)


def _of_phase_and_type(phase: str, kind: str) -> Callable[[Vte], str]:
    return lambda found: _mean(found.by_phase_and_type[phase][kind])


def _alone(reach: int, kind: str) -> Callable[[Vte], str]:
    """Return a function that formats the mean of laps without another adjustment lap around them."""

    def cell(found: Vte) -> str:
        (around,) = (each for each in found.neighborhoods if each.reach == reach)
        curve: VteCurve = getattr(around, kind)
        if not curve.n.size or not curve.n[0]:
            return "-"
        return f"{spread(float(curve.mean[0]), float(curve.sem[0]), 3)} ({curve.n[0]})"

    return cell


def _ratios(found: Ratios) -> Rows:
    if found.line is not None:
        line = found.line
        yield ("slope (s per pellet) ± s.e.", spread(line.slope, line.slope_se, 2))
        yield ("intercept (s)", number(line.intercept, 2))
        yield ("R²", number(line.r2, 3))
        yield ("t, p", f"t({line.n - 2}) = {line.t:.2f}, p = {line.p:.2g}")
    if found.differ is not None:
        yield ("difference between ratios", _kruskal(found.differ))


def _mean(found: Mean) -> str:
    return f"{spread(found.mean, found.sem, 3)} ({found.n})"


def _kruskal(found: KruskalWallis | None) -> str:
    return "-" if found is None else f"H({found.df}) = {found.h:.2f}, p = {found.p:.2g}, η² = {found.eta2:.3f}"


def _ks(found: KolmogorovSmirnov | None) -> str:
    return "-" if found is None else f"D = {found.d:.3f}, p = {found.p:.2g}"


def _two_way(found: TwoWay | None) -> str:
    if found is None:
        return "-"
    return ", ".join(f"{each.f:.1f} (η² {each.eta2:.3f})" for each in (found.first, found.second))


def _session(session: MazeSessionResults) -> tuple[str, ...]:
    return (
        session.name,
        session.condition,
        *(str(value) for value in (session.laps, session.skipped)),
        number(session.initial_delay_s, 0),
        *(number(getattr(session.indifference, name), 2) for name in CONVENTIONS),
        number(session.discount_rate, 3),
        number(session.adjustment, 3),
        number(session.lap_s, 1),
        *(number(value, 2) for value in (session.choice_s, session.pause_s)),
        *(number(value, 2) for value in (session.zidphi_adjustment, session.zidphi_alternation)),
    )

"""Tables of a report: one column per condition, then one row per session."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from protocols.two_armed_bandit.analysis.blocks import BlockCurve
from protocols.two_armed_bandit.analysis.history_words import WordTable
from protocols.two_armed_bandit.analysis.rates import RATES
from protocols.two_armed_bandit.analysis.results import BanditGroup, BanditResults, BanditSessionResults
from protocols.two_armed_bandit.analysis.stability import Part, Trend
from protocols.two_armed_bandit.analysis.study_tables import by_subject, study_tables
from protocols.two_armed_bandit.analysis.times import Times
from rig.analysis.common.tables import Rows, Table, number, spread

if TYPE_CHECKING:
    from protocols.two_armed_bandit.analysis.likelihood import Score
    from protocols.two_armed_bandit.analysis.paired import Paired
    from protocols.two_armed_bandit.analysis.rflr import RflrFit
    from rig.analysis.common.subjects import OverSubjects

SESSION_COLUMNS = (
    *("session", "trials", "rewards", "P(high)", "P(switch)", "after reward", "after none", "flips", "tau"),
    *("alpha", "beta", "tau of rewards", "LL"),
)

LIKELIHOODS = (
    ("ll", "trials 2 to the last (ngram: 4 to the last) ± s.e. (bootstrap over sessions)"),
    ("ll_incl_first", "all trials, the first at one half"),
    ("ll_with_history", "trials 4 to the last, for all models"),
)


def tables(found: BanditResults) -> Iterator[Table]:
    """Yield the tables with one column per group, those of subjects and studies, then that of the sessions."""
    groups = list(found.groups.values())
    yield Table.of(_selection(found), ("", *(group.name for group in groups)), _sizes_of(groups))
    for title, rows in (
        (f"rates ± s.e. (bootstrap, {found.settings.resamples} resamples of the sessions)", _rates),
        ("rates, mean of sessions ± SD", _by_session),
        ("rates, mean of subjects ± s.e.m. (least to most)", _by_subject),
        ("times (s)", _times),
        ("times (s) by the previous trial: median, mean (n)", _times_by_history),
        ("rates by quarter of the sessions, and in their first trials: P(high port), P(switch)", _parts),
        ("change per session: slope ± s.e.m. over subjects; SD between and within subjects", _trends),
        ("recovery after a swap of the ports: tau (trials)", _taus),
        ("recursive logistic regression (RFLR), all sessions, in sample", _rflr),
        ("log-likelihood per trial", _likelihoods),
        ("log-likelihood minus that of the RFLR, same sessions, ± s.e.m. (Wilcoxon signed-rank test)", _paired),
        ("expected rewards per trial of policies, given the subjects' history", _expected),
        ("expected and predicted confusion: repeat given repeat, switch given switch", _confusion),
        ("P(switch) after the last three trials, 95 % (Wilson), n", _words),
        ("P(high port), P(switch) around swaps; 0 is the first trial after the swap", _around),
        ("P(high port), P(switch) by the authors' trial number in a block", _block_trials),
    ):
        yield Table.of(title, ("", *(group.name for group in groups)), rows(groups))
    yield from by_subject(groups)
    for group in groups:
        yield from study_tables(group)
    yield Table.of_sessions(SESSION_COLUMNS, map(_session, found.sessions))


def _selection(found: BanditResults) -> str:
    skipped = found.settings.skip_first
    what = f"the first {skipped} completed trials of every session dropped" if skipped else "every completed trial"
    return f"selection {found.settings.selection}: {what}"


def _sizes_of(groups: Sequence[BanditGroup]) -> Rows:
    yield ("sessions (subjects)", *(f"{group.sessions} ({group.subjects})" for group in groups))
    for name in ("trials", "rewards", "switches", "flips"):
        yield (name, *(str(group.counts[name]) for group in groups))
    for name in ("trials_per_session", "rewards_per_session"):
        found = (getattr(group, name) for group in groups)
        yield (f"{name} ± SD", *(spread(each.mean, each.sd, 1) for each in found))


def _rates(groups: Sequence[BanditGroup]) -> Rows:
    for name in RATES:
        yield (name, *(spread(group.rates[name].value, group.rates[name].se) for group in groups))


def _by_session(groups: Sequence[BanditGroup]) -> Rows:
    for name in RATES:
        cells = (group.rates[name].by_session for group in groups)
        yield (name, *(spread(cell.mean, cell.sd) for cell in cells))


def _by_subject(groups: Sequence[BanditGroup]) -> Rows:
    for name in RATES:
        cells = (group.rates[name].by_subject for group in groups)
        yield (name, *(_ranged(cell) for cell in cells))


def _ranged(over: OverSubjects) -> str:
    return f"{spread(over.mean, over.sem)} ({number(over.least, 3)} to {number(over.most, 3)})"


def _times(groups: Sequence[BanditGroup]) -> Rows:
    def described(name: str, times: Sequence[Times]) -> Rows:
        yield (f"{name}: mean ± SD", *(spread(each.mean, each.sd) for each in times))
        yield (f"{name}: median ± mean abs. deviation", *(spread(each.median, each.mad) for each in times))

    timings = [group.timing for group in groups]
    yield from described("center to side", [timing.center_to_side_s for timing in timings])
    yield from described("initiation, last poke to center", [timing.initiation_s for timing in timings])
    yield from described("trial duration", [timing.trial_duration_s.times for timing in timings])
    yield ("trial duration: measured from", *(timing.trial_duration_s.measured for timing in timings))
    yield ("trial duration: resolution", *(f"{timing.trial_duration_s.resolution_s:g} s" for timing in timings))
    yield ("trials after 2400 s", *(str(timing.trials_after_2400_s) for timing in timings))


def _times_by_history(groups: Sequence[BanditGroup]) -> Rows:
    for field, label in (("center_to_side_s", "center to side"), ("initiation_s", "initiation")):
        found = [getattr(group.timing_by_history, field) for group in groups]
        for name in found[0]:
            times = [each[name] for each in found]
            if any(each.n for each in times):
                cells = (f"{number(each.median, 3)}, {number(each.mean, 3)} ({each.n})" for each in times)
                yield (f"{label}, {name}", *cells)


def _parts(groups: Sequence[BanditGroup]) -> Rows:
    for field in ("quarters", "early"):
        names = dict.fromkeys(part.name for group in groups for part in getattr(group.stability, field))
        for name in names:
            parts = [{part.name: part for part in getattr(group.stability, field)}.get(name) for group in groups]
            yield (name, *("-" if part is None else _part(part) for part in parts))


def _part(part: Part) -> str:
    return f"{number(part.rates['p_high'], 3)} {number(part.rates['p_switch'], 3)}"


def _trends(groups: Sequence[BanditGroup]) -> Rows:
    for name in groups[0].stability.trends:
        found = [group.stability.trends.get(name) for group in groups]
        if any(each.slope.n for each in found if each is not None):
            yield (name, *("-" if each is None else _trend(each) for each in found))


def _trend(found: Trend) -> str:
    return f"{spread(found.slope.mean, found.slope.sem)}; {number(found.between, 3)}, {number(found.within, 3)}"


def _taus(groups: Sequence[BanditGroup]) -> Rows:
    yield ("asymptote: P(high port) of all trials", *(number(group.tau.overall, 3) for group in groups))
    yield ("asymptote: last 10 trials before swaps", *(number(group.tau.before_flips, 3) for group in groups))
    yield ("asymptote: free", *(number(group.tau.free, 3) for group in groups))
    over = (group.tau_by_subject for group in groups)
    yield ("asymptote: all trials; mean of subjects ± s.e.m.", *(spread(each.mean, each.sem, 3) for each in over))


def _rflr(groups: Sequence[BanditGroup]) -> Rows:
    if all(group.fits is None for group in groups):
        return
    best = [None if group.fits is None else group.fits.rflr for group in groups]
    for name in ("alpha", "beta", "tau"):
        yield (
            f"{name} ± s.e. (curvature of the likelihood)",
            *("-" if fit is None else _flagged(fit, name) for fit in best),
        )
        over = [None if group.fits is None else group.fits.rflr_by_subject[name] for group in groups]
        yield (f"{name}, mean of subjects ± s.e.m.", *("-" if a is None else spread(a.mean, a.sem) for a in over))
    yield ("log-likelihood per trial", *("-" if fit is None else number(fit.ll, 5) for fit in best))


def _flagged(fit: RflrFit, name: str) -> str:
    value: float = getattr(fit, name)
    return f"{number(value)} (no maximum)" if fit.at_bound else spread(value, getattr(fit, f"{name}_se"))


def _likelihoods(groups: Sequence[BanditGroup]) -> Rows:
    comparisons = [group.fits.comparison for group in groups if group.fits is not None]
    if not comparisons:
        return
    yield ("sessions: train, test", *(_sizes(each.in_sample, len(each.train), len(each.test)) for each in comparisons))
    scores = [{score.name: score for score in each.models} for each in comparisons]
    names = list(dict.fromkeys(name for each in scores for name in each))
    for key, which in LIKELIHOODS:
        yield (which,)
        for name in names:
            found = [each.get(name) for each in scores]
            yield (f"  {name}", *("-" if score is None else _likelihood(score, key) for score in found))


def _likelihood(score: Score, key: str) -> str:
    value: float = getattr(score, key)
    return spread(value, score.ll_se, 5) if key == "ll" else number(value, 5)


def _paired(groups: Sequence[BanditGroup]) -> Rows:
    found = [{each.name: each for each in group.fits.comparison.paired} if group.fits else {} for group in groups]
    for name in dict.fromkeys(name for each in found for name in each):
        yield (name, *(_difference(each.get(name)) for each in found))


def _difference(found: Paired | None) -> str:
    if found is None:
        return "-"
    test = "" if math.isnan(found.p) else f", p = {found.p:.2g}"
    return f"{spread(found.mean, found.se, 5)} (better in {found.better} of {found.n}{test})"


def _expected(groups: Sequence[BanditGroup]) -> Rows:
    comparisons = [group.fits.comparison if group.fits else None for group in groups]
    if not any(comparisons):
        return
    yield ("observed", *("-" if each is None else number(each.reward_rate) for each in comparisons))
    for policy in ("thompson", "greedy"):
        ideal = ("-" if each is None else number(each.ideal_reward[policy]) for each in comparisons)
        yield (f"observer with the task's p and q, {policy}", *ideal)
    scores = [{score.name: score for score in each.models} if each else {} for each in comparisons]
    for name in dict.fromkeys(name for each in scores for name in each):
        yield (name, *("-" if name not in each else number(each[name].expected_reward) for each in scores))


def _sizes(in_sample: bool, train: int, test: int) -> str:
    return f"{train}, in sample" if in_sample else f"{train}, {test}"


def _confusion(groups: Sequence[BanditGroup]) -> Rows:
    def diagonal(matrix: Sequence[Sequence[float]]) -> str:
        return f"{number(matrix[0][0], 3)} {number(matrix[1][1], 3)}"

    expected = (group.expected_confusion.matrix.tolist() for group in groups)
    yield ("expected, all sessions", *map(diagonal, expected))
    scores = [
        {} if group.fits is None else {score.name: score for score in group.fits.comparison.models} for group in groups
    ]
    for name in dict.fromkeys(name for each in scores for name in each):
        found = [each.get(name) for each in scores]
        yield (name, *("-" if score is None else diagonal(score.switches.matrix.tolist()) for score in found))


def _words(groups: Sequence[BanditGroup]) -> Rows:
    tables = [group.words for group in groups]
    for place, word in enumerate(tables[0].word):
        if any(table.n[place] for table in tables):
            yield (word, *(_word(table, place) for table in tables))


def _word(table: WordTable, place: int) -> str:
    ends = f"{number(table.low[place], 3)} to {number(table.high[place], 3)}"
    return f"{number(table.p_switch[place])}, {ends} ({table.n[place]})" if table.n[place] else "-"


def _around(groups: Sequence[BanditGroup]) -> Rows:
    return _curves([group.around_flip for group in groups])


def _block_trials(groups: Sequence[BanditGroup]) -> Rows:
    return _curves([group.block_trial for group in groups])


def _curves(curves: Sequence[BlockCurve]) -> Rows:
    for place, position in enumerate(curves[0].position):
        if any(curve.n[place] for curve in curves):
            yield (
                str(position),
                *(f"{number(curve.p_high[place], 3)} {number(curve.p_switch[place], 3)}" for curve in curves),
            )


def _session(session: BanditSessionResults) -> tuple[str, ...]:
    names = ("p_high", "p_switch", "p_switch_after_reward", "p_switch_after_none")
    fit = session.rflr
    return (
        session.name,
        *(str(session.counts[name]) for name in ("trials", "rewards")),
        *(number(session.rates[name]) for name in names),
        str(session.tau.flips),
        number(session.tau.overall, 3),
        *(("-",) * 4 if fit is None else (number(fit.alpha), number(fit.beta), number(fit.tau), number(fit.ll, 5))),
    )

"""Tables of models of two-armed bandits: history lengths, random splits, surfaces, simulated sessions, subjects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from protocols.two_armed_bandit.analysis.landscape import NEAR
from protocols.two_armed_bandit.analysis.results import BanditGroup
from rig.analysis.common.tables import Rows, Table, number, spread

if TYPE_CHECKING:
    from protocols.two_armed_bandit.analysis.lengths import Lag
    from protocols.two_armed_bandit.analysis.study import Study
    from protocols.two_armed_bandit.analysis.surface import Place, Surface

RATES = {
    "reward_rate": "reward",
    "p_high": "P(high)",
    "p_switch": "P(switch)",
    "p_switch_after_reward": "after reward",
    "p_switch_after_none": "after none",
    "rewards_per_switch": "rewards/switch",
}


def study_tables(group: BanditGroup) -> Iterator[Table]:
    """Yield the tables of one condition's study; none without ``--models``."""
    found = group.study
    if found is None:
        return
    name = group.name
    scores = ("LL, training", "LL, test")
    title = f"{name}: tables of words of sides, by length; trials 7 to the last"
    yield Table.of(title, ("trials back", "words that occurred", *scores), _words(found))
    title = f"{name}: regressions, by lags of choices, rewarded choices, rewards"
    yield Table.of(title, ("lags", *scores), _lags(found))
    title = f"{name}: log-likelihood over random splits of the sessions ± SD over splits; trials 4 to the last"
    yield Table.of(title, ("model", "splits", "LL", "minus RFLR"), _splits(found))
    if found.surface is not None:
        title = f"{name}: hidden Markov models by p, q and temperature; all sessions, trials 2 to the last"
        yield Table.of(title, ("", "p", "q", "T", "LL"), _surface(found.surface))
    title = f"{name}: fitted policies in simulated sessions, and the subjects"
    yield Table.of(title, ("", "sessions", *RATES.values(), "s.e. of reward", "SD of p_high", "tau"), _played(found))
    if found.landscape is not None:
        yield Table.of(f"{name}: rewards per trial of RFLR agents around the fit", ("", ""), _landscape(found))


def _words(found: Study) -> Rows:
    for each in found.lengths.words:
        yield (str(each.length), str(each.words), number(each.ll_train, 5), number(each.ll_test, 5))


def _lags(found: Study) -> Rows:
    def row(lag: Lag) -> tuple[str, ...]:
        return (", ".join(map(str, lag.lags)), number(lag.ll_train, 5), number(lag.ll_test, 5))

    lengths = found.lengths
    # The three series meet in the usual lags (1, 5, 0), which get one row.
    listed: set[tuple[int, ...]] = set()
    for lag in (*lengths.choices, *lengths.rewarded_choices, *lengths.rewards):
        if lag.lags not in listed:
            listed.add(lag.lags)
            yield row(lag)


def _splits(found: Study) -> Rows:
    for each in found.splits:
        difference = spread(each.difference, each.difference_sd, 5)
        yield (each.name, str(each.splits), spread(each.mean, each.sd, 5), difference)


def _surface(found: Surface) -> Rows:
    def row(name: str, place: Place) -> tuple[str, ...]:
        return (name, number(place.p, 2), number(place.q, 3), number(place.temperature, 2), number(place.ll, 4))

    yield row("best", found.best)
    yield row("best with Thompson sampling (T = 1)", found.best_thompson)
    for place in found.at_truth:
        yield row("p and q of the task", place)


def _played(found: Study) -> Rows:
    for each in found.played:
        rates = (number(each.rates[name], 3) for name in RATES)
        yield (
            *(each.name, str(each.sessions), *rates),
            *(number(each.reward_se, 4), number(each.p_high_sd, 3), number(each.tau, 2)),
        )


def _landscape(found: Study) -> Rows:
    land = found.landscape
    if land is None:
        return
    best = np.unravel_index(int(np.argmax(land.plane)), land.plane.shape)
    yield ("at the fit", number(land.at_fit, 4))
    yield ("best of the plane", number(float(land.plane.max()), 4))
    yield ("  at alpha, beta", f"{land.alpha[best[0]]:.2f}, {land.beta[best[1]]:.2f}")
    yield ("  more than at the fit", number(land.lost, 4))
    yield (f"share of the plane within {NEAR:g} of the best", number(land.plateau, 2))
    yield ("best over tau, at the fit's alpha and beta", number(float(land.line.max()), 4))
    yield ("  at tau", number(float(land.tau[int(np.argmax(land.line))]), 2))
    yield ("s.e. of one point", number(land.se, 4))


def by_subject(groups: Sequence[BanditGroup]) -> Iterator[Table]:
    """Yield one table per condition, with one row per subject."""
    header = (
        *("subject", "sessions", "trials", "P(high)", "P(switch)", "after reward", "after none", "left", "tau"),
        *("alpha ± s.e.", "beta ± s.e.", "tau of rewards ± s.e.", "LL"),
    )
    for group in groups:
        yield Table.of(f"{group.name}: subjects, all sessions together", header, _subjects(group))


def _subjects(group: BanditGroup) -> Rows:
    names = ("p_high", "p_switch", "p_switch_after_reward", "p_switch_after_none", "left_fraction")
    for each in group.by_subject:
        fit = group.fits.rflr_of_subject[each.subject] if group.fits else None
        model: tuple[str, ...] = ("-",) * 4
        if fit is not None:
            pairs = ((fit.alpha, fit.alpha_se), (fit.beta, fit.beta_se), (fit.tau, fit.tau_se))
            model = (*(spread(value, se, 3) for value, se in pairs), number(fit.ll, 5))
        yield (
            *(each.subject, str(each.sessions), str(each.counts["trials"])),
            *(number(each.rates[name], 3) for name in names),
            number(each.tau.overall, 2),
            *model,
        )

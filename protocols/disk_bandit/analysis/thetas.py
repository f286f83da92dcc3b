"""Luce's theta: P(i) is proportional to exp(theta ln(1/VI_i)), with the odds of a peck for 1/VI. Needs scipy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.locations import Locations, locations
from protocols.disk_bandit.analysis.luce import Goodness, LuceFit, Refusal, fit, goodness
from protocols.disk_bandit.analysis.places import Places, places
from protocols.disk_bandit.analysis.share_models import ShareModels, share_models
from rig.analysis.common.arrays import Floats, Ints, ratio
from rig.analysis.common.subjects import OverSubjects, over_subjects

Predictor: TypeAlias = Callable[[Cells], Floats]

NO_PREVIOUS = "is omitted: no session has a known VI of every disk in the previous session"
ALL = 0
"""Block number of a fit to all blocks together."""


@dataclass(frozen=True)
class Coefficient:
    """Coefficient by block, NaN where it could not be fitted.

    ``n`` is the number of pecks. ``se`` assumes independent pecks, ``robust_se`` independent sessions. ``by_subject``
    is the mean over fits of single subjects, ``t`` this mean in units of its standard error (Racey et al. 2011 print
    it), and ``d`` in units of the standard deviation over subjects: t / sqrt(n), whatever the number of subjects (Cohen
    1988). Both are NaN with fewer than three subjects.
    """

    block: Ints
    n: Ints
    value: Floats
    se: Floats
    robust_se: Floats
    by_subject: tuple[OverSubjects, ...]
    t: Floats
    d: Floats

    @property
    def fitted(self) -> Ints:
        """Return the blocks with a finite value."""
        return self.block[np.isfinite(self.value)]


@dataclass(frozen=True)
class CarryOver:
    """Two coefficients of one model by block: of ln(1/VI) in this session, and at the location in the previous one."""

    sessions: int
    current: Coefficient
    previous: Coefficient


@dataclass(frozen=True)
class Own:
    """Theta of one subject over all of its blocks (figures 3 and 9); NaN without a finite value.

    ``r2`` is the share of the variance of the subject's P(disk), by VI or odds, that Luce's rule explains.
    """

    subject: str
    n: int
    theta: float
    se: float
    robust_se: float
    r2: float


@dataclass(frozen=True)
class Thetas:
    """All fits of a group; ``goodness`` is of the model with one theta per block.

    ``by_number`` is by a person's first, second, … session. ``places`` has a theta for each location; ``locations`` has
    one theta per block and constants of locations. ``models`` are those of the shares, with random subjects.
    ``refused`` has the reason for each fit that failed.
    """

    overall: Coefficient
    own: tuple[Own, ...]
    by_block: Coefficient
    by_number: dict[str, Coefficient]
    goodness: Goodness | None
    locations: Locations | None
    places: Places | None
    models: ShareModels | None
    carry_over: CarryOver | None
    refused: dict[str, str]


def thetas(cells: Cells) -> Thetas:
    """Return all fits to the cells with a peck; only ``overall`` and ``own`` if one theta has no finite value."""
    cells = cells.where(cells.n > 0)
    refused: dict[str, str] = {}
    together = overall(cells, refused)
    if refused:
        none = cells.where(np.zeros(len(cells.block), bool))
        empty = _coefficients(none, (_current,), "", {})[0]
        return Thetas(together, _own(cells), empty, {}, None, None, None, None, None, refused)
    (by_block,) = _coefficients(cells, (_current,), "theta", refused)
    fitted = cells.where(np.isin(cells.block, by_block.fitted))
    return Thetas(
        overall=together,
        own=_own(cells),
        by_block=by_block,
        by_number=_by_number(cells, refused),
        goodness=goodness(fit(fitted.count, fitted.by_block(fitted.value), fitted.shown, fitted.session)),
        locations=_locations(fitted, refused),
        places=_places(cells, refused),
        models=_models(cells, refused),
        carry_over=_carry_over(cells, refused),
        refused=refused,
    )


def overall(cells: Cells, refused: dict[str, str] | None = None) -> Coefficient:
    """Fit one theta to all blocks together; reasons for failure go into ``refused``."""
    together = replace(cells, block=np.full_like(cells.block, ALL))
    return _coefficients(together, (_current,), "theta", {} if refused is None else refused)[0]


def _own(cells: Cells) -> tuple[Own, ...]:
    """Fit one theta to each subject with a peck."""
    found = []
    for place in np.unique(cells.subject):
        own = cells.where(cells.subject == place)
        (theta,), (se,), (robust_se,) = _numbers(_of(own, (_current,)), 1)
        shares = (float(value) for value in (theta, se, robust_se, _explained(own, theta)))
        found.append(Own(cells.subjects[place], int(own.n.sum()), *shares))
    return tuple(found)


def _explained(cells: Cells, theta: float) -> float:
    """Return R² of the shares by value; NaN without a theta, or if the shares do not vary."""
    if not np.isfinite(theta):
        return float("nan")
    values, place = np.unique(cells.value[cells.shown], return_inverse=True)
    weight = np.where(cells.shown, np.exp(theta * np.where(cells.shown, cells.value, 0.0)), 0.0)
    expected = weight / weight.sum(axis=1, keepdims=True) * cells.n[:, None]
    observed, predicted = (np.bincount(place, each[cells.shown]) / cells.n.sum() for each in (cells.count, expected))
    total = float(((observed - observed.mean()) ** 2).sum())
    return 1 - float(((observed - predicted) ** 2).sum()) / total if total > 0 and values.size > 1 else float("nan")


def _places(cells: Cells, refused: dict[str, str]) -> Places | None:
    found = places(cells)
    if isinstance(found, Refusal):
        refused["theta by place"] = found.why
        return None
    return found


def _models(cells: Cells, refused: dict[str, str]) -> ShareModels | None:
    found = share_models(cells)
    if isinstance(found, Refusal):
        refused["models of shares"] = found.why
        return None
    return found


def _by_number(cells: Cells, refused: dict[str, str]) -> dict[str, Coefficient]:
    """Fit a person's first, second, … sessions separately; empty if every visit has one session."""
    found, numbers = {}, np.unique(cells.number).tolist()
    for number in numbers if len(numbers) > 1 else ():
        own = cells.where(cells.number == number)
        (found[str(number)],) = _coefficients(own, (_current,), f"theta of session {number}", refused)
    return found


def _current(cells: Cells) -> Floats:
    return cells.value


def _previous(cells: Cells) -> Floats:
    return cells.prev_value


def _coefficients(
    cells: Cells, predictors: Sequence[Predictor], name: str, refused: dict[str, str]
) -> list[Coefficient]:
    """Fit every block, over all subjects and for each; return the course of each predictor's coefficient."""
    blocks = np.unique(cells.block)
    # Every block separately: the course of theta within a session is the result, not an assumption.
    pooled, own = [], []
    for block in blocks:
        here = cells.where(cells.block == block)
        answer = _of(here, predictors)
        if isinstance(answer, Refusal):
            refused[name if block == ALL else f"{name}, block {block}"] = answer.why
        pooled.append(_numbers(answer, len(predictors)))
        each = (_of(here.where(here.subject == subject), predictors) for subject in np.unique(here.subject))
        own.append([_numbers(found, len(predictors))[0] for found in each])
    value, se, robust_se = np.reshape(pooled, (len(blocks), 3, len(predictors))).transpose(1, 2, 0)
    over = [tuple(over_subjects([found[place] for found in each]) for each in own) for place in range(len(predictors))]
    n = np.array([cells.n[cells.block == block].sum() for block in blocks], np.int64)
    return [
        Coefficient(
            block=blocks,
            n=n,
            value=value[place],
            se=se[place],
            robust_se=robust_se[place],
            by_subject=over[place],
            t=np.array([float(ratio(own.mean, own.sem)) for own in over[place]]),
            d=np.array([float(ratio(own.mean, own.sd)) for own in over[place]]),
        )
        for place in range(len(predictors))
    ]


def _of(cells: Cells, predictors: Sequence[Predictor]) -> LuceFit | Refusal:
    features = np.stack([predictor(cells) for predictor in predictors], axis=-1)
    return fit(cells.count, features, cells.shown, cells.session)


def _numbers(answer: LuceFit | Refusal, predictors: int) -> Floats:
    if isinstance(answer, Refusal):
        return np.full((3, predictors), np.nan)
    return np.stack([answer.at, answer.se, answer.robust_se])


def _locations(cells: Cells, refused: dict[str, str]) -> Locations | None:
    found = locations(cells)
    if isinstance(found, Refusal):
        refused["theta beside locations"] = found.why
        return None
    return found


def _carry_over(cells: Cells, refused: dict[str, str]) -> CarryOver | None:
    # A cell needs the previous VI of every disk, since each disk is in the denominator of Luce's rule.
    known = np.all(np.isfinite(cells.prev_value) | ~cells.shown, axis=1)
    cells = cells.where(known & cells.placed)
    if not len(cells.block):
        refused["carry-over"] = NO_PREVIOUS
        return None
    current, previous = _coefficients(cells, (_current, _previous), "carry-over", refused)
    return CarryOver(np.unique(cells.session).size, current, previous)

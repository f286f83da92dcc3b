"""Luce's theta by location: the weight of the payoff of the disk at each place. Needs scipy.

After Racey et al. (2011, experiment 1): an observation is the share of one disk in a block's pecks. Its expected value
is exp(theta v_i) / sum of exp(theta v_j), with v = ln(1/VI) and the theta of that disk's place, block and subject.
Shares are fitted by least squares, as in the paper, so that BIC and R² are comparable with the printed ones. The paper
has subjects as random effects; here they are fixed offsets that sum to 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.locations import NOT_PLACED
from protocols.disk_bandit.analysis.luce import ENDLESS, UNTOLD, WORTHLESS, Refusal
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import Floats, Ints
from rig.analysis.common.subjects import FEWEST_FOR_AN_ERROR

STEPS = 50
SETTLED = 1e-8
"""Smallest relative decrease of the sum of squares for a further step."""

LARGEST = 10.0
"""Largest theta. With 10 the best of the paper's disks gets all but 1 in 50,000 pecks; data cannot show more."""


@dataclass(frozen=True)
class Explained:
    """Goodness of a model of shares; ``bic`` is for normal errors with their variance as a parameter."""

    parameters: int
    n: int
    squares: float
    r2: float
    bic: float


@dataclass(frozen=True)
class LocationComparison:
    """F test of the variance that a factor explains in addition to the other.

    ``bic`` is the BIC of the model with it minus that of the model without: negative, it is worth its parameters.
    """

    df: int
    residual_df: int
    f: float
    p: float
    bic: float


@dataclass(frozen=True)
class Places:
    """Theta for each place, clockwise from the top: of all subjects, and of each (rows); NaN without a finite value.

    ``theta`` is from ``block_and_place``, at the mean of the blocks; ``se`` assumes independent sessions (NaN with
    fewer than three). ``by_block`` has the thetas of ``block_by_place``, blocks x places. The models are theta by
    block, by place, by both without interaction, and one theta for every block at every place. A model without a finite
    optimum, or with as many parameters as observations, is None.
    """

    sessions: int
    subjects: tuple[str, ...]
    theta: Floats
    se: Floats
    own: Floats
    own_n: Ints
    block: Ints
    by_block: Floats
    block_alone: Explained | None
    place_alone: Explained | None
    block_and_place: Explained | None
    block_by_place: Explained | None
    effect_of_block: LocationComparison | None
    effect_of_place: LocationComparison | None
    interaction: LocationComparison | None


@dataclass(frozen=True)
class _Shares:
    """Observations: the share of a disk, and the values of all disks of its cell (-inf for a dark location)."""

    share: Floats
    place: Ints
    block: Ints
    subject: Ints
    session: Ints
    own_value: Floats
    values: Floats


@dataclass(frozen=True)
class _Fitted:
    at: Floats
    covariance: Floats
    explained: Explained


def places(cells: Cells) -> Places | Refusal:
    """Fit theta by place to the cells with a known assignment of VIs to disks."""
    cells = cells.where(cells.placed & (cells.n > 0))
    if not len(cells.block):
        return Refusal(NOT_PLACED)
    if not np.isfinite(cells.value[cells.shown]).all():
        return Refusal(WORTHLESS)
    seen = _shares(cells)
    block, place = _dummies(seen.block), _dummies(seen.place)
    offsets = _around_mean(seen.subject)
    both = _fit(seen, np.column_stack([block, _around_mean(seen.place), offsets]))
    if isinstance(both, Refusal):
        return both
    alone = [_fit(seen, np.column_stack([each, offsets])) for each in (block, place)]
    # The paper rejected the interaction by BIC (-4510 against -5048), so theta by place is reported without it.
    crossed = (block[:, :, None] * place[:, None, :]).reshape(len(block), -1)
    full = _fit(seen, np.column_stack([crossed, offsets]))
    theta, se = _by_place(both, block.shape[1], np.unique(seen.place))
    own_n = np.array([cells.count[cells.subject == who].sum(axis=0) for who in range(len(cells.subjects))])
    return Places(
        sessions=np.unique(cells.session).size,
        subjects=cells.subjects,
        theta=theta,
        se=se if np.unique(cells.session).size >= FEWEST_FOR_AN_ERROR else np.full(PLACES, np.nan),
        own=np.array([_own(cells.where(cells.subject == who)) for who in range(len(cells.subjects))]),
        own_n=own_n,
        block=np.unique(seen.block),
        by_block=_by_block(full, np.unique(seen.block), np.unique(seen.place)),
        block_alone=_explained(alone[0]),
        place_alone=_explained(alone[1]),
        block_and_place=both.explained,
        block_by_place=_explained(full),
        effect_of_block=_compare(alone[1], both),
        effect_of_place=_compare(alone[0], both),
        interaction=_compare(both, full),
    )


def _shares(cells: Cells) -> _Shares:
    cell, place = np.nonzero(cells.shown)
    values = np.where(cells.shown, cells.value, -np.inf)
    return _Shares(
        share=cells.count[cell, place] / cells.n[cell],
        place=place,
        block=cells.block[cell],
        subject=cells.subject[cell],
        session=cells.session[cell],
        own_value=cells.value[cell, place],
        values=values[cell],
    )


def _dummies(levels: Ints) -> Floats:
    return np.asarray(levels[:, None] == np.unique(levels), float)


def _around_mean(levels: Ints) -> Floats:
    """Return columns whose effects sum to 0 over the levels: one column fewer than levels."""
    dummies = _dummies(levels)
    return np.asarray(dummies[:, :-1] - dummies[:, -1:])


def _fit(seen: _Shares, design: Floats) -> _Fitted | Refusal:
    """Fit by the least sum of squares, with Gauss-Newton steps that are halved while they would increase it."""
    n, parameters = design.shape
    at = np.zeros(parameters)
    if n <= parameters or np.linalg.matrix_rank(design.T @ design) < parameters:
        return Refusal(UNTOLD)
    off, slope = _evaluate(seen, design @ at)
    for _ in range(STEPS):
        jacobian = slope[:, None] * design
        step = np.linalg.lstsq(jacobian.T @ jacobian, jacobian.T @ off, rcond=None)[0]
        squares = off @ off
        for halved in range(STEPS):
            there = at + step / 2**halved
            further, slope_there = _evaluate(seen, design @ there)
            if further @ further <= squares:
                break
        else:
            break
        at, off, slope = there, further, slope_there
        if np.abs(design @ at).max() > LARGEST:
            return Refusal(ENDLESS)
        if squares - off @ off <= SETTLED * squares:
            break
    jacobian = slope[:, None] * design
    information = jacobian.T @ jacobian
    if np.linalg.matrix_rank(information) < parameters:
        return Refusal(UNTOLD)
    return _Fitted(at, _robust(jacobian, information, off, seen.session), _goodness(seen.share, off, parameters))


def _evaluate(seen: _Shares, theta: Floats) -> tuple[Floats, Floats]:
    """Return observed minus expected shares, and the derivative of the expected shares by theta."""
    with np.errstate(invalid="ignore"):
        weight = np.where(np.isfinite(seen.values), theta[:, None] * seen.values, -np.inf)
    p = np.exp(weight - weight.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    own = p[np.arange(len(theta)), seen.place]
    mean = (p * np.where(np.isfinite(seen.values), seen.values, 0.0)).sum(axis=1)
    return seen.share - own, own * (seen.own_value - mean)


def _robust(jacobian: Floats, information: Floats, off: Floats, session: Ints) -> Floats:
    """Return the covariance for independent sessions (sandwich estimator, with n / (n - 1))."""
    kinds, place = np.unique(session, return_inverse=True)
    scores = np.zeros((kinds.size, jacobian.shape[1]))
    np.add.at(scores, place, jacobian * off[:, None])
    inverse = np.linalg.inv(information)
    return np.asarray(inverse @ (scores.T @ scores) @ inverse * kinds.size / max(1, kinds.size - 1))


def _goodness(share: Floats, off: Floats, parameters: int) -> Explained:
    n, squares = len(share), float(off @ off)
    total = float(((share - share.mean()) ** 2).sum())
    # A perfect fit has an infinite likelihood.
    bic = n * math.log(2 * math.pi * squares / n) + n + (parameters + 1) * math.log(n) if squares > 0 else -math.inf
    return Explained(parameters, n, squares, 1 - squares / total if total > 0 else math.nan, bic)


def _explained(fitted: _Fitted | Refusal) -> Explained | None:
    return None if isinstance(fitted, Refusal) else fitted.explained


def _compare(less: _Fitted | Refusal, more: _Fitted | Refusal) -> LocationComparison | None:
    """Return the F test of the larger model's further parameters; None if either model could not be fitted."""
    if isinstance(less, Refusal) or isinstance(more, Refusal):
        return None
    from scipy import stats

    few, many = less.explained, more.explained
    df, residual_df = many.parameters - few.parameters, many.n - many.parameters
    if df < 1 or many.squares <= 0:
        return None
    f = (few.squares - many.squares) / df / (many.squares / residual_df)
    return LocationComparison(df, residual_df, f, float(stats.f.sf(f, df, residual_df)), many.bic - few.bic)


def _by_place(both: _Fitted, blocks: int, known: Ints) -> tuple[Floats, Floats]:
    """Return the theta of every known place at the mean of the blocks, and its standard error."""
    weights = np.zeros((len(known), len(both.at)))
    weights[:, :blocks] = 1 / blocks
    effects = np.vstack([np.eye(len(known) - 1), -np.ones(len(known) - 1)])
    weights[:, blocks : blocks + len(known) - 1] = effects
    theta, se = np.full((2, PLACES), np.nan)
    theta[known] = weights @ both.at
    se[known] = np.sqrt(np.einsum("ij,jk,ik->i", weights, both.covariance, weights))
    return theta, se


def _by_block(full: _Fitted | Refusal, blocks: Ints, known: Ints) -> Floats:
    found = np.full((len(blocks), PLACES), np.nan)
    if not isinstance(full, Refusal):
        found[:, known] = full.at[: len(blocks) * len(known)].reshape(len(blocks), len(known))
    return found


def _own(cells: Cells) -> Floats:
    """Return a subject's theta at each place; NaN without a finite value."""
    found = np.full(PLACES, np.nan)
    if not len(cells.block):
        return found
    seen = _shares(cells)
    for place in np.unique(seen.place):
        here = _only(seen, seen.place == place)
        answer = _fit(here, np.ones((len(here.share), 1)))
        if not isinstance(answer, Refusal):
            found[place] = answer.at[0]
    return found


def _only(seen: _Shares, which: Sequence[bool] | np.ndarray) -> _Shares:
    return _Shares(
        **{name: getattr(seen, name)[which] for name in ("share", "place", "block", "subject", "session")},
        own_value=seen.own_value[which],
        values=seen.values[which],
    )

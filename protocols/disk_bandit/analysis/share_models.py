"""The models of shares of Racey et al. (2011): theta by block, by location and by session, with a random subject.

An observation is the share of one disk in a block's pecks. ``mixed_model`` fits them. Needs scipy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.locations import NOT_PLACED
from protocols.disk_bandit.analysis.luce import WORTHLESS, Refusal
from protocols.disk_bandit.analysis.mixed_model import Explained, MixedFit, Shares, fit
from rig.analysis.common.arrays import Floats, Ints

BLOCK, PLACE, SESSION = "block", "place", "session"


@dataclass(frozen=True)
class EffectTest:
    """Wald's F test that theta is alike at all levels of a factor, or that two factors do not interact.

    ``epsilon2`` is the size of the effect whatever the number of subjects, partial epsilon squared: the explained part
    of the variance, without that of chance (Kelley 1935, PNAS 21: 554).
    """

    df: int
    residual_df: int
    f: float
    p: float
    epsilon2: float


@dataclass(frozen=True)
class ShareModel:
    """Goodness of a model, the tests of its effects by name, and theta by block with its standard error.

    Theta of a block is the mean over the levels of other factors and over subjects.
    """

    explained: Explained
    effects: dict[str, EffectTest]
    block: Ints
    theta: Floats
    se: Floats


@dataclass(frozen=True)
class ShareModels:
    """The models; None where one has no finite optimum, or as many parameters as observations.

    ``block_by_place`` and ``block_by_session`` have interactions; the latter is for people alone. ``bic_of_place`` is
    the BIC of ``block_and_place`` minus that of ``block``, ``bic_of_interaction`` that of ``block_by_place`` minus that
    of ``block_and_place``: negative, the addition is worth its parameters.
    """

    block: ShareModel | None
    block_and_place: ShareModel | None
    block_by_place: ShareModel | None
    block_by_session: ShareModel | None
    bic_of_place: float
    bic_of_interaction: float


@dataclass(frozen=True)
class Design:
    """Columns of fixed effects: an intercept, effects that sum to 0 over a factor's levels, and their products.

    ``terms`` has the columns of each effect, ``levels`` the levels of each factor.
    """

    columns: Floats
    terms: Mapping[str, slice]
    levels: Mapping[str, Ints]

    def weights(self, factor: str) -> Floats:
        """Return the weights of the effects in theta at each level of a factor, at the mean of the others."""
        weights = np.zeros((len(self.levels[factor]), self.columns.shape[1]))
        weights[:, 0] = 1
        weights[:, self.terms[factor]] = _contrasts(len(weights))
        return weights


def share_models(cells: Cells) -> ShareModels | Refusal:
    """Fit the models to the cells with a peck and a known assignment of VIs to disks."""
    seen = shares_of(cells)
    if isinstance(seen, Refusal):
        return seen
    block, both, crossed = (
        model_of(seen, design(seen, *how))
        for how in (((BLOCK,), False), ((BLOCK, PLACE), False), ((BLOCK, PLACE), True))
    )
    several = np.unique(seen.number).size > 1
    return ShareModels(
        block=block,
        block_and_place=both,
        block_by_place=crossed,
        block_by_session=model_of(seen, design(seen, (BLOCK, SESSION), crossed=True)) if several else None,
        bic_of_place=_added_bic(block, both),
        bic_of_interaction=_added_bic(both, crossed),
    )


def shares_of(cells: Cells) -> Shares | Refusal:
    """Return an observation for every disk of every cell with a peck and a known assignment."""
    cells = cells.where(cells.placed & (cells.n > 0))
    if not len(cells.block):
        return Refusal(NOT_PLACED)
    if not np.isfinite(cells.value[cells.shown]).all():
        return Refusal(WORTHLESS)
    cell, place = np.nonzero(cells.shown)
    values = np.where(cells.shown, cells.value, -np.inf)
    return Shares(
        share=cells.count[cell, place] / cells.n[cell],
        place=place,
        block=cells.block[cell],
        number=cells.number[cell],
        subject=cells.subject[cell],
        session=cells.session[cell],
        own_value=cells.value[cell, place],
        values=values[cell],
    )


def design(seen: Shares, factors: tuple[str, ...], crossed: bool) -> Design:
    """Build the columns of these factors, with their interaction if they are crossed."""
    of_each = {BLOCK: seen.block, PLACE: seen.place, SESSION: seen.number}
    levels = {factor: np.unique(of_each[factor]) for factor in factors}
    effects = {
        factor: _contrasts(len(known))[np.searchsorted(known, of_each[factor])] for factor, known in levels.items()
    }
    if crossed:
        for one, other in combinations(factors, 2):
            product = effects[one][:, :, None] * effects[other][:, None, :]
            effects[f"{one} x {other}"] = product.reshape(len(seen.share), -1)
    terms, begin = {}, 1
    for name, columns in effects.items():
        terms[name] = slice(begin, begin + columns.shape[1])
        begin += columns.shape[1]
    return Design(np.column_stack([np.ones(len(seen.share)), *effects.values()]), terms, levels)


def model_of(seen: Shares, design: Design) -> ShareModel | None:
    """Fit a model and test its effects; None where it cannot be fitted."""
    found = fit(seen, design.columns)
    if isinstance(found, Refusal):
        return None
    weights = design.weights(BLOCK)
    return ShareModel(
        explained=found.explained,
        effects={name: _test(found, columns) for name, columns in design.terms.items()},
        block=design.levels[BLOCK],
        theta=weights @ found.fixed,
        se=np.sqrt(np.einsum("ij,jk,ik->i", weights, found.covariance, weights)),
    )


def _contrasts(levels: int) -> Floats:
    """Return the effects of each level (rows) by the free ones (columns): the last is minus the sum of the others."""
    return np.vstack([np.eye(levels - 1), -np.ones(levels - 1)])


def _test(found: MixedFit, columns: slice) -> EffectTest:
    from scipy import stats

    effect, covariance = found.fixed[columns], found.covariance[columns, columns]
    df, residual_df = len(effect), found.explained.residual_df
    f = float(effect @ np.linalg.solve(covariance, effect)) / df if df else math.nan
    epsilon2 = df * (f - 1) / (df * f + residual_df)
    return EffectTest(df, residual_df, f, float(stats.f.sf(f, df, residual_df)), epsilon2)


def _added_bic(less: ShareModel | None, more: ShareModel | None) -> float:
    return more.explained.bic - less.explained.bic if less is not None and more is not None else math.nan

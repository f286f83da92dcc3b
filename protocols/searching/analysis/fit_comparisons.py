"""Tests of fitted parameters: between horizons, between risky and safe rounds, and against the task. Needs scipy.

Parameters are compared by their logarithms, since they are fitted within exp(-5) and exp(5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from protocols.searching.analysis.comparisons import Comparison
from protocols.searching.analysis.fits import Fits, PersonFit
from protocols.searching.analysis.models import MODELS
from protocols.searching.analysis.rounds import GridPerson
from protocols.searching.grids.kernels import KERNELS
from rig.analysis.common.arrays import Floats
from rig.analysis.common.sign_test import sign_test
from rig.analysis.common.t_tests import one_sample, paired, pearson


def fit_comparisons(fits: Fits, people: Sequence[GridPerson], *, risky: bool) -> Iterator[Comparison]:
    """Yield the tests of the best model that has a belief."""
    model = next((each.model for each in fits.models if MODELS[each.model].learner), None)
    if model is None:
        return
    found = fits.of(model)
    blocks = _blocks(found, risky=risky)
    if blocks is not None:
        yield from _between(model, found, *blocks)
    if not risky and "lambda" in MODELS[model].parameters:
        yield from _against_the_task(model, found, {person.name: person for person in people})


def _blocks(found: Sequence[PersonFit], *, risky: bool) -> tuple[str, str] | None:
    """Return the two blocks to compare: risky and safe, or the longest and the shortest horizon."""
    names = {fold.block for each in found for fold in each.folds}
    if risky:
        return ("risky", "safe") if names == {"risky", "safe"} else None
    ordered = sorted(names, key=int)
    return (ordered[-1], ordered[0]) if len(ordered) > 1 else None


def _between(model: str, found: Sequence[PersonFit], first: str, second: str) -> Iterator[Comparison]:
    words = f"{first} - {second}"
    r2 = [np.array([each.r2_of_block.get(block, np.nan) for each in found]) for block in (first, second)]
    yield Comparison(f"{model}: R², {words}", t_test=paired(*r2))
    for name in MODELS[model].parameters:
        pair = [_logarithms(found, name, block) for block in (first, second)]
        yield Comparison(f"{model}: ln {name}, {words}", t_test=paired(*pair))
        yield Comparison(f"{model}: ln {name}, {first} and {second}", correlation=pearson(*pair))
        yield Comparison(f"{model}: {name}, people with more in {first} than in {second}", sign_test=sign_test(*pair))


def _logarithms(found: Sequence[PersonFit], name: str, block: str) -> Floats:
    """Return each person's median over the folds of a block; NaN without one."""
    values = [[np.log(fold.parameters[name]) for fold in each.folds if fold.block == block] for each in found]
    return np.array([np.median(own) if own else np.nan for own in values], float)


def _against_the_task(model: str, found: Sequence[PersonFit], people: Mapping[str, GridPerson]) -> Iterator[Comparison]:
    for environments, kernel in KERNELS.items():
        known = {name for name, person in people.items() if person.kernels_known}
        own = [each for each in found if each.person in known and people[each.person].environments == environments]
        values = np.log([each.parameters["lambda"] for each in own]) if own else np.empty(0)
        tested = one_sample(values, float(np.log(kernel.length)))
        yield Comparison(f"{model}: ln lambda, people - {environments} environments", t_test=tested)

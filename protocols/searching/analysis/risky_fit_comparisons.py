"""Tests of models that were fitted to the risky bandit (Schulz et al. 2018). Needs scipy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from protocols.searching.analysis.comparisons import Comparison, values_of
from protocols.searching.analysis.fits import Fits, PersonFit
from protocols.searching.analysis.fitted_play import PLAYED
from protocols.searching.analysis.models import RISKY_LEARNERS, RISKY_STRATEGIES
from protocols.searching.analysis.rounds import GridPerson
from rig.analysis.common.arrays import Floats
from rig.analysis.common.t_tests import paired, pearson


def risky_fit_comparisons(
    fits: Fits, people: Sequence[GridPerson], played: Sequence[GridPerson]
) -> Iterator[Comparison]:
    """Yield tests of learners, strategies, lambda, and of people against the rounds that a model ``played``."""
    blocks = sorted({block for each in fits.people for block in each.r2_of_block})
    for block in (None, *(blocks if len(blocks) > 1 else ())):
        yield from _averages(fits, block)
    yield from _lambda_and_score(fits, people)
    yield from _against_played(people, played)


def averaged_r2(fits: Fits, models: Sequence[str], block: str | None = None) -> Floats:
    """Return each person's mean R² over models, of all rounds or of a block; NaN for a person without one of them."""
    by_key = {(each.person, each.model): each for each in fits.people}
    names = dict.fromkeys(each.person for each in fits.people)
    r2 = [[_r2(by_key.get((person, model)), block) for model in models] for person in names]
    return np.asarray(np.array(r2, float).mean(axis=1))


def _r2(fit: PersonFit | None, block: str | None) -> float:
    if fit is None:
        return float("nan")
    return fit.r2 if block is None else fit.r2_of_block.get(block, float("nan"))


def _averages(fits: Fits, block: str | None) -> Iterator[Comparison]:
    """Yield tests of the learners, averaged over strategies, and of pairs of strategies, averaged over learners."""
    of_kind = "" if block is None else f", {block} rounds"
    process, option = (
        averaged_r2(fits, [f"{learner}_{each}" for each in RISKY_STRATEGIES], block) for learner in RISKY_LEARNERS
    )
    yield Comparison(f"R² over strategies: gp - option{of_kind}", t_test=paired(process, option))
    r2 = {
        each: averaged_r2(fits, [f"{learner}_{each}" for learner in RISKY_LEARNERS], block) for each in RISKY_STRATEGIES
    }
    for other in RISKY_STRATEGIES:
        if other != "pos":
            tested = paired(r2["pos"], r2[other])
            yield Comparison(f"R² over learners: pos - {other}{of_kind}", t_test=tested)


def lambda_and_score(fits: Fits, scores: Mapping[str, float]) -> tuple[Floats, Floats]:
    """Return the logarithm of lambda of `PLAYED`, and the score, of each person to whom it was fitted."""
    fitted = [each for each in fits.of(PLAYED) if each.person in scores]
    lam = np.log([each.parameters["lambda"] for each in fitted])
    return lam, np.array([scores[each.person] for each in fitted])


def _lambda_and_score(fits: Fits, people: Sequence[GridPerson]) -> Iterator[Comparison]:
    scores = dict(zip([person.name for person in people], values_of(people, "score").tolist(), strict=True))
    yield Comparison(f"{PLAYED}: ln lambda and score", correlation=pearson(*lambda_and_score(fits, scores)))


def _against_played(people: Sequence[GridPerson], played: Sequence[GridPerson]) -> Iterator[Comparison]:
    """Yield tests of people against the rounds that `PLAYED` plays with their parameters."""
    names = {person.name for person in played}
    own = [person for person in people if person.name in names]
    for measure in ("score", "full"):
        tested = paired(values_of(own, measure), values_of(played, measure))
        yield Comparison(f"{measure}: people - {PLAYED} with their parameters", t_test=tested)

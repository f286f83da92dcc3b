import math
from dataclasses import replace

import numpy as np
import pytest

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.locations import NOT_PLACED
from protocols.disk_bandit.analysis.luce import Refusal
from protocols.disk_bandit.analysis.share_models import ShareModel, ShareModels, share_models
from tests.protocols.disk_bandit.analysis.made import Bird
from tests.protocols.disk_bandit.analysis.test_places import counted


def fitted(cells: Cells) -> ShareModels:
    models = share_models(cells)
    assert isinstance(models, ShareModels)
    return models


def known(model: ShareModel | None) -> ShareModel:
    assert model is not None
    return model


def test_the_theta_of_each_block_is_found_with_and_without_places() -> None:
    rising = Bird(theta=(0.1, 0.2, 0.3, 0.4), pecks=(300,) * 4)
    models = fitted(counted(("A", rising), ("B", rising)))
    for model in (models.block, models.block_and_place, models.block_by_place):
        assert known(model).theta == pytest.approx([0.1, 0.2, 0.3, 0.4], abs=0.03)
        assert known(model).effects["block"].p < 1e-6


def test_unlike_birds_make_the_error_of_a_block_larger_and_not_the_test_of_blocks_smaller() -> None:
    def birds(spread: float) -> ShareModels:
        scales = enumerate((1 - spread, 1 - spread / 2, 1.0, 1 + spread / 2, 1 + spread))
        thetas = {f"bird{number}": tuple(0.3 * scale + rise for rise in (0, 0.1)) for number, scale in scales}
        return fitted(counted(*((name, Bird(theta=theta, pecks=(300,) * 2)) for name, theta in thetas.items())))

    alike, unlike = known(birds(0.0).block), known(birds(0.6).block)
    assert alike.explained.subjects_sd < 0.02
    assert unlike.explained.subjects_sd == pytest.approx(0.3 * 0.6 * math.sqrt(0.5), rel=0.3)
    assert np.all(unlike.se > 3 * alike.se)
    assert unlike.effects["block"].f == pytest.approx(alike.effects["block"].f, rel=0.5)


def test_the_size_of_an_effect_does_not_grow_with_the_days() -> None:
    rising = Bird(theta=(0.1, 0.2, 0.3, 0.4), pecks=(300,) * 4)
    few, many = (
        known(fitted(counted(("A", rising), ("B", rising), days=days)).block).effects["block"] for days in (12, 48)
    )
    assert many.f > 3 * few.f
    assert many.epsilon2 == pytest.approx(few.epsilon2, rel=0.25)
    flat = Bird(theta=(0.3,) * 4, pecks=(300,) * 4)
    assert abs(known(fitted(counted(("A", flat), ("B", flat))).block).effects["block"].epsilon2) < 0.01


def test_places_that_are_avoided_are_worth_their_parameters_and_their_interaction_with_blocks_is_not() -> None:
    shy = Bird(theta=(0.3,) * 4, pecks=(300,) * 4, bias=(-1, -1, -1, 0, 0.5, 0.5, 0, 0))
    models = fitted(counted(("A", shy), ("B", shy), days=24))
    assert models.bic_of_place < 0 < models.bic_of_interaction
    assert known(models.block_and_place).effects["place"].p < 1e-6
    plain = Bird(theta=(0.3,) * 4, pecks=(300,) * 4)
    models = fitted(counted(("A", plain), ("B", plain), days=24))
    assert models.bic_of_place > 0
    assert known(models.block_and_place).effects["place"].p > 0.001
    assert known(models.block_by_place).effects["block x place"].p > 0.001


def test_degrees_of_freedom_are_those_of_observations_less_effects_less_subjects_but_one() -> None:
    bird = Bird(theta=(0.3,) * 4, pecks=(60,) * 4)
    models = fitted(counted(("A", bird), ("B", bird), ("C", bird), days=2))
    n = 3 * 2 * 4 * 8
    alone, both, crossed = known(models.block), known(models.block_and_place), known(models.block_by_place)
    assert (alone.effects["block"].df, alone.effects["block"].residual_df) == (3, n - 4 - 2)
    assert (both.effects["place"].df, both.effects["place"].residual_df) == (7, n - 11 - 2)
    assert (crossed.effects["block x place"].df, crossed.effects["block x place"].residual_df) == (21, n - 32 - 2)
    assert crossed.explained.parameters == 32 + 2


def test_people_have_a_model_of_blocks_and_sessions_and_pigeons_have_none() -> None:
    slow, fast = Bird(theta=(0.1, 0.3), pecks=(300,) * 2), Bird(theta=(0.3, 0.3), pecks=(300,) * 2)
    first, later = (counted(("A", bird), ("B", bird), days=8) for bird in (slow, fast))
    assert fitted(first).block_by_session is None
    both = join(first, replace(later, number=np.full_like(later.number, 2)))
    model = known(fitted(both).block_by_session)
    assert {name: effect.df for name, effect in model.effects.items()} == {
        "block": 1,
        "session": 1,
        "block x session": 1,
    }
    assert all(effect.p < 0.001 for effect in model.effects.values())
    assert model.theta == pytest.approx([0.2, 0.3], abs=0.03)


def join(one: Cells, other: Cells) -> Cells:
    """Return the cells of both; the sessions of the second are others."""
    other = replace(other, session=other.session + len(one.sessions))
    columns = ("session", "subject", "number", "block", "count", "rewarded", "pay", "value", "prev_value", "shown")
    both = {name: np.concatenate([vars(one)[name], vars(other)[name]]) for name in (*columns, "placed")}
    return Cells(sessions=one.sessions + other.sessions, subjects=one.subjects, **both)


def test_sessions_whose_disks_are_not_placed_have_no_models() -> None:
    own = counted(("A", Bird()), days=2)
    assert share_models(replace(own, placed=np.zeros(len(own.block), bool))) == Refusal(NOT_PLACED)


def test_what_has_fewer_observations_than_parameters_has_no_model() -> None:
    own = counted(("A", Bird(theta=(0.3,) * 2, pecks=(60,) * 2)), days=1)
    models = fitted(own)
    assert models.block is not None
    assert models.block_by_place is None
    assert math.isnan(models.bic_of_interaction)


def test_cells_without_a_peck_are_no_observations() -> None:
    own = counted(("A", Bird(theta=(0.3,) * 3, pecks=(60, 0, 60))), days=4)
    assert (own.n == 0).sum() == 4
    assert known(fitted(own).block).explained.n == 4 * 2 * 8

"""The seed of a session: the stated one, or a drawn one."""

import pytest

from rig.session.spec.seed import seed_or_drawn


@pytest.mark.parametrize("seed", [0, 1, 2**40])
def test_a_stated_seed_is_taken_also_if_it_is_zero(seed: int) -> None:
    assert seed_or_drawn(seed) == seed


def test_without_a_seed_each_session_draws_another_one() -> None:
    drawn = {seed_or_drawn(None) for _ in range(5)}
    assert len(drawn) > 1
    assert all(0 <= seed < 2**32 for seed in drawn)

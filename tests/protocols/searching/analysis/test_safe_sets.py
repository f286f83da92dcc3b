"""The sets of SafeOpt against its own package.

``safeopt_cases.json`` has 1,000 random cases, half on a line of 21 tiles and half on 11 x 11. They were made once with
safeopt 0.16 and GPy 1.15 (``SafeOpt(gp, tiles, fmin, beta=3)``, then ``compute_sets(full_sets=True)``): a function
drawn from the kernel, 1 to 10 noisy observations that wander as people do, and a threshold at a random quantile. Each
case is width, height, length of the kernel, noise variance, threshold, observed tiles, values, and the packed bits of
S, M and G.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.searching.analysis.safe_sets import safe_sets, safe_sets_after
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Grid

CASES = json.loads(Path(__file__).with_name("safeopt_cases.json").read_text("ascii"))


def flags(packed: str, count: int) -> list[bool]:
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(packed), np.uint8))
    return [bool(bit) for bit in bits[:count]]


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.campaign)])
def test_a_thousand_random_cases_have_the_sets_of_the_package(step: int) -> None:
    wrong = []
    for number, (width, height, length, noise, threshold, tiles, values, *expected) in enumerate(CASES[::step]):
        grid = Grid(width, height)
        found = safe_sets_after(Kernel.of("length", length).matrix(grid), tiles, values, threshold, noise)
        if [each.tolist() for each in found] != [flags(packed, grid.count) for packed in expected]:
            wrong.append(number)
    assert len(CASES) == 1000
    assert wrong == []


def test_the_cases_have_all_kinds_of_sets() -> None:
    assert sum(int(case[7], 16) > 0 for case in CASES) > 900
    assert sum(int(case[9], 16) > 0 for case in CASES) > 300
    assert sum(case[8] != case[9] for case in CASES) > 500


def test_nothing_is_safe_before_something_is_known() -> None:
    prior = Kernel.of("length", 2.0).matrix(Grid(5, 5))
    found = safe_sets(np.zeros(25), prior, threshold=0.0, noise_variance=1e-4)
    assert not any(each.any() for each in found)


def test_without_unsafe_tiles_nothing_can_expand() -> None:
    prior = Kernel.of("length", 2.0).matrix(Grid(5, 5))
    found = safe_sets(np.zeros(25), prior, threshold=-10.0, noise_variance=1e-4)
    assert found.safe.all()
    assert not found.expanders.any()


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.floats(-2, 2)), min_size=1, max_size=8), st.floats(-1.5, 1.5))
def test_maximizers_and_expanders_are_safe(seen: list[tuple[int, float]], threshold: float) -> None:
    prior = Kernel.of("length", 1.5).matrix(Grid(21))
    tiles, values = zip(*seen, strict=True)
    found = safe_sets_after(prior, tiles, values, threshold, 1e-2)
    assert not (found.maximizers & ~found.safe).any()
    assert not (found.expanders & ~found.safe).any()
    assert found.safe.any() == found.maximizers.any()


def test_a_smaller_omega_has_more_safe_tiles() -> None:
    prior = Kernel.of("length", 2.0).matrix(Grid(21))
    wide = safe_sets_after(prior, [10], [1.0], 0.0, 1e-2, 4.0)
    narrow = safe_sets_after(prior, [10], [1.0], 0.0, 1e-2, 1.0)
    assert not (wide.safe & ~narrow.safe).any()
    assert narrow.safe.sum() > wide.safe.sum()

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis.split import split


def test_the_third_sixth_and_ninth_of_ten_sorted_names_are_for_testing() -> None:
    names = [f"m{number:02d}" for number in (11, *range(10), 10)]
    found = split(names)
    assert [names[place] for place in sorted(found.test, key=names.__getitem__)] == ["m02", "m05", "m08"]
    assert len(found.train) == 9
    assert not found.in_sample


@pytest.mark.parametrize("seed", [None, 3])
def test_too_few_sessions_are_tested_in_sample_and_labeled_so(seed: int | None) -> None:
    found = split(["a"], seed)
    assert found.in_sample
    assert found.train.tolist() == found.test.tolist() == [0]
    assert found.rule.startswith("in sample")


@given(st.integers(3, 60), st.one_of(st.none(), st.integers(0, 9)))
def test_every_session_is_on_one_side(count: int, seed: int | None) -> None:
    found = split([f"{place:03d}" for place in range(count)], seed)
    assert sorted([*found.train, *found.test]) == list(range(count))


def test_a_seed_draws_three_tenths_and_the_same_ones_again() -> None:
    names = [str(place) for place in range(20)]
    assert len(split(names, 1).test) == 6
    assert split(names, 1).test.tolist() == split(names, 1).test.tolist()
    assert split(names, 1).test.tolist() != split(names, 2).test.tolist()

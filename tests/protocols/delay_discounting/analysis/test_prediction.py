"""The agent that always takes the greater value."""

import pytest

from protocols.delay_discounting.analysis.prediction import predicted


@pytest.mark.parametrize("initial_s", [1, 4, 20])
def test_it_adjusts_until_it_is_indifferent_and_alternates_from_then_on(initial_s: int) -> None:
    delays_s, delayed = predicted(initial_s, 7.4, 40)
    assert delays_s[0] == initial_s
    settled = abs(initial_s - 7)
    assert len(set(delayed[: settled - 1])) <= 1
    assert set(delays_s[settled + 1 :]) == {7, 8}
    assert all(before != after for before, after in zip(delayed[settled + 1 :], delayed[settled + 2 :], strict=False))


def test_its_delay_never_gets_shorter_than_a_second() -> None:
    delays_s, delayed = predicted(3, 0.5, 10)
    assert delays_s.tolist() == [3, 2] + [1] * 8
    assert not delayed.any()

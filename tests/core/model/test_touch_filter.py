"""Which touches are pecks."""

from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.touch_filter import TouchDebouncer

MS = 1000
downs = st.lists(st.tuples(st.integers(0, 200 * MS), st.floats(0, 4), st.floats(0, 4)), max_size=30).map(sorted)


def told(*touches: tuple[int, float, float]) -> list[bool]:
    pecks = TouchDebouncer(50 * MS, 1.0)
    return [pecks.accept(*touch) for touch in touches]


def test_the_first_touch_is_a_peck_and_what_comes_back_within_50_ms_is_none() -> None:
    assert told((0, 1, 1), (49_999, 1, 1), (99_999, 1, 1), (149_999, 1, 1)) == [True, False, True, True]


def test_a_beak_that_chatters_gives_one_peck() -> None:
    assert told(*((n * 20 * MS, 1, 1) for n in range(10))) == [True] + [False] * 9


def test_a_touch_farther_away_than_a_centimeter_is_a_peck_of_its_own() -> None:
    assert told((0, 1, 1), (1 * MS, 2.0, 1), (2 * MS, 2.01, 1)) == [True, False, False]
    assert told((0, 1, 1), (1 * MS, 2.01, 1)) == [True, True]


def test_without_a_debounce_every_touch_is_a_peck() -> None:
    pecks = TouchDebouncer(0, 1.0)
    assert [pecks.accept(0, 1, 1) for _ in range(3)] == [True] * 3


@given(downs)
def test_a_touch_is_a_peck_unless_another_came_near_it_shortly_before(touches: list[tuple[int, float, float]]) -> None:
    for place, (verdict, (t_us, x, y)) in enumerate(zip(told(*touches), touches, strict=True)):
        near = [
            before
            for before in touches[:place]
            if t_us - before[0] < 50 * MS and ((before[1] - x) ** 2 + (before[2] - y) ** 2) ** 0.5 <= 1.0
        ]
        assert verdict == (not near)

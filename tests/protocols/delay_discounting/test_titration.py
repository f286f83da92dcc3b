"""The delay that follows the choices."""

from hypothesis import given
from hypothesis import strategies as st

from protocols.delay_discounting.params import Params
from protocols.delay_discounting.titration import Titration


@given(st.integers(1, 30), st.lists(st.booleans(), max_size=120))
def test_the_delay_follows_the_choices_between_its_bounds(start_s: int, choices: list[bool]) -> None:
    titration = Titration(Params(delay_max_s=40), start_s)
    expected = start_s
    for delayed in choices:
        titration.update(delayed=delayed)
        expected = min(40, expected + 1) if delayed else max(1, expected - 1)
        assert titration.delay_s == expected

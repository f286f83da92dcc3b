import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.microseconds import to_s, to_us


@pytest.mark.parametrize(
    ("seconds", "us"),
    [(0, 0), (1, 1_000_000), (0.1 + 0.2, 300_000), (1e-6, 1), (4.4e-7, 0), (2.675, 2_675_000), (-0.5, -500_000)],
)
def test_seconds_are_rounded_to_the_microsecond(seconds, us):
    assert to_us(seconds) == us
    assert type(to_us(seconds)) is int


@given(st.integers(0, 10**15))
def test_microseconds_survive_being_shown_as_seconds(us):
    assert to_us(to_s(us)) == us

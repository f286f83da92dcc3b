"""Pixels and centimeters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.screen import ScreenSpec

SPEC = ScreenSpec(width_px=800, height_px=600, px_per_cm=26.2)


def test_the_origin_of_centimeters_is_the_lower_left_corner_and_of_pixels_the_upper_left() -> None:
    assert SPEC.in_cm(0, 600) == (0, 0)
    assert SPEC.in_px(0, 0) == (0, 600)
    assert SPEC.in_px(SPEC.width_cm, SPEC.height_cm) == pytest.approx((800, 0))
    assert (SPEC.width_cm, SPEC.height_cm) == pytest.approx((30.53, 22.90), abs=0.01)


@given(st.floats(-50, 50), st.floats(-50, 50))
def test_there_and_back_is_the_same_place(x_cm: float, y_cm: float) -> None:
    assert SPEC.in_cm(*SPEC.in_px(x_cm, y_cm)) == pytest.approx((x_cm, y_cm), abs=1e-9)

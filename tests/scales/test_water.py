"""The density of water."""

import pytest

from rig.scales.water import density_mg_per_ul


@pytest.mark.parametrize(
    ("celsius", "density"),
    [(0, 0.999843), (4, 0.999975), (15, 0.999103), (20, 0.998207), (25, 0.997048), (40, 0.992215)],
)
def test_the_density_is_that_of_the_tables(celsius: float, density: float) -> None:
    assert density_mg_per_ul(celsius) == pytest.approx(density, abs=3e-6)

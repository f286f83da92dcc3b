import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.searching.grids.places import Grid, parse_place

sizes = st.builds(Grid, st.integers(1, 12), st.integers(1, 12))


@settings(max_examples=30)
@given(sizes)
def test_number_place_and_name_of_a_tile_are_one(grid: Grid) -> None:
    for tile in range(grid.count):
        x, y = grid.place(tile)
        assert grid.tile(x, y) == tile
        assert (grid.x[tile], grid.y[tile]) == (x, y)
        assert parse_place(grid.name(tile)) == (x, y)


@pytest.mark.parametrize("name", ["", "1", "1,", "01,2", "-1,2", "1,2,3", "1.0,2", "disk1", "99999,1", "1, 2"])
def test_another_name_is_no_tile(name: str) -> None:
    assert parse_place(name) is None


def test_distances_are_those_of_rows_and_columns() -> None:
    grid = Grid(3, 2, step=0.5)
    first, last = grid.tile(0, 0), grid.tile(2, 1)
    assert grid.manhattan[first, last] == 3
    assert grid.squared_distances[first, last] == 0.25 * 5
    assert grid.inverse_manhattan[first, last] == pytest.approx(1 / 3)


@settings(max_examples=30)
@given(sizes)
def test_a_tile_is_as_near_to_itself_as_to_its_neighbors(grid: Grid) -> None:
    assert np.all(grid.inverse_manhattan.diagonal() == 1)
    assert np.all((grid.inverse_manhattan > 0) & (grid.inverse_manhattan <= 1))


def test_arrays_of_a_grid_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Grid(2, 2).inverse_manhattan[0, 0] = 2

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.searching.grids.environment_files import environments_text, parse_environments, read_environments
from protocols.searching.grids.environments import draw_environment
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Grid
from rig.core.errors import ConfigError


@settings(max_examples=30)
@given(st.integers(2, 7), st.integers(1, 7), st.integers(1, 4))
def test_what_is_written_is_read(width: int, height: int, count: int) -> None:
    stream = random.Random(1)
    drawn = [draw_environment(Kernel(2.0), Grid(width, height), stream.random) for _ in range(count)]
    found = parse_environments(environments_text(drawn), "file")
    assert len(found) == count
    assert all(np.array_equal(values, read) for values, read in zip(drawn, found, strict=True))


def test_a_tile_is_read_by_its_coordinates_not_by_its_number() -> None:
    tiles = [{"x1": 1, "x2": 0, "y": 0.25}, {"x1": 0, "x2": 0, "y": 1}]
    assert parse_environments(json.dumps([tiles]), "file")[0].tolist() == [[1.0, 0.25]]


def test_lists_and_objects_and_lines_are_read() -> None:
    tiles = [{"x": 0, "y": 0.5}, {"x": 1, "y": 1.0}]
    for document in ([tiles], {"0": tiles}, {"0": dict(enumerate(tiles))}):
        assert parse_environments(json.dumps(document), "file")[0].tolist() == [[0.5, 1.0]]


def tiles(**changed: Any) -> list[dict[str, Any]]:
    return [{"x1": 0, "x2": 0, "y": 0.5}, {"x1": 1, "x2": 0, "y": 1} | changed]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (3, "is no object or list of environments"),
        ([], "has no environment"),
        ([3], "environment 0: is no object or list of tiles"),
        ([tiles(), tiles(y=1.5)], "environment 1, tile 1: y is 1.5: wanted a number from 0 to 1"),
        ([tiles(y="1")], "environment 0, tile 1: y is '1'"),
        ([tiles(y=True)], "y is True"),
        ([tiles(y=float("nan"))], "y is nan"),
        ([tiles(x1=-1)], "x1 is -1: wanted a whole number"),
        ([tiles(x1=0.5)], "x1 is 0.5"),
        ([tiles(x1=1e300)], "x1 is 1e"),
        ([tiles(x1=0)], "is a second tile at x 0, y 0"),
        ([tiles(x1=2)], "has no tile at x 1, y 0: wanted all of 3 x 1"),
        ([tiles(x1=9999, x2=9999)], "has no tile at x 1, y 0"),
        ([tiles(more=1)], "wanted an object with x1, x2 and y"),
        ([[*tiles(), 3]], "tile 2: wanted an object"),
        ([tiles()[:1]], "has 1 tiles"),
        ([tiles(), tiles(y=0.5)], "environment 1: all tiles have the value 0.5: wanted different ones"),
        ([tiles(), [*tiles(), {"x1": 2, "x2": 0, "y": 0}]], "environment 1: has 3 x 1 tiles: wanted 2 x 1 as in 0"),
    ],
)
def test_a_mistake_is_told_by_its_place(document: Any, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_environments(json.dumps(document), "set.json")
    assert str(error.value).startswith("set.json")
    assert said in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_no_json_is_told(text: str) -> None:
    with pytest.raises(ConfigError, match="is no JSON"):
        parse_environments(text, "set.json")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        read_environments(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_environments(tmp_path / "binary.json")

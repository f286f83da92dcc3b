"""Grids and lines as they are painted: the colors of tiles, the red line and the dots, measured from pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Dot, Line, Scene, Tile
from rig.core.model.screen import ScreenSpec
from rig.devices import ScreenConfig
from tests.harness import FaultHarness
from tests.protocols.searching.people import person, session

STOPS = ["fff7ec", "fee8c8", "fdd49e", "fdbb84", "fc8d59", "ef6548", "d7301f", "b30000", "7f0000"]


@pytest.fixture(autouse=True)
def qt(offscreen: None) -> object:
    """A Qt application without windows."""
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.instance() or QGuiApplication([])


def painted(scene: Scene, spec: ScreenSpec) -> np.ndarray[Any, Any]:
    """Return the pixels of a scene; shape (height, width, red green blue)."""
    from rig.screen.paint import picture

    image = picture(scene, spec)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return pixels[:, : image.width(), 2::-1].copy()


def pixel(pixels: np.ndarray[Any, Any], spec: ScreenSpec, x_cm: float, y_cm: float) -> list[int]:
    """Return the color at a place of the screen, which is counted from below."""
    return [int(c) for c in pixels[round(spec.height_px - y_cm * spec.px_per_cm), round(x_cm * spec.px_per_cm)]]


def screen_of(harness: FaultHarness) -> ScreenSpec:
    return ScreenConfig.model_validate(harness.spec.header.rig.screen).spec()


def heat(value: float, top: float) -> list[float]:
    """Return the color of a reward by the nine stops, without the program's own scale."""
    stops = np.array([list(bytes.fromhex(stop)) for stop in STOPS])
    at = np.linspace(0, top, 9)
    return [float(np.interp(value, at, stops[:, channel])) for channel in range(3)]


@pytest.mark.parametrize("kind", ["rough", pytest.param("smooth", marks=pytest.mark.slow)])
def test_each_tile_has_the_color_of_the_mean_of_its_draws_and_all_others_are_white(kind: str) -> None:
    harness = session("grid_bandit", person(), rounds=1, examples=0, horizons="[9]", environment=kind, guess=False)
    spec, (played,) = screen_of(harness), harness.table("rounds")
    draws: dict[int, list[float]] = {played["initial_tile"]: [played["initial_shown"]]}
    for row in harness.rows:
        draws.setdefault(row["tile"], []).append(row["shown"])
    scene = [scene for scene in scenes_in(harness.journal) if scene.item("next")][-1]
    tiles = [item for item in scene.items if isinstance(item, Tile)]
    assert len(tiles) == 121
    pixels = painted(scene, spec)
    for number, tile in enumerate(tiles):
        # In a corner of the tile, beside its number and its frame.
        found = pixel(pixels, spec, tile.x_cm - 0.38 * tile.width_cm, tile.y_cm + 0.38 * tile.height_cm)
        wanted = heat(sum(draws[number]) / len(draws[number]), 90) if number in draws else [255, 255, 255]
        assert found == pytest.approx(wanted, abs=1.01), (number, draws.get(number))
        assert tile.text == (str(draws[number][-1]) if number in draws else "")
    rows = sorted({round(tile.y_cm, 3) for tile in tiles}, reverse=True)
    assert tiles[0].y_cm == pytest.approx(rows[0], abs=1e-3), "tile 0 is on top"
    assert tiles[0].x_cm < tiles[1].x_cm < tiles[10].x_cm


def test_a_lost_round_has_a_red_line_a_red_dot_below_it_and_bright_ones_above() -> None:
    harness = session("risky_bandit", person(lambda body, tiles: tiles[0]), rounds=6, examples=0)
    spec = screen_of(harness)
    lost = next(row for row in harness.rows if row["below"])
    scene = [scene for scene in scenes_in(harness.journal) if scene.item("next") and scene.item("clicks")][
        lost["round"] - 1
    ]
    pixels = painted(scene, spec)
    (line,) = [item for item in scene.items if isinstance(item, Line) and item.color == "#ff4040"]
    (left_cm, y_cm), (right_cm, _) = line.points
    for part in (0.02, 0.3, 0.5, 0.98):
        red, green, blue = pixel(pixels, spec, left_cm + part * (right_cm - left_cm), y_cm)
        assert red > 150 > 2 * green
        assert green == pytest.approx(blue, abs=10)
    dots = [item for item in scene.items if isinstance(item, Dot)]
    below = [dot for dot in dots if dot.y_cm < y_cm]
    assert [pixel(pixels, spec, dot.x_cm, dot.y_cm) for dot in below] == [[255, 64, 64]]
    above = [dot for dot in dots if dot.y_cm >= y_cm]
    assert all(pixel(pixels, spec, dot.x_cm, dot.y_cm) == [255, 255, 255] for dot in above if dot.diameter_cm > 0.3)
    assert above

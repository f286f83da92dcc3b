"""Draw figures as small SVG texts: many symbols are one element, and places have two decimals. Needs ``analysis``."""

# The backends of matplotlib have no types.
# mypy: disable-error-code="no-untyped-call, attr-defined"

from __future__ import annotations

import io
from functools import cache, lru_cache
from typing import Any

import numpy as np
from matplotlib import _path  # its precision is an argument here, and fixed to six decimals in the renderer
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

FEW = 8
"""Maximum of symbols that are drawn one by one, such as the ticks of an axis: this gives the shorter text."""
POINTS_PER_INCH = 72
PIXELS_PER_INCH = 192
"""Of what is drawn as pixels: two for each pixel of a usual screen."""
_DECIMALS = 2
"""A hundredth of a point, which is 1/72 inch: no screen or printer shows less."""
_TEXTS = 1024
"""Number of texts whose extents are kept."""
_COMMANDS = [b"M", b"L", b"Q", b"C", b"z"]


@cache
def _heights(font: FontProperties) -> tuple[float, float, float] | tuple[None, None, None]:
    """Return the ascent, the descent and the gap between lines of a font, in points; None if it does not say them."""
    tables = get_font(findfont(font))
    heights, head = tables.get_sfnt_table("OS/2"), tables.get_sfnt_table("head")
    if heights is None or head is None:
        return None, None, None
    scale = font.get_size_in_points() / head["unitsPerEm"]
    return heights["sTypoAscender"] * scale, -heights["sTypoDescender"] * scale, heights["sTypoLineGap"] * scale


@lru_cache(_TEXTS)
def _extent(text: str, font: FontProperties, is_math: Any) -> Any:
    """Return the width, the height and the descent of a text: the axes of many figures have the same ones."""
    return text_to_path.get_text_width_height_descent(text, font, is_math)


class _Renderer(RendererSVG):
    """A renderer of small texts."""

    def __init__(self, width_pt: float, height_pt: float, text: io.StringIO) -> None:
        super().__init__(width_pt, height_pt, text, image_dpi=PIXELS_PER_INCH, metadata={"Date": None, "Creator": None})
        self._symbols = 0

    def draw_markers(
        self,
        gc: Any,
        marker_path: Any,
        marker_trans: Any,
        path: Any,
        trans: Any,
        rgbFace: Any = None,  # noqa: N803 - the name of matplotlib
    ) -> None:
        """Draw a symbol at each place of a path: as the marker of one line that is not drawn itself."""
        if path.codes is not None:  # places that are not its vertices
            super().draw_markers(gc, marker_path, marker_trans, path, trans, rgbFace)
            return
        places = trans.transform(path.vertices)
        # The clip of the axes hides more; this keeps numbers short. A comparison with NaN is false.
        size = np.array([self.width, self.height])
        places = places[((places > -size) & (places < 2 * size)).all(axis=1)]
        if len(places) <= FEW:
            for x, y in places:
                self.draw_path(gc, marker_path, marker_trans + Affine2D().translate(x, y), rgbFace)
        else:
            self._draw_symbols(gc, self._marker(gc, marker_path, marker_trans, rgbFace), places)

    def _draw_symbols(self, gc: Any, name: str, places: Any) -> None:
        flat = (places * (1, -1) + (0, self.height)).ravel()
        numbers = " ".join(["%.5g"] * len(flat)) % tuple(flat)
        self.writer.start("g", **self._get_clip_attrs(gc))
        self.writer.element("path", d=f"M {numbers}", style=f"fill: none; marker: url(#{name})")
        self.writer.end("g")

    def _marker(self, gc: Any, path: Any, transform: Any, face: Any) -> str:
        """Write the definition of a symbol, and return its name."""
        name = f"symbol_{self._symbols}"
        self._symbols += 1
        # In the middle, because `draw_path` leaves out what is beyond the page.
        x, y = self.width / 2, self.height / 2
        unclipped = self.new_gc()
        unclipped.copy_properties(gc)
        unclipped.set_clip_rectangle(None)
        unclipped.set_clip_path(None)
        units = {"markerUnits": "userSpaceOnUse", "refX": f"{x:g}", "refY": f"{y:g}"}
        self.writer.start("marker", id=name, style="overflow: visible", attrib=units)
        self.draw_path(unclipped, path, transform + Affine2D().translate(x, y), face)
        self.writer.end("marker")
        return name

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> Any:
        """Return the extent of a text in points."""
        return _extent(s, prop, ismath)

    def _get_font_height_metrics(self, font: FontProperties) -> Any:
        # A newer matplotlib asks for them, and else reads the font's tables for each text that it measures.
        return _heights(font)

    def _convert_path(
        self, path: Any, transform: Any = None, clip: Any = None, simplify: Any = None, sketch: Any = None
    ) -> str:
        seen = (0.0, 0.0, self.width, self.height) if clip else None
        text: bytes = _path.convert_to_string(path, transform, seen, simplify, sketch, _DECIMALS, _COMMANDS, False)
        # Without codes it is a line: a place behind a place needs no command.
        return (text.replace(b" \nL ", b" ") if path.codes is None else text).decode("ascii")


class _Canvas(FigureCanvasBase):
    """A canvas whose layout is computed by the renderer that draws: both measure the same texts."""

    def __init__(self, figure: Figure, renderer: MixedModeRenderer) -> None:
        super().__init__(figure)
        self._renderer = renderer

    def get_renderer(self) -> MixedModeRenderer:
        """Return the renderer, as the layout of a figure asks for it."""
        return self._renderer


def svg_text(figure: Figure) -> str:
    """Return a figure as the text of an SVG file."""
    text = io.StringIO()
    figure.dpi = POINTS_PER_INCH
    width_in, height_in = map(float, figure.get_size_inches())
    vectors = _Renderer(width_in * POINTS_PER_INCH, height_in * POINTS_PER_INCH, text)
    renderer: Any = MixedModeRenderer(figure, width_in, height_in, PIXELS_PER_INCH, vectors)
    _Canvas(figure, renderer)
    figure.draw(renderer)
    renderer.finalize()
    return text.getvalue()

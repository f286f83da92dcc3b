"""Figures of analyses as drawings within a page. Needs the extra ``analysis``."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from rig.report.html import Html, text

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

_SETTINGS: dict[RcKeyType, object] = {
    # Text stays text: it can be searched and read aloud.
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "svg.hashsalt": "behavior-rig",  # the same figure has the same bytes
    "figure.dpi": 72,
}
_PIXELS_PER_INCH = 192
"""Of what is drawn as pixels: two for each pixel of a usual screen."""
_WITHOUT = {"Date": None, "Creator": None, "Format": None, "Type": None}
_SVG = re.compile(r"<svg\b[^>]*>(.*)</svg>", re.DOTALL)
_HIDDEN = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL)
"""What no person sees. The style would be that of all lines of the page; its joins are an attribute here."""
_NAMES = re.compile(r'(\bid="|href="#|url\(#)')
_DECIMALS = re.compile(r"(\.\d\d)\d+")
"""More than a hundredth of a point, which is 1/72 inch: no screen or printer shows them."""
_TAG = re.compile(r"<[^>]*>")
_BREAKS = re.compile(r"\s*\n\s*")


@contextmanager
def drawing(*, formulas: bool) -> Iterator[None]:
    """Set how figures are made; without ``formulas`` a ``$`` in a text is only a character."""
    with warnings.catch_warnings(), matplotlib.rc_context({**_SETTINGS, "text.parse_math": formulas}):
        # Texts from records may have characters that the font lacks, or leave no room for axes.
        warnings.simplefilter("ignore")
        yield


def figure_svg(figure: Figure, name: str, said: str) -> Html:
    """Return a figure as a drawing; ``name`` makes its inner names unique, ``said`` is read aloud by screen readers."""
    for drawn in (collection for axes in figure.axes for collection in axes.collections):
        if isinstance(drawn, QuadMesh):  # one shape for each cell would make the page slow
            drawn.set_rasterized(True)
    written = io.StringIO()
    figure.set_dpi(_PIXELS_PER_INCH)
    # `savefig` would draw it twice, to lay it out a second time: the drawing is the same to the byte.
    canvas: Any = FigureCanvasSVG(figure)  # matplotlib has no types of its back ends
    canvas.print_svg(written, metadata=_WITHOUT)
    found = _SVG.search(written.getvalue())
    if found is None:
        raise ValueError("matplotlib drew no SVG")
    inner = _NAMES.sub(rf"\g<1>{name}-", _BREAKS.sub(" ", _HIDDEN.sub("", found[1])))
    inner = _TAG.sub(lambda tag: _DECIMALS.sub(r"\1", tag[0]), inner)
    width, height = figure.get_size_inches()
    pixels = f'width="{width * 96:.0f}" height="{height * 96:.0f}" viewBox="0 0 {width * 72:g} {height * 72:g}"'
    # A font that is missing is replaced by one of the page.
    inner = inner.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
    return Html(f'<svg {pixels} role="img" stroke-linejoin="round" aria-label="{text(said)}">{inner.strip()}</svg>')

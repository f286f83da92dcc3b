"""Figures as drawings within a page. Needs the extra ``analysis``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from rig.report.html import Html, element, text
from rig.report.svg_renderer import svg_text

_SETTINGS: dict[str, Any] = {
    # Text stays text: it can be searched and read aloud, and takes the page's color.
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "svg.hashsalt": "behavior-rig",  # the same figure has the same bytes
    "figure.dpi": 72,
}
_START = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'\bwidth="([\d.]+)pt"|\bheight="([\d.]+)pt"')
_HIDDEN = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)
_NAMES = re.compile(r'(\bid="|href="#|url\(#)')
_BLACK = re.compile(r"(fill|stroke): #000000\b")
_WHITE = re.compile(r"(fill|stroke): #ffffff\b")


@contextmanager
def drawing(*, formulas: bool) -> Iterator[None]:
    """Set how figures are made; without ``formulas`` a ``$`` in a text is only a character."""
    settings: Any = {**_SETTINGS, "text.parse_math": formulas}
    with warnings.catch_warnings(), matplotlib.rc_context(settings):
        # Texts from records may have characters that the font lacks, or leave no room for axes.
        warnings.simplefilter("ignore")
        yield


def svg(figure: Figure, name: str, said: str, *, own_colors: bool = False) -> Html:
    """Return a figure as a drawing; ``name`` makes its inner names unique, ``said`` is read aloud by screen readers.

    Black takes the page's color, which is light in the dark, and white that of its paper. With ``own_colors`` the
    figure stays black on white.
    """
    if not own_colors:
        for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
            patch.set_visible(False)
    for drawn in (each for axes in figure.axes for each in axes.collections):
        if isinstance(drawn, QuadMesh):  # one shape for each cell would make the page slow
            drawn.set_rasterized(True)
    raw = svg_text(figure)
    start = _START.search(raw)
    if start is None:
        raise ValueError("matplotlib drew no SVG")
    opened = start.group()
    inner = _HIDDEN.sub("", raw[start.end() :])
    inner = _NAMES.sub(rf"\g<1>{name}-", inner)
    if not own_colors:
        inner = _WHITE.sub(r"\1: var(--paper)", _BLACK.sub(r"\1: currentColor", inner))
    # A font that is missing is replaced by one of the page.
    inner = inner.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
    width, height = (float(found[0] or found[1]) for found in _SIZE.findall(opened)[:2])
    pixels = f'width="{width * 4 / 3:.0f}" height="{height * 4 / 3:.0f}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg {pixels} role="img" fill="currentColor" aria-label="{text(said)}">'
    return Html(head + inner.strip())


def figure_part(drawn: Html, *, on_paper: bool = False) -> Html:
    """Return a drawing as a part of a page; ``on_paper`` keeps it on white in the dark."""
    return element("figure", drawn, class_="drawn" if on_paper else None)

"""Elements of SVG drawings, and how wide their texts are."""

from __future__ import annotations

import unicodedata
from itertools import accumulate

from rig.report.html import Content, Html, text, together

_WIDTHS = dict.fromkeys("ijl.,:;'|! ", 0.31)
_WIDTHS |= dict.fromkeys("frt()[]/-", 0.41)
_WIDTHS |= dict.fromkeys("mwMW%@", 0.98)
_LOWER, _UPPER, _WIDE = 0.63, 0.76, 1.05


def shape(tag: str, *content: Content, **attributes: str | float | None) -> Html:
    """Return an element; its attributes come from this program, never from records, and None leaves one out."""
    named = "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else format(round(value, 1), ".6g")}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{named}>{together(content)}</{tag}>" if content else f"<{tag}{named}/>")


def label(said: str, x: float, y: float, *, upward: bool = False, **attributes: str | float | None) -> Html:
    """Return a text on one line; ``upward`` turns it to be read from below."""
    line = " ".join(said.split())
    if upward:
        return shape("text", text(line), transform=f"translate({x:.1f} {y:.1f})rotate(-90)", **attributes)
    return shape("text", text(line), x=x, y=y, **attributes)


def text_width(said: str, size: float) -> float:
    """Return about the width of a text whose letters have a size: that in DejaVu Sans, which is wider than most."""
    return size * sum(map(_width, said))


def shortened(said: str, size: float, room: float) -> str:
    """Return a text, or its begin and an ellipsis where it would be wider than the room."""
    line = " ".join(said.split())
    if text_width(line, size) <= room:
        return line
    widths = accumulate((_width(character) * size for character in line), initial=2 * size)
    return f"{line[: sum(width <= room for width in widths)]}…"


def _width(character: str) -> float:
    if width := _WIDTHS.get(character):
        return width
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return _UPPER if character.isupper() else _LOWER

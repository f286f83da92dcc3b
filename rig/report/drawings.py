"""Drawings of pages: charts of ``rig.views``, and figures of analyses, which need matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rig.report.chart_svg import chart_svg, is_empty
from rig.report.html import Content, Html, element, notice, together

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rig.views.chart import Chart


@dataclass(frozen=True)
class Drawing:
    """A figure of an analysis as markup, with its name; ``svg`` is None if it could not be drawn."""

    name: str
    svg: Html | None

    def part(self) -> Html:
        """Return it as a part of a page."""
        if self.svg is None:
            text = f"{self.name.replace('_', ' ')}: cannot be drawn; a text with two $ must be a formula"
            return notice("suspicious", element("p", text))
        return figure_part(self.svg)


def can_draw() -> bool:
    """Whether matplotlib is installed, for the figures of analyses."""
    return find_spec("matplotlib") is not None


def figure_part(drawn: Html) -> Html:
    """Return a figure as a part of a page: on white, also in the dark."""
    return element("figure", drawn, class_="drawn")


def chart_figures(charts: Sequence[Chart], prefix: str) -> Html:
    """Return charts as figures side by side; a chart without marks is named with its reason."""
    parts: list[Content] = []
    empty: list[Content] = []
    for number, chart in enumerate(charts):
        if is_empty(chart):
            empty.append(element("li", element("b", chart.title), f" is not drawn: {chart.empty}"))
            continue
        title = element("h3", f"{chart.title[:1].upper()}{chart.title[1:]}")
        parts.append(element("div", title, element("figure", chart_svg(chart, f"{prefix}{number}"))))
    left_out = element("ul", *empty) if empty else None
    return together([element("div", *parts, class_="figures"), left_out])


def drawn(figures: Callable[[], Iterable[tuple[str, Figure]]], prefix: str) -> Iterator[Drawing]:
    """Yield the figures of an analysis as they looked to its author: black on white, formulas read as such.

    ``prefix`` tells their elements from those of other analyses on the page.
    """
    from rig.report.figure_svg import drawing, figure_svg

    with drawing(formulas=True):
        for number, (name, figure) in enumerate(figures()):
            try:
                yield Drawing(name, figure_svg(figure, f"{prefix}{number}", name.replace("_", " ")))
            except ValueError:  # a text of the records that is no formula, though it has two dollar signs
                yield Drawing(name, None)

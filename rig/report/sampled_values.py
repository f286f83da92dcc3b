"""What the board of a session sampled, as charts of the whole session."""

from __future__ import annotations

import numpy as np

from rig.report.drawings import chart_figures
from rig.report.html import Html, element, notice, together
from rig.report.page_report import PageReport
from rig.views.chart import NEUTRAL, Axis, Chart, Curve, Mark
from rig.views.sampled_values import ValueRow

TIME = Axis("time in the session with its pauses", "min")
STEPS = 600
"""More could not be told apart in a chart of a page."""


def samples_part(report: PageReport) -> Html | None:
    """Return a chart of each analog input and encoder, and what cannot be read of its file."""
    values = report.values.fold
    while values.read_some():
        pass
    rows = values.rows()
    problems = [notice("suspicious", element("p", row.problem)) for row in rows if row.problem]
    charts = chart_figures([values_chart(row, report.records.end_us) for row in rows], "s")
    return together([*problems, charts]) if rows else None


def values_chart(row: ValueRow, end_us: int) -> Chart:
    """Return the chart of a source: a line through the least and the greatest value of each step of time."""
    edges_us = np.linspace(0, max(1, end_us), STEPS + 1)
    both = np.stack(row.extremes(edges_us), axis=1).ravel()
    minutes = np.repeat(edges_us[:-1] + np.diff(edges_us) / 2, 2) / 6e7
    if not np.isfinite(both).any():
        return Chart(row.name, TIME, Axis(row.name, row.unit), empty="none of its values can be read")
    least, greatest = np.nanmin(both), np.nanmax(both)
    ends = minutes[[0, -1]]
    levels = [level for level in row.thresholds if least < level < greatest]
    marks: list[Mark] = [
        Curve(ends, np.full(2, level), color=NEUTRAL, dashed=True, width=0.8, faint=True) for level in levels
    ]
    return Chart(row.name, TIME, Axis(row.name, row.unit), (*marks, Curve(minutes, both, width=1.0)))

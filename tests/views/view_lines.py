"""Journals for the tests of views: a header, and lines with task time and board time of choice."""

from collections.abc import Mapping, Sequence
from typing import Any

from rig.core.journal.kinds import SessionLine
from rig.views.chart import Chart
from rig.views.session import SessionViews
from tests.journal_lines import HEADER, made

COLUMNS: dict[str, dict[str, Any]] = {
    "trial": {"kind": "integer", "unit": "", "text": ""},
    "t_in": {"kind": "number", "unit": "s", "text": ""},
    "choice": {"kind": "text", "unit": "", "text": "", "values": ["", "left", "right"]},
    "latency_s": {"kind": "number", "unit": "s", "text": ""},
    "p_left": {"kind": "number", "unit": "probability", "text": ""},
    "outcome": {"kind": "text", "unit": "", "text": ""},
    "rewarded": {"kind": "integer", "unit": "", "text": ""},
}
LEFT = {"column": "choice", "rule": "equals", "to": "left", "label": "left"}


def header(
    *views: Mapping[str, Any],
    columns: Mapping[str, Mapping[str, Any]] = COLUMNS,
    tables: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    **more: Any,
) -> SessionLine:
    tables = tables or {}
    fields = {
        **HEADER,
        "columns": list(columns),
        "tables": {name: list(each) for name, each in tables.items()},
        "descriptions": {"trials": dict(columns), **tables},
        "shares": {"left_fraction": LEFT},
        "views": list(views),
        **more,
    }
    return made("header", 0, **fields)


def trial(number: int, **cells: Any) -> SessionLine:
    row = {
        "trial": number,
        "t_in": float(number),
        "choice": "left",
        "latency_s": 0.5,
        "p_left": 0.8,
        "outcome": "rewarded",
        "rewarded": 1,
        **cells,
    }
    return made("trial", number * 1_000_000, **row)


def at(t_s: float, kind: str, **fields: Any) -> SessionLine:
    return made(kind, round(t_s * 1e6), **fields)


def folded(head: SessionLine, lines: Sequence[SessionLine], **given: Any) -> SessionViews:
    views = SessionViews(**given)
    for line in (head, *lines):
        views.take(line)
    return views


def only_chart(view: Mapping[str, Any], lines: Sequence[SessionLine], **more: Any) -> Chart:
    return folded(header(view, **more), lines).charts()[0]


def mark(chart: Chart, name: str) -> Any:
    return next(each for each in chart.marks if getattr(each, "name", None) == name)


def of_type(chart: Chart, kind: type) -> list[Any]:
    return [each for each in chart.marks if isinstance(each, kind)]

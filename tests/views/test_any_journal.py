"""Whatever a journal holds, its views draw it, and drawing between two lines changes nothing."""

from __future__ import annotations

import json
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.journal.lines import Tables, add_crc, parse_line
from rig.core.model.columns import COLUMN_KINDS
from rig.core.model.view_fields import view_from
from rig.core.model.views import VIEWS, as_names, type_hints
from rig.views.chart import Chart
from rig.views.session import SessionViews
from tests.views.view_lines import header

NAMES = ("t", "trial", "outcome", "x_cm", "p_left", "t_in", "latency_s")
names = st.sampled_from(NAMES)
words = st.sampled_from(("rewarded", "unrewarded", "left", "", "3", "nan", "\n\x1b[1m", "ü" * 60)) | st.text(max_size=5)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
cells = st.none() | st.booleans() | words | numbers | st.lists(st.integers(0, 3), max_size=2)
column = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(COLUMN_KINDS),
        "unit": st.sampled_from(("", "s", "cm", "probability", "ul")),
        "text": words,
    },
    optional={"values": st.lists(words, max_size=12)},
)
channels = st.sampled_from(("left.beam", "spout.valve"))
WORDS_OF = {
    "table": st.sampled_from(("trials", "intervals", "none")),
    "planned": st.just("running"),
    "shares": st.just("left_fraction"),
    "channels": channels,
    "over": st.integers(0, 3),
    "where": st.dictionaries(names, st.integers(0, 1) | words, max_size=1),
    "odds": st.dictionaries(words, names, max_size=2),
}


def _field(name: str, hint: Any) -> st.SearchStrategy[Any]:
    if name in WORDS_OF:
        return WORDS_OF[name]
    return {bool: st.booleans(), float: st.floats(0, 60)}.get(hint, names)


def _is_view(given: dict[str, Any]) -> bool:
    try:
        view_from(given)
    except ValueError:
        return False
    return True


@st.composite
def views(draw: st.DrawFn) -> dict[str, Any]:
    word = draw(st.sampled_from(sorted(VIEWS)))
    hints = type_hints(VIEWS[word])
    return {"view": word, **{name: draw(_field(name, hint)) for name, hint in hints.items() if name != "title"}}


headers = st.builds(
    lambda columns, intervals, views, shares, devices: header(
        *views,
        columns={name: columns.get(name, {"kind": "any", "unit": "", "text": ""}) for name in NAMES},
        tables={"intervals": {name: intervals.get(name, {"kind": "any", "unit": "", "text": ""}) for name in NAMES}},
        shares=shares,
        rig={"name": "none", "board": {}, "devices": devices, "calibrations": {}},
    ),
    st.dictionaries(names, column),
    st.dictionaries(names, column),
    st.lists(views().filter(_is_view), max_size=8),
    st.dictionaries(st.sampled_from(("left_fraction", "b")), st.dictionaries(st.sampled_from(("column", "to")), names)),
    st.dictionaries(
        st.sampled_from(("start", "left")),
        st.dictionaries(st.sampled_from(("kind", "x_cm", "y_cm", "radius_cm")), cells),
    ),
)
times = st.integers(-(10**6), 10**8)
"""Less than the time by which lines may come too late."""
order = st.dictionaries(
    st.sampled_from(
        ("output", "on", "us", "count", "period_us", "on_us", "sequence", "entries", "members", "group", "at_us")
    ),
    cells,
).flatmap(
    lambda each: st.sampled_from(("set", "pulse", "train", "load", "arm", "stop")).map(lambda do: {**each, "do": do})
)
counts = st.integers(0, 3)
huge = st.integers(0, 2**63 - 1)
disk = st.dictionaries(st.sampled_from(("kind", "x_cm", "y_cm", "diameter_cm")), cells)


def _line(kind: str, **given: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"k": st.just(kind), "t": times, **given})


row = {("t_" if name == "t" else name): cells for name in NAMES}
lines = st.one_of(
    _line("trial", **row),
    _line("row", table=st.just("intervals"), **row),
    _line("pause"),
    _line("resume", paused_us=st.integers(0, 2**63 - 1)),
    _line(
        "continued", gap_us=st.integers(0, 2**63 - 1), why=words, restarted=st.booleans(),
        ul=st.none(), access_s=st.none(), pellets=st.none(),
    ),
    _line("params", trial=counts, changed=st.dictionaries(words, cells, max_size=2)),
    _line("note", what=st.sampled_from(("running", "else")), by=cells, since=cells, start=cells),
    _line(
        "scene", id=words, items=st.lists(disk | st.lists(counts, min_size=2, max_size=2), max_size=2),
        background=words, hit_margin_cm=st.just(0), hover=st.booleans(),
    ),
    _line("edge", channel=channels, level=st.integers(0, 1), fired=counts, number=counts),
    _line("command", epoch=counts, batch=counts, last_event=counts, orders=st.lists(order, max_size=3)),
    _line("batch_done", batch=counts),
    _line("sequence_started", sequence=counts, number=counts),
    _line("output_done", output=cells),
    _line("positions", first=huge, samples=huge, lost=counts, digest=words),
    _line("fault", what=st.sampled_from(("refused", "panic", "lease_expired", "camera")), detail=words, batch=counts,
          order=counts, reason=words, number=counts, board_epoch=counts, executed=counts, board=words, pin=counts),
)  # fmt: skip
journals = st.tuples(headers, st.lists(lines, max_size=30))


def as_read(given: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a line as a reader returns it: nothing that the checks refuse reaches a view."""
    ordered = {"seq": number, "t": given["t"], "src": "host", "k": given["k"]}
    body = {**ordered, **{key: value for key, value in given.items() if key not in ordered}}
    return parse_line(add_crc(json.dumps(body, separators=(",", ":"))[:-1])[:-1])


def same(one: Chart, other: Chart) -> bool:
    if (one.title, one.x, one.y, len(one.marks)) != (other.title, other.x, other.y, len(other.marks)):
        return False
    return all(
        type(a) is type(b)
        and all(
            np.array_equal(getattr(a, each.name), getattr(b, each.name), equal_nan=each.name in ("x", "y", "value"))
            for each in fields(a)
        )
        for a, b in zip(one.marks, other.marks, strict=True)
    )


def check(journal: tuple[dict[str, Any], list[dict[str, Any]]], drawn: set[int], folder: Path) -> None:
    head, *rest = (as_read(line, number) for number, line in enumerate((journal[0], *journal[1])))
    tables = Tables(head)
    whole, parts = SessionViews(folder), SessionViews(folder)
    for number, line in enumerate((head, *rest)):
        if line["k"] in ("trial", "row"):
            tables.check(line["k"], line)
        whole.take(line)
        parts.take(line)
        if number in drawn:
            parts.charts()
    charts = whole.charts()
    assert charts
    assert all(same(one, other) for one, other in zip(charts, parts.charts(), strict=True))


@settings(deadline=None, max_examples=30)
@given(journal=journals, drawn=st.sets(st.integers(0, 30)))
def test_drawing_any_journal_in_parts_gives_what_drawing_the_whole_gives(
    journal: tuple[dict[str, Any], list[dict[str, Any]]], drawn: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    check(journal, drawn, tmp_path_factory.getbasetemp())


@pytest.mark.campaign
@settings(deadline=None, max_examples=120)
@given(journal=journals, drawn=st.sets(st.integers(0, 30)))
def test_many_more_journals(
    journal: tuple[dict[str, Any], list[dict[str, Any]]], drawn: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    check(journal, drawn, tmp_path_factory.getbasetemp())


def test_every_view_is_drawn_by_its_word() -> None:
    for word, kind in VIEWS.items():
        needed = {"columns": "t_in", "shares": "left_fraction", "channels": "left.beam"}
        wanted = {each.name: needed.get(each.name, "t_in") for each in fields(kind) if not each.kw_only}
        required = {
            name: value for name, value in wanted.items() if name not in ("odds", "over", "joined", "log", "down")
        }
        required |= {"before_s": 1.0, "after_s": 1.0} if word == "raster" else {}
        (chart,) = _charts({"view": word, **required})
        assert chart.x.title


def _charts(view: dict[str, Any]) -> list[Chart]:
    shown = SessionViews()
    shown.take(header(view))
    return shown.charts()


def test_names_are_one_or_several() -> None:
    assert (as_names("a"), as_names(("a", "b")), as_names("")) == (("a",), ("a", "b"), ())
    assert astuple(view_from({"view": "track", "by": "side"}))

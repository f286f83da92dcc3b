"""Whatever a journal holds, its views draw it, and drawing between two lines changes nothing."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import FieldInfo
from msgspec.structs import fields as struct_fields

from rig.core.journal.codec import encode, line_bytes, parse_line
from rig.core.journal.kinds import SessionLine
from rig.core.model.actions import Arm, Load, Pulse, Set, Start, Stop, Train
from rig.core.model.columns import COLUMN_KINDS
from rig.core.model.line import LONGEST_US
from rig.core.model.shares import Share
from rig.core.model.views import VIEWS, AnyView, as_names
from rig.views.chart import Chart
from rig.views.session import SessionViews
from tests.journal_lines import as_json, made
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


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    if field.name in WORDS_OF:
        return WORDS_OF[field.name]
    return {bool: st.booleans(), float: st.floats(0, 60)}.get(get_args(field.type)[0], names)


@st.composite
def views(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(VIEWS))
    return as_json(kind(**{field.name: draw(_field(field)) for field in struct_fields(kind) if field.name != "title"}))


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
    st.lists(views(), max_size=8),
    st.dictionaries(
        st.sampled_from(("left_fraction", "b")),
        st.builds(Share, names, st.sampled_from(("equals", "same_as", "changes")), names).map(to_builtins),
    ),
    st.dictionaries(
        st.sampled_from(("start", "left")),
        st.dictionaries(st.sampled_from(("kind", "x_cm", "y_cm", "radius_cm")), cells),
    ),
)
times = st.integers(-(10**6), 10**8)
"""Less than the time by which lines may come too late."""
lengths = st.integers(1, 10**6) | st.integers(1, LONGEST_US)
repeats = st.integers(1, 5) | st.integers(1, 65_535)
outputs = st.sampled_from(("left.valve", "spout.valve"))
causes = st.sampled_from(("order", "reflex", "sequence"))
actions = (
    st.builds(Set, outputs, st.booleans())
    | st.builds(Pulse, outputs, lengths)
    | st.builds(Train, outputs, lengths, lengths, repeats)
    | st.builds(Start, st.integers(0, 3))
    | st.builds(Stop, st.integers(0, 3))
)
orders = (
    actions
    | st.builds(Load, st.integers(0, 3), st.lists(st.tuples(lengths, actions), max_size=3).map(tuple))
    | st.builds(
        Arm,
        st.integers(0, 3),
        st.none() | lengths,
        st.lists(st.tuples(channels, st.integers(0, 1), actions), max_size=2).map(tuple),
    )
).map(to_builtins)
counts = st.integers(0, 3)
huge = st.integers(0, 2**63 - 1)
disk = st.dictionaries(st.sampled_from(("kind", "x_cm", "y_cm", "diameter_cm")), cells)


def _line(kind: str, **given: st.SearchStrategy[Any]) -> st.SearchStrategy[SessionLine]:
    return st.builds(lambda t_us, fields: made(kind, t_us, **fields), times, st.fixed_dictionaries(given))


row = dict.fromkeys(NAMES, cells)
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
    _line("command", epoch=counts, batch=counts, last_event=counts, orders=st.lists(orders, max_size=3)),
    _line("batch_done", batch=counts),
    _line("sequence_started", sequence=counts, cause=causes, by=counts, number=counts),
    _line("output_on", output=outputs, cause=causes, by=counts, part=counts, number=counts),
    _line("output_done", output=outputs, why=st.sampled_from(("finished", "stopped", "limit"))),
    _line("positions", first=huge, samples=huge, lost=counts, digest=words),
    _line("samples", source=st.just("wheel"), first=huge, samples=huge, digest=words, lost=counts, unsent=counts),
    _line("fault", what=st.sampled_from(("camera", "reset")), detail=words),
    _line("refused", batch=counts, order=counts, reason=words, number=counts),
    _line("entry_refused", sequence=counts, entry=counts, reason=words, number=counts),
    _line("panic", board=words, pin=counts, executed=counts, number=counts),
    _line("lease_expired", board_epoch=counts, executed=counts, number=counts),
)  # fmt: skip
journals = st.tuples(headers, st.lists(lines, max_size=30))


def as_read(line: SessionLine, number: int) -> SessionLine:
    """Return a line as a reader returns it: nothing that the checks refuse reaches a view."""
    return parse_line(line_bytes(number, encode(line))[:-1])[1]


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


def check(journal: tuple[SessionLine, list[SessionLine]], drawn: set[int], folder: Path) -> None:
    head, *rest = (as_read(line, number) for number, line in enumerate((journal[0], *journal[1])))
    whole, parts = SessionViews(folder), SessionViews(folder)
    for number, line in enumerate((head, *rest)):
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
    journal: tuple[SessionLine, list[SessionLine]], drawn: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    check(journal, drawn, tmp_path_factory.getbasetemp())


@pytest.mark.campaign
@settings(deadline=None, max_examples=120)
@given(journal=journals, drawn=st.sets(st.integers(0, 30)))
def test_many_more_journals(
    journal: tuple[SessionLine, list[SessionLine]], drawn: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    check(journal, drawn, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("kind", VIEWS)
def test_every_view_is_drawn(kind: type[AnyView]) -> None:
    names_of = {"shares": "left_fraction", "channels": "left.beam"}
    needed = {field.name: names_of.get(field.name, "t_in") for field in struct_fields(kind) if field.required}
    shown = SessionViews()
    shown.take(header(as_json(kind(**needed))))
    (chart,) = shown.charts()
    assert chart.x.title


def test_names_are_one_or_several() -> None:
    assert (as_names("a"), as_names(("a", "b")), as_names("")) == (("a",), ("a", "b"), ())

"""The writer of a journal: what it numbers, seals and passes on, and what it refuses."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from rig.core.errors import OrderRefusedError, RecordError, TaskError
from rig.core.journal.codec import parse_line
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import REPLAYED_INPUTS, REPLAYED_OUTPUTS, Command, Note, SessionLine, StateLine, TrialLine
from rig.core.model.actions import MAX_ENTRIES, NOTHING, Arm, Load, Pulse, RewardAction, Set, Show, Shown
from rig.core.model.events import BoardTime, Edge, Fault, Request
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.scene import DARK
from tests.core.journal.examples import SESSION
from tests.journal_lines import made

texts = st.text(st.characters()) | st.sampled_from(["\ud800", "\udc00\ud800", "😀", "=1"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.sampled_from([2**63 - 1, -(2**63), 2**63]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
odd = st.one_of(anything, st.just((1,)), st.just(b"no"), st.builds(object), st.just({1: 2}), st.just({1: 2, "1": 3}))


def written(*calls: Callable[[Journal], object]) -> list[bytes]:
    """The lines that some calls on a journal write."""
    lines: list[bytes] = []
    journal = Journal(lines.append)
    for call in calls:
        call(journal)
    return lines


def line_of(call: Callable[[Journal], object]) -> SessionLine:
    """The only line that a call writes, as a reader takes it."""
    (raw,) = written(call)
    return parse_line(raw[:-1])[1]


def test_a_line_has_its_number_first_then_its_kind_and_time_and_its_checksum_last() -> None:
    (raw,) = written(lambda journal: journal.note(7, "grün", ul=2.5, place=None))
    begin = '{"seq":0,"k":"note","t":7,"what":"grün","fields":{"ul":2.5,"place":null},"crc":"'
    assert raw.decode().startswith(begin)
    assert raw.endswith(b'"}\n')
    assert raw.count(b"\n") == 1
    assert len(raw.decode()) == len(begin) + 8 + len('"}\n')


def test_lines_are_numbered_without_a_gap_and_counted_by_kind() -> None:
    lines: list[bytes] = []
    journal = Journal(lines.append)
    journal.write(made("header", **SESSION["header"]))
    for t_us in range(5):
        journal.write(StateLine(t_us, "ready"))
    journal.write(BoardTime(9, 0, 1))
    assert [json.loads(line)["seq"] for line in lines] == list(range(7)) == list(range(journal.seq))
    assert journal.counts == {"header": 1, "state": 5, "time": 1}


def test_a_listener_receives_every_note_and_nothing_else() -> None:
    told: list[Mapping[str, Any]] = []
    journal = Journal(lambda line: None, told.append)
    journal.write(StateLine(0, "ready"))
    journal.note(5, "assignment", vi_s=[3, 9])
    journal.row(6, TRIAL_TABLE, {"disk": 1})
    assert told == [{"what": "assignment", "vi_s": [3, 9]}]


def test_a_line_that_could_not_be_written_is_not_counted() -> None:
    failing = [True]

    def sink(line: bytes) -> None:
        if failing.pop():
            raise RecordError("the disk is full")

    journal = Journal(sink)
    with pytest.raises(RecordError, match="the disk is full"):
        journal.write(StateLine(0, "ready"))
    assert (journal.seq, journal.counts) == (0, {})
    failing.append(False)
    journal.write(StateLine(0, "ready"))
    assert (journal.seq, journal.counts) == (1, {"state": 1})


def test_a_note_may_have_fields_that_are_called_like_its_arguments_or_like_those_of_a_line() -> None:
    fields = {"t_us": 5, "kind": "x", "self": 3, "seq": 1, "crc": "", "t": 2, "k": "trial"}
    assert line_of(lambda journal: journal.note(1, "so", **fields)) == Note(1, "so", fields)


@pytest.mark.parametrize("what", [3, None, ["a"]])
def test_a_note_that_says_its_word_in_no_text_is_the_protocols_mistake(what: Any) -> None:
    with pytest.raises(TaskError, match="'what' is no text"):
        written(lambda journal: journal.note(1, what, a=3))


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, object(), {1, 2}, b"bytes", 1 << 63, {1: 2, "1": 3}],
    ids=["nan", "inf", "-inf", "object", "set", "bytes", "large", "twice"],
)
def test_a_value_that_is_not_data_is_the_protocols_mistake(value: object) -> None:
    journal = Journal(lambda line: None)
    for write in (journal.row, lambda t_us, table, values: journal.note(t_us, table, **values)):
        with pytest.raises(TaskError, match="cannot be written in the journal"):
            write(1, TRIAL_TABLE, {"reaction_s": value})
    assert journal.seq == 0


class Side(enum.StrEnum):
    LEFT = "left"


@pytest.mark.parametrize(
    ("value", "as_json"),
    [(Side.LEFT, "left"), (np.float64(1.5), 1.5), ((1, 2), [1, 2]), ({1: 2}, {"1": 2}), ("\ud800", "\\ud800")],
)
def test_a_value_that_json_has_in_another_form_is_written_so(value: object, as_json: object) -> None:
    line = line_of(lambda journal: journal.row(1, TRIAL_TABLE, {"side": value, "in": [value]}))
    assert line == TrialLine(1, {"side": as_json, "in": [as_json]})


def test_a_value_nested_too_deeply_to_be_written_is_the_tasks_mistake() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(TaskError, match="cannot be written"):
        Journal(lambda line: None).note(0, "note", deep=deep)


def test_half_a_character_in_any_line_is_written_so_that_it_can_be_seen() -> None:
    assert line_of(lambda journal: journal.write(Fault(3, "disk", "\udcff.yaml"))) == Fault(3, "disk", "\\udcff.yaml")


def test_a_row_that_is_longer_than_a_reader_takes_is_the_protocols_mistake() -> None:
    with pytest.raises(TaskError, match="longer than"):
        written(lambda journal: journal.row(1, TRIAL_TABLE, {"text": "x" * (1 << 22)}))


@given(st.dictionaries(texts.filter(lambda name: name not in ("t_us", "what")), odd, max_size=4))
def test_what_the_journal_writes_is_what_a_reader_takes_and_else_it_refuses(fields: dict[str, Any]) -> None:
    for call in (
        lambda journal: journal.note(1, "so", **fields),
        lambda journal: journal.row(1, TRIAL_TABLE, fields),
        lambda journal: journal.row(1, "days", fields),
    ):
        with suppress(TaskError):
            line_of(call)


@given(st.sampled_from([kind for kind in SESSION if kind not in ("header", "footer")]), texts)
def test_a_text_of_any_kind_is_written_so_that_a_reader_takes_it(kind: str, text: str) -> None:
    fields = {**SESSION[kind], **dict.fromkeys({"name", "detail", "text"} & SESSION[kind].keys(), text)}
    line = convert({"k": kind, "t": 5, **fields}, SessionLine)
    assert type(line_of(lambda journal: journal.write(line))) is type(line)


# --- orders ---------------------------------------------------------------------------------------------------

ORDERS = (
    Arm(
        3,
        5_000_000,
        (("left.beam", 1, RewardAction(Pulse("left.valve", 40_000), "left", 2.5)), ("right.beam", 1, NOTHING)),
    ),
    Load(0, ((0, Pulse("left.light", 5)), (9, Set("right.light", False)))),
    Set("left.light", True),
)


def test_a_batch_of_orders_comes_back() -> None:
    line = line_of(lambda journal: journal.command(17, 1, 4, 99, [*ORDERS, Show(DARK)]))
    assert line == Command(17, 1, 4, 99, (*ORDERS, Shown(DARK.id)))


def test_orders_are_objects_that_a_person_can_read() -> None:
    (raw,) = written(lambda journal: journal.command(17, 1, 4, 99, ORDERS))
    drop = {
        "do": "reward",
        "action": {"do": "pulse", "output": "left.valve", "us": 40_000},
        "source": "left",
        "ul": 2.5,
    }
    assert json.loads(raw)["orders"] == [
        {
            "do": "arm",
            "group": 3,
            "until_us": 5_000_000,
            "members": [["left.beam", 1, drop], ["right.beam", 1, {"do": "nothing"}]],
        },
        {
            "do": "load",
            "sequence": 0,
            "entries": [
                [0, {"do": "pulse", "output": "left.light", "us": 5}],
                [9, {"do": "set", "output": "right.light", "on": False}],
            ],
        },
        {"do": "set", "output": "left.light", "on": True},
    ]


def test_more_orders_than_any_board_takes_are_the_tasks_mistake() -> None:
    with pytest.raises(TaskError, match="more than any board takes"):
        written(lambda journal: journal.command(0, 0, 1, 0, [Set("left.light", True)] * 5_000))


def test_a_sequence_that_is_longer_than_any_board_takes_is_refused_before_its_line() -> None:
    longest = Load(0, tuple((at_us, NOTHING) for at_us in range(MAX_ENTRIES)))
    assert line_of(lambda journal: journal.command(0, 0, 1, 0, [longest])) == Command(0, 0, 1, 0, (longest,))
    too_long = Load(0, (*longest.entries, (MAX_ENTRIES, NOTHING)))
    with pytest.raises(OrderRefusedError, match="beyond what any board can do"):
        written(lambda journal: journal.command(0, 0, 1, 0, [too_long]))
    assert MAX_ENTRIES == 255, "the wire has one byte for their number"


def test_the_line_of_the_protocol_that_made_a_sequence_is_not_written() -> None:
    load = Load(0, ()).made_at(("/lab/task.py", 3))
    (raw,) = written(lambda journal: journal.command(0, 0, 1, 0, [load]))
    assert b"task.py" not in raw
    assert load == Load(0, ())


# --- what a replay needs ---------------------------------------------------------------------------------------


def test_inputs_and_decisions_have_nothing_in_common() -> None:
    assert set(REPLAYED_INPUTS).isdisjoint(REPLAYED_OUTPUTS)


@pytest.mark.parametrize("event", [Edge(5, "left.beam", 1, 3, 7), Request(5, "reward left", 6, 250)])
def test_an_event_is_its_line(event: Edge | Request) -> None:
    assert line_of(lambda journal: journal.write(event)) == event
    assert isinstance(event, REPLAYED_INPUTS)

import json
import math
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError, TaskError
from rig.core.journal.journal import REPLAYED_INPUTS, REPLAYED_OUTPUTS, Journal, event_of, fields_of
from rig.core.journal.lines import add_crc
from rig.core.model.actions import NOTHING, Arm, Pulse, RewardAction, Set
from rig.core.model.events import (
    BoardTime,
    Edge,
    Fault,
    Flood,
    FrameShown,
    Hover,
    Key,
    LeaseExpired,
    Overflow,
    Panic,
    Refused,
    Request,
    Touch,
    ZoneEvent,
)

numbers = st.integers(0, 2**53)
channels = st.sampled_from(("left.beam", "right_2.beam", "lever"))
text = st.text()
OF_THE_BOARD = ("flood", "lease_expired", "overflow", "panic", "refused")
events = st.one_of(
    st.builds(Edge, channels, st.integers(0, 1), numbers, st.integers(0, 255), numbers),
    st.builds(BoardTime, numbers, numbers, numbers),
    st.builds(Refused, numbers, numbers, st.integers(0, 255), text, numbers),
    st.builds(LeaseExpired, numbers, numbers, numbers, numbers),
    st.builds(Panic, numbers, text, numbers, numbers, numbers),
    st.builds(Flood, numbers, channels, numbers, numbers),
    st.builds(Overflow, numbers, numbers, numbers, numbers, numbers),
    st.builds(ZoneEvent, channels, st.integers(0, 1), numbers, numbers, numbers),
    st.builds(
        Touch,
        numbers,
        st.sampled_from(("down", "move", "up")),
        numbers,
        *[st.floats(-1e4, 1e4)] * 4,
        numbers,
        text,
        st.booleans(),
        st.booleans(),
        numbers,
        numbers,
    ),
    st.builds(FrameShown, numbers, numbers, text, numbers, numbers),
    st.builds(Key, numbers, text, numbers, numbers),
    st.builds(Hover, numbers, text, *[st.floats(-1e4, 1e4)] * 2, numbers, numbers, numbers),
    st.builds(Request, numbers, text, numbers, numbers),
    st.builds(Fault, numbers, text.filter(lambda what: what not in OF_THE_BOARD), text),
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)


def written(*calls) -> list[dict]:
    """The lines that some calls on a journal write."""
    lines: list[bytes] = []
    journal = Journal(lines.append)
    for call in calls:
        call(journal)
    return [json.loads(line) for line in lines]


def one(call) -> dict:
    (line,) = written(call)
    return {key: line[key] for key in line if key not in ("seq", "crc")}


# --- lines --------------------------------------------------------------------------------------------------


def test_a_line_is_sealed_by_the_check_of_everything_before_it():
    line = add_crc('{"seq":0,"t":5')
    body, _, check = line.partition(b',"crc":')
    assert check == b'"%08x"}\n' % zlib.crc32(body)
    assert json.loads(line) == {"seq": 0, "t": 5, "crc": f"{zlib.crc32(body):08x}"}


def test_a_line_is_short_ascii_and_in_one_order():
    lines: list[bytes] = []
    Journal(lines.append).note(7, "note", what="grün", ul=2.5, place=None)
    assert lines[0].startswith(
        b'{"seq":0,"t":7,"src":"host","k":"note","what":"gr\\u00fcn","ul":2.5,"place":null,"crc":"'
    )
    assert lines[0].isascii()
    assert lines[0].endswith(b'"}\n')
    assert lines[0].count(b"\n") == 1


def test_lines_are_numbered_without_a_gap_and_counted_by_kind():
    lines: list[bytes] = []
    journal = Journal(lines.append)
    journal.note(0, "header")
    for t_us in range(5):
        journal.state(t_us, "ready")
    journal.event(BoardTime(9, 0, 1))
    assert [json.loads(line)["seq"] for line in lines] == list(range(7)) == list(range(journal.seq))
    assert journal.counts == {"header": 1, "state": 5, "time": 1}


def test_a_listener_receives_every_note_and_nothing_else():
    told: list[dict] = []
    journal = Journal(lambda line: None, told.append)
    journal.note(0, "header", seed=1)
    journal.note(5, "note", what="assignment", vi_s=[3, 9])
    journal.note(6, "trial", disk=1)
    assert told == [{"what": "assignment", "vi_s": [3, 9]}]


def test_a_line_that_could_not_be_written_is_not_counted():
    failing = [True]

    def sink(line: bytes) -> None:
        if failing.pop():
            raise RecordError("the disk is full")

    journal = Journal(sink)
    with pytest.raises(RecordError, match="the disk is full"):
        journal.state(0, "ready")
    assert (journal.seq, journal.counts) == (0, {})
    failing.append(False)
    journal.state(0, "ready")
    assert (journal.seq, journal.counts) == (1, {"state": 1})


@settings(max_examples=40)
@given(st.dictionaries(text.map("x{}".format), values, max_size=4))
def test_the_fields_of_a_note_come_back(fields):
    line = one(lambda journal: journal.note(1, "note", **fields))
    assert line == {"t": 1, "src": "host", "k": "note", **fields}


def test_no_fields_are_no_comma():
    assert fields_of({}) == ""
    assert one(lambda journal: journal.note(1, "note")) == {"t": 1, "src": "host", "k": "note"}


def test_a_note_may_have_fields_that_are_called_like_its_arguments():
    line = one(lambda journal: journal.note(1, "note", t_us=5, kind="x", self=3))
    assert (line["t"], line["t_us"], line["kind"], line["self"]) == (1, 5, "x", 3)


@pytest.mark.parametrize("name", ["seq", "t", "src", "k", "crc"])
def test_a_field_that_would_hide_one_of_the_journals_own_is_refused(name):
    """A column called ``t`` would make every row of its table unreadable."""
    journal = Journal(lambda line: None)
    with pytest.raises(TaskError, match=f"'{name}' is one of the journal's own fields"):
        journal.note(1, "trial", choice="left", **{name: 5})
    assert journal.seq == 0


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, object(), {1, 2}, b"bytes"],
    ids=["nan", "inf", "-inf", "object", "set", "bytes"],
)
def test_a_value_that_is_not_data_is_the_protocols_mistake(value):
    journal = Journal(lambda line: None)
    with pytest.raises(TaskError, match="cannot be written in the journal"):
        journal.note(1, "trial", reaction_s=value)
    assert journal.seq == 0


def test_a_state_may_be_named_in_any_language():
    assert one(lambda journal: journal.state(3, "wähle")) == {"t": 3, "src": "host", "k": "state", "name": "wähle"}


# --- what is written of what --------------------------------------------------------------------------------


def test_a_batch_of_orders_is_written_as_objects():
    orders = [
        Arm(
            3,
            5_000_000,
            (("left.beam", 1, RewardAction(Pulse("left.valve", 40_000), "left", 2.5)), ("right.beam", 1, NOTHING)),
        ),
        Set("left.light", True),
    ]
    assert one(lambda journal: journal.command(17, 1, 4, 99, orders)) == {
        "t": 17,
        "src": "host",
        "k": "command",
        "epoch": 1,
        "batch": 4,
        "last_event": 99,
        "orders": [
            {
                "do": "arm",
                "group": 3,
                "until_us": 5_000_000,
                "members": [
                    {
                        "channel": "left.beam",
                        "level": 1,
                        "do": "pulse",
                        "output": "left.valve",
                        "us": 40_000,
                        "source": "left",
                        "ul": 2.5,
                    },
                    {"channel": "right.beam", "level": 1, "do": "nothing"},
                ],
            },
            {"do": "set", "output": "left.light", "on": True},
        ],
    }


@pytest.mark.parametrize(("what", "which"), [("batch", 3), ("output", "left.valve")])
def test_what_the_board_finished_is_written_with_its_name_or_number(what, which):
    line = one(lambda journal: journal.done(17, what, which))
    assert line == {"t": 17, "src": "board", "k": f"{what}_done", what: which}


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            Edge("left.beam", 1, 5, 3, 7),
            {"src": "board", "k": "edge", "channel": "left.beam", "level": 1, "fired": 3, "number": 7},
        ),
        (BoardTime(5, 2, 8), {"src": "board", "k": "time", "executed": 2, "number": 8}),
        (
            Refused(5, 2, 1, "busy", 9),
            {"src": "board", "k": "fault", "what": "refused", "batch": 2, "order": 1, "reason": "busy", "number": 9},
        ),
        (
            LeaseExpired(5, 1, 4, 9),
            {"src": "board", "k": "fault", "what": "lease_expired", "board_epoch": 1, "executed": 4, "number": 9},
        ),
        (
            Panic(5, "uno", 12, 4, 9),
            {"src": "board", "k": "fault", "what": "panic", "board": "uno", "pin": 12, "executed": 4, "number": 9},
        ),
        (
            Flood(5, "left.beam", 38_000, 9),
            {"src": "board", "k": "fault", "what": "flood", "channel": "left.beam", "edges_per_s": 38_000, "number": 9},
        ),
        (
            Overflow(5, 3, 7, 1, 9),
            {"src": "board", "k": "fault", "what": "overflow", "lost": 3, "executed": 7, "effects": 1, "number": 9},
        ),
        (
            Request(5, "reward left", 6, 250),
            {"src": "operator", "k": "request", "what": "reward left", "raw_us": 6, "uncertainty_us": 250},
        ),
        (
            Fault(5, "link_lost", 'the "cable"'),
            {"src": "host", "k": "fault", "what": "link_lost", "detail": 'the "cable"'},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_event_has_its_line(event, line):
    assert one(lambda journal: journal.event(event)) == {"t": 5, **line}


@given(events)
def test_every_event_comes_back_from_its_line(event):
    (line,) = written(lambda journal: journal.event(event))
    again = event_of(line)
    assert again == event
    assert type(again) is type(event)
    assert line["k"] in REPLAYED_INPUTS


def test_a_line_that_is_no_input_is_no_event():
    lines = written(
        lambda journal: journal.note(0, "header", seed=1),
        lambda journal: journal.state(0, "ready"),
        lambda journal: journal.command(0, 0, 1, 0, [NOTHING]),
        lambda journal: journal.done(0, "batch", 1),
        lambda journal: journal.note(0, "trial", choice="left"),
    )
    assert [event_of(line) for line in lines] == [None] * 5
    assert {line["k"] for line in lines} & REPLAYED_INPUTS == set()


def test_inputs_and_decisions_have_nothing_in_common():
    assert REPLAYED_INPUTS.isdisjoint(REPLAYED_OUTPUTS)

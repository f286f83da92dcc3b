"""Latencies, rewards, channels and moments of a session, from its lines."""

from __future__ import annotations

from rig.core.model.actions import Amount, Pulse
from rig.records.outputs.lanes import Lanes
from rig.report.channels import channel_rows
from rig.report.latencies import OrderLatencies, StampErrors, subject_latencies
from rig.report.reward_counts import given_rows
from rig.report.timeline import timeline
from tests.journal_lines import HEADER, made
from tests.records.folded import folded
from tests.records.journals import Book

LIGHT = Pulse("left.light", 4_000)


def test_an_order_s_latency_is_from_its_cause_to_the_board_s_execution() -> None:
    book = Book()
    for batch, took in ((1, 3_000), (2, 1_500), (3, 0)):
        book.line("command", t_us=batch * 10_000, epoch=0, batch=batch, last_event=0, orders=[])
        book.line("batch_done", t_us=batch * 10_000 + took, batch=batch)
    found = folded(OrderLatencies(), book.lines).row()
    assert found is not None
    assert found.values_ms == [0.0, 1.5, 3.0]
    assert [found.quantile(part) for part in (0.0, 0.5, 0.99, 1.0)] == [0.0, 1.5, 3.0, 3.0]


def test_a_batch_of_an_epoch_that_ended_is_not_matched_with_one_of_the_next() -> None:
    book = Book()
    book.line("command", t_us=0, epoch=0, batch=1, last_event=0, orders=[])
    book.lease(1, 0)
    book.line("batch_done", t_us=9_000_000, batch=1)
    assert folded(OrderLatencies(), book.lines).row() is None


def test_the_errors_of_other_clocks_are_listed_by_kind() -> None:
    book = Book()
    for bound in (300, 100):
        book.line("zone", channel="choice.zone", level=1, raw_us=5, uncertainty_us=bound)
    (found,) = folded(StampErrors(), book.lines).rows()
    assert (found.name, found.values_ms) == ("zone", [0.1, 0.3])


def test_durations_of_a_table_are_its_columns_in_seconds_that_are_no_times() -> None:
    number = {"kind": "number", "text": ""}
    columns = {
        "t_in": {**number, "unit": "s"},
        "latency_s": {**number, "unit": "s", "text": "until the choice"},
        "wait_ms": {**number, "unit": "ms"},
        "volume_ul": {**number, "unit": "ul"},
        "name": {"kind": "text", "unit": "", "text": ""},
        "flag_s": {**number, "unit": "s"},
    }
    rows = [{"latency_s": 0.5, "wait_ms": 7, "flag_s": True}, {"latency_s": None}, {"latency_s": 0.25}]
    header = made("header", **{**HEADER, "columns": list(columns), "descriptions": {"trials": columns}})
    found = {row.name: (row.values_ms, row.text) for row in subject_latencies(header, rows)}
    assert found == {"latency_s": ([250.0, 500.0], "until the choice"), "wait_ms": ([7.0], "")}


def test_of_a_reward_its_last_status_counts_and_what_was_never_given_is_left_out() -> None:
    book = Book()
    book.gave(1, "pending")
    book.gave(1, "delivered")
    book.gave(2, "pending")
    book.gave(2, "cancelled")
    book.gave(3, "delivered", Amount(4.0))
    book.gave(4, "unconfirmed")
    found = [(row.source, row.status, row.count, row.amount) for row in given_rows(book.lines)]
    assert found == [("left", "delivered", 2, 6.5), ("left", "unconfirmed", 1, 2.5)]


def test_an_input_that_never_changed_is_listed_and_an_open_one_lasts_to_the_end() -> None:
    book = Book()
    book.edge("left.beam", 1)
    book.edge("left.beam", 0)
    book.edge("left.beam", 1)
    book.command(1, LIGHT)
    book.done(1)
    lanes = Lanes()
    for line in book.lines:
        lanes.take(line)
    rows = {row.name: row for row in channel_rows(lanes, 10_000, ["right.beam"])}
    assert list(rows) == ["left.beam", "right.beam", "left.light"]
    assert (rows["left.beam"].times, rows["left.beam"].total_us) == (2, 1_000 + 7_000)
    assert (rows["right.beam"].times, rows["right.beam"].is_input) == (0, True)
    assert (rows["left.light"].longest_us, rows["left.light"].is_input) == (4_000, False)


def test_what_people_did_is_told_from_what_the_program_notes() -> None:
    book = Book()
    book.line("pause", t_us=1)
    book.line("resume", t_us=61_000_000, paused_us=61_000_000)
    book.line("operator_note", t_us=5, text="a bit <b>slow</b>", raw_us=5, uncertainty_us=1)
    book.line("params", t_us=6, trial=12, changed={"reward_ul": 3.0})
    book.line("note", what="assignment", disks=[1])
    book.line("note", what="lick", count=3, side="left")
    book.refused(1, 0)
    found = [(moment.kind, moment.text, moment.by_person) for moment in timeline(book.lines)]
    assert found == [
        ("pause", "the session is paused", True),
        ("resume", "the session goes on after 1:01", True),
        ("note", "a bit <b>slow</b>", True),
        ("parameter", "reward_ul=3, from trial 12 on", True),
        ("note", "lick: count 3, side left", False),
        ("fault", "the board has refused an order: busy", False),
    ]

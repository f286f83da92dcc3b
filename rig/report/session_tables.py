"""Tables of a session's page that are folds over its journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rig.core.journal.header import Footer
from rig.core.journal.kinds import HealthLine
from rig.core.model.line import Line
from rig.records.outputs.lanes import Lanes
from rig.records.recorded_session import RecordedSession
from rig.records.session.read_environment import fact
from rig.records.session.state_spans import StateSpans
from rig.report.channels import ChannelRow, channel_rows
from rig.report.html import Content, Html, element, facts, table, together
from rig.report.latencies import LatencyRow, subject_latencies
from rig.report.page_report import PageReport
from rig.report.reward_counts import given_rows
from rig.report.states import StateTimes, state_times
from rig.report.timeline import shown, timeline
from rig.terminal.format import clock

MOST_FOLLOWING = 12
"""So many states that followed another one are named."""
_UNITS = {"access_s": "s of access"}
_COUNTERS = {
    "damaged": "frames from the board that were damaged",
    "resent": "frames that the host sent again",
    "duplicates": "frames from the board that came twice",
    "gaps": "frames from the board that were missing",
    "rate_ppm": "drift of the board's clock against the computer's, in millionths",
    "board_damaged": "frames to the board that were damaged",
    "board_resent": "frames that the board sent again",
    "board_refused": "orders that the board refused",
    "board_lost": "events that the board lost",
    "board_leases": "leases that expired",
    "board_limits": "outputs that reached their longest on-time",
    "board_longest_loop_us": "the board's longest loop, in us",
}


_MEASURED = ("rate_ppm", "board_longest_loop_us")
"""Measurements: 0 is a value of them, and not that nothing was counted."""


def states_part(records: RecordedSession, spans: StateSpans) -> Html | None:
    """Return the table of states; None for a session without any."""
    states = state_times(spans, records.clock, records.end_us)
    whole_us = sum(state.total_us for state in states) or 1
    head = ("state", "visits", "time (s)", "share", "median visit (s)", "longest (s)", "went on to")
    rows = (
        (
            *(
                state.name,
                str(len(state.lengths_us)),
                f"{state.total_us / 1e6:.1f}",
                f"{state.total_us / whole_us:.1%}",
            ),
            *(f"{state.median_us / 1e6:.3f}", f"{max(state.lengths_us) / 1e6:.3f}", _following(state)),
        )
        for state in states
    )
    return (
        table(head, rows, caption="in the order of their first visit, in task time", right=range(1, 6))
        if states
        else None
    )


def _following(state: StateTimes) -> str:
    named = [f"{name} {count}" for name, count in state.following.most_common(MOST_FOLLOWING)]
    more = len(state.following) - len(named)
    return ", ".join([*named, *([f"{more} more"] if more else [])])


def latencies_part(report: PageReport) -> Html | None:
    """Return the latencies of the host, the errors of times of other clocks, and the durations of the trial table."""
    orders = report.orders.row()
    host = [*([] if orders is None else [orders]), *report.stamps.rows()]
    own = list(subject_latencies(report.records.header, report.records.rows()))
    parts = [
        _latency_table("host and clocks, in ms", host, 1.0) if host else None,
        _latency_table("durations in the trial table, in s", own, 1000.0) if own else None,
    ]
    return together(parts) if host or own else None


def _latency_table(caption: str, rows: Sequence[LatencyRow], unit_ms: float) -> Html:
    head = ("what", "n", "median", "5 %", "95 %", "99 %", "largest")
    cells = (
        (
            [row.name, element("br"), element("small", row.text)] if row.text else row.name,
            str(len(row.values_ms)),
            *(f"{row.quantile(part) / unit_ms:,.3f}" for part in (0.5, 0.05, 0.95, 0.99, 1.0)),
        )
        for row in rows
    )
    return table(head, cells, caption=caption, right=range(1, 7))


def rewards_part(lines: Sequence[Line]) -> Html | None:
    """Return the table of rewards; None for a session without any."""
    rows = [
        (row.source, row.status, row.delivered_by, str(row.count), f"{row.amount:g} {_UNITS.get(row.unit, row.unit)}")
        for row in given_rows(lines)
    ]
    head = ("device", "status", "delivered by", "rewards", "amount")
    return table(head, rows, caption="rewards by device and status", right=(3, 4)) if rows else None


def channels_part(records: RecordedSession, lanes: Lanes) -> Html | None:
    """Return the tables of inputs and outputs."""
    footer = records.footer
    rows = channel_rows(lanes, records.end_us, () if footer is None else footer.inactive_inputs)
    kinds = ((True, "inputs"), (False, "outputs"))
    tables = [_channel_table(name, [row for row in rows if row.is_input == kind]) for kind, name in kinds]
    return together(tables) if rows else None


def _channel_table(caption: str, rows: Sequence[ChannelRow]) -> Html | None:
    cells = (
        (row.name, str(row.times) if row.times else "never", f"{row.total_us / 1e6:.3f}", f"{row.longest_us / 1e6:.3f}")
        for row in rows
    )
    return (
        table(("channel", "times on", "on (s)", "longest (s)"), cells, caption=caption, right=(1, 2, 3))
        if rows
        else None
    )


def board_part(records: RecordedSession, lines: Sequence[Line]) -> Html:
    """Return the board, the link's counters and what the footer says of orders."""
    environment, footer = records.environment, records.footer
    health = next((line for line in reversed(lines) if isinstance(line, HealthLine)), None)
    refusals = {} if footer is None else footer.refusals
    known = facts(
        [
            ("board", _said(fact(environment, "board", "name"))),
            ("id", _said(fact(environment, "board", "uid"))),
            ("firmware", _said(fact(environment, "board", "firmware"))),
            ("driver", _said(records.header.rig.board.get("driver"))),
            ("answered at the end", _answered(footer)),
            ("batches executed", None if footer is None else str(footer.executed)),
            ("last event", None if footer is None else str(footer.last_event)),
            ("unacknowledged", "0" if footer is None else str(len(footer.unacknowledged_batches))),
            ("refusals", ", ".join(f"{reason} {count}" for reason, count in refusals.items()) or "none"),
            ("leases expired", "0" if footer is None else str(footer.lease_expirations)),
        ]
    )
    counters = {} if health is None else health.counters
    some = [(_counter(name), str(value)) for name, value in counters.items() if value != 0 or name in _MEASURED]
    none = ", ".join(_counter(name) for name, value in counters.items() if value == 0 and name not in _MEASURED)
    counted = table(("counter", "value"), some, caption="both ends of the link", right=(1,)) if some else None
    return together([known, counted, element("p", f"None of these: {none}.") if none else None])


def _counter(name: str) -> str:
    return _COUNTERS.get(name, name.replace("_", " "))


def _answered(footer: Footer | None) -> str:
    if footer is None:
        return "no end yet"
    return "yes" if footer.complete else "NO"


def _said(value: object) -> str | None:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def events_part(lines: Sequence[Line]) -> Html | None:
    """Return what happened beside the task."""
    moments, left_out = shown(timeline(lines))
    rows: Iterator[Sequence[Content]] = (
        (clock(moment.t_us / 1e6), moment.kind, "a person" if moment.by_person else "the program", moment.text)
        for moment in moments
    )
    listed = table(("time (min:s)", "kind", "by", "what"), rows, caption="in the order of the journal")
    more = ", ".join(f"{count} of {word}" for word, count in left_out.items())
    return together([listed, element("p", f"Only in the journal: {more}.") if more else None]) if moments else None

"""Journal lines for the tests of the rules, and what a monitor finds in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import convert

from rig.core.journal.header import Header
from rig.core.journal.kinds import SessionLine
from rig.core.model.line import Line
from rig.expectations.finding import Finding, Severity
from rig.expectations.monitor import ExpectationMonitor
from tests.journal_lines import FOOTER, HEADER, channels_of, made

DEVICES = {
    "left": {"kind": "port", "beam": 6, "valve": 3},
    "right": {"kind": "port", "beam": 7, "valve": 4},
}
_OF_HOST_CLOCK = {"raw_us": 0, "uncertainty_us": 0}
_CONTACT = {**dict.fromkeys(("contact", "x_cm", "y_cm", "x_px", "y_px", "frame"), 0), "in_margin": False}
_REST: dict[str, dict[str, Any]] = {
    "footer": FOOTER,
    "edge": {"fired": 0, "number": 1},
    "zone": _OF_HOST_CLOCK,
    "touch": {**_CONTACT, **_OF_HOST_CLOCK},
    "frame_shown": {"frame": 1, **_OF_HOST_CLOCK},
    "scene": {"background": "#000000", "hit_margin_cm": 0, "hover": False},
    "positions": {"first": 0, "digest": ""},
    "samples": {"first": 0, "samples": 500, "digest": ""},
    "time": {"executed": 0, "number": 1},
    "command": {"epoch": 0, "last_event": 0, "orders": ()},
    "health": {"complete": True, "executed": 0},
    "continued": {"restarted": False},
    "output_done": {"why": "finished"},
    "overflow": {"executed": 0, "effects": 0, "number": 1},
    "lease_expired": {"board_epoch": 1, "executed": 0, "number": 1},
    "panic": {"board": "uno", "pin": 12, "executed": 3, "number": 7},
    "flood": {"number": 4},
    "refused": {"batch": 1, "order": 0, "number": 5},
    "entry_refused": {"sequence": 1, "entry": 0, "number": 5},
    "operator_note": _OF_HOST_CLOCK,
    "reward": {"id": 1, "amount": 2.5, "unit": "ul", "delivered_by": "board", "cause": "reflex"},
}
"""The fields that matter to no rule, by the kind of their line."""


def line(kind: str, t_s: float = 0.0, **fields: Any) -> SessionLine:
    """Make a line with the fields that matter."""
    return made(kind, round(t_s * 1e6), **{**_REST.get(kind, {}), **fields})


def edge(channel: str, t_s: float, level: int = 1) -> SessionLine:
    return line("edge", t_s, channel=channel, level=level)


def visit(channel: str, t_s: float, for_s: float = 0.1) -> list[SessionLine]:
    return [edge(channel, t_s), edge(channel, t_s + for_s, 0)]


def reward(source: str, t_s: float, status: str = "delivered", by: str = "board") -> SessionLine:
    return line("reward", t_s, source=source, status=status, delivered_by=by)


def footer(t_s: float, **fields: Any) -> SessionLine:
    return line("footer", t_s, **fields)


def header(devices: Mapping[str, Any] = DEVICES, **expect: Any) -> Header:
    """Make the header of a session whose protocol uses all devices of the rig."""
    rig = {**HEADER["rig"], "devices": devices, "channels": channels_of(devices)}
    return convert({"k": "header", "t": 0, **HEADER, "rig": rig, "box": list(devices), "expect": expect}, Header)


def monitor_of(lines: Iterable[Line], head: Line | None = None) -> ExpectationMonitor:
    monitor = ExpectationMonitor()
    for each in (head or header(), *lines):
        monitor.take(each)
    return monitor


def found(lines: Iterable[Line], head: Line | None = None) -> list[Finding]:
    """Return what is found in lines that are no whole session, without the notes."""
    monitor = monitor_of(sorted(lines, key=lambda each: each.t_us), head)
    return [finding for finding in monitor.findings if finding.severity is not Severity.NOTE]


def rules_found(lines: Iterable[Line], head: Line | None = None) -> list[tuple[str, str]]:
    """Return the rule of each finding, and what it is about."""
    return [(finding.rule, finding.about) for finding in found(lines, head)]

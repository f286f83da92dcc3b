"""Journal lines for the tests of the rules, and what a monitor finds in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rig.expectations.finding import Finding, Severity
from rig.expectations.monitor import ExpectationMonitor
from tests.journal_lines import FOOTER, channels_of

Line = Mapping[str, Any]

DEVICES = {
    "left": {"kind": "port", "beam": 6, "valve": 3},
    "right": {"kind": "port", "beam": 7, "valve": 4},
}


def line(kind: str, t_s: float, **fields: Any) -> Line:
    return {"k": kind, "t": round(t_s * 1e6), **fields}


def edge(channel: str, t_s: float, level: int = 1) -> Line:
    return line("edge", t_s, channel=channel, level=level, fired=0, number=1)


def visit(channel: str, t_s: float, for_s: float = 0.1) -> list[Line]:
    return [edge(channel, t_s), edge(channel, t_s + for_s, 0)]


def reward(source: str, t_s: float, status: str = "delivered", by: str = "board") -> Line:
    fields = {"id": 1, "amount": 2.5, "unit": "ul", "cause": "reflex"}
    return line("reward", t_s, source=source, status=status, delivered_by=by, **fields)


def footer(t_s: float, **fields: Any) -> Line:
    return line("footer", t_s, **{**FOOTER, **fields})


def header(devices: Mapping[str, Any] = DEVICES, **expect: Any) -> Line:
    return line(
        "header",
        0,
        rig={"devices": devices, "channels": channels_of(devices)},
        **({"expect": expect} if expect else {}),
    )


def monitor_of(lines: Iterable[Line], head: Line | None = None) -> ExpectationMonitor:
    monitor = ExpectationMonitor()
    for each in (head or header(), *lines):
        monitor.take(each)
    return monitor


def found(lines: Iterable[Line], head: Line | None = None) -> list[Finding]:
    """Return what is found in lines that are no whole session, without the notes."""
    monitor = monitor_of(sorted(lines, key=lambda each: int(each["t"])), head)
    return [finding for finding in monitor.findings if finding.severity is not Severity.NOTE]


def rules_found(lines: Iterable[Line], head: Line | None = None) -> list[tuple[str, str]]:
    """Return the rule of each finding, and what it is about."""
    return [(finding.rule, finding.about) for finding in found(lines, head)]

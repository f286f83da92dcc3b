"""The values, the rig and the programs of a session's page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import to_builtins

from rig.config.explain import yaml_text
from rig.core.model.line import Line
from rig.records.recorded_session import RecordedSession
from rig.records.session.read_environment import fact
from rig.report.html import Content, Html, element, facts, fold, table, together
from rig.report.parameters import ValueRow, ValueSources


def values_part(records: RecordedSession, lines: Sequence[Line]) -> Html:
    """Return every parameter and limit with its source; the settings of devices are folded."""
    sources = ValueSources(records)
    header = records.header
    left = ", ".join(f"{amount:g} {unit}" for unit, amount in header.remaining_today.items() if amount is not None)
    limit = None if header.daily_limit is None else yaml_text(to_builtins(header.daily_limit))
    return together(
        [
            _table("parameters of the protocol", sources.params(lines)),
            _table("limits of the session", sources.limits()),
            element("p", f"What the subject might still be given that day: {left}.") if left else None,
            element("p", f"Another daily limit was set: {limit}") if limit is not None else None,
            _some("what is normal for this rig and protocol (section expect)", sources.expectations()),
            _some("values that the subject's last session passed on", sources.carried_over()),
            fold("Settings of the rig's devices", _table("settings of devices", sources.devices())),
        ]
    )


def _some(caption: str, rows: Sequence[ValueRow]) -> Html | None:
    return _table(caption, rows) if rows else None


def _table(caption: str, rows: Iterable[ValueRow]) -> Html:
    head = ("key", "value", "unit", "from", "meaning")
    return table(
        head, ((row.key, _value(row), row.unit, _source(row), row.description) for row in rows), caption=caption
    )


def _value(row: ValueRow) -> Content:
    changes: Iterator[Content] = (together([element("br"), change]) for change in row.changed)
    return [element("code", row.value), *changes]


def _source(row: ValueRow) -> Content:
    return [row.source, *(together([element("br"), f"overrides {other}"]) for other in row.overridden)]


def rig_part(records: RecordedSession) -> Html:
    """Return the rig's devices and the calibrations that the session used."""
    rig = records.header.rig
    rows = [
        (name, str(device.get("kind", "")), str(device.get("calibration", ""))) for name, device in rig.devices.items()
    ]
    known = table(("device", "kind", "calibration"), rows, caption=f"devices of {rig.name}") if rows else None
    calibrations = [
        (name, ", ".join(f"{key} {yaml_text(value)}" for key, value in calibration.items() if key != "name"))
        for name, calibration in rig.calibrations.items()
    ]
    used = table(("calibration", "measured"), calibrations, caption="calibrations") if calibrations else None
    return together([known, used])


def code_part(records: RecordedSession, lines: int) -> Html:
    """Return which programs ran, and which files the session left; ``lines`` is the number of its good lines."""
    environment, hashes = records.environment, records.header.code
    replaced = fact(environment, "replaced")
    known = facts(
        [
            ("program", _words(fact(environment, "program", "name"), fact(environment, "program", "version"))),
            ("Python", _words(fact(environment, "python"))),
            ("system", _words(fact(environment, "system"))),
            ("replaced files", ", ".join(map(str, replaced)) if isinstance(replaced, list) and replaced else "none"),
            ("journal", f"{lines} lines, {records.scan.damaged} damaged"),
            ("digest", None if records.footer is None else records.footer.digest),
        ]
    )
    git = [*_commits("program", environment), *_commits("protocol", environment)]
    parts = [
        known,
        table(("of", "commit", "changed since"), git, caption="git") if git else None,
        table(("file", "SHA-256"), hashes.items(), caption="code of the protocol") if hashes else None,
    ]
    return together(parts)


def _commits(of: str, environment: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    states = fact(environment, of, "git")
    for state in states if isinstance(states, list) else ():
        yield of, str(fact(state, "commit")), "yes" if fact(state, "dirty") else "no"


def _words(*values: object) -> str:
    return " ".join(value for value in values if isinstance(value, str))

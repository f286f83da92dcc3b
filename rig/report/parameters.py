"""Every value that decided a session, with its unit and where it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from rig.config import SessionLimits
from rig.config.errors.errors import Loc
from rig.config.explain import yaml_text
from rig.config.field_docs import FieldDoc, field_docs, param_groups
from rig.core.errors import RigError
from rig.core.journal.header import Header
from rig.core.journal.kinds import ParamsChanged
from rig.core.model.line import Line
from rig.core.model.unit_names import unit_of_name
from rig.records.recorded_session import RecordedSession
from rig.records.session.task_version import leaves
from rig.report.expected_values import expected_values
from rig.report.value_origins import Copies
from rig.session.spec.task_classes import installed_task

MOST_CHANGES = 50
"""So many changes of one parameter are listed; the others are counted."""
FROM_SUBJECT = "the subject's last session"


@dataclass(frozen=True)
class ValueRow:
    """One value: its key, its text, its unit, and where it came from; ``changed`` lists its changes in the session."""

    key: str
    value: str
    unit: str
    source: str
    overridden: Sequence[str] = ()
    description: str = ""
    changed: Sequence[str] = ()


class ValueSources:
    """The values of a session's header, explained by the copies of its files and by the models of its protocol."""

    def __init__(self, records: RecordedSession) -> None:
        self._header = records.header
        self._copies = Copies(records.folder)
        self._stage = None if self._header.curriculum is None else self._header.curriculum.stage

    def params(self, lines: Iterable[Line]) -> list[ValueRow]:
        """Return the parameters of the protocol; ``lines`` have their changes."""
        model = _params_model(self._header)
        changes = _changes(lines)
        docs = {} if model is None else _docs(model)
        return [self._row(loc, value, docs, changes) for loc, value in leaves(self._header.params, ("params",))]

    def limits(self) -> list[ValueRow]:
        """Return the limits of the session."""
        docs: dict[Loc, FieldDoc] = {("stop", doc.name): doc for doc in field_docs(SessionLimits)}
        return [self._row(loc, value, docs, {}) for loc, value in leaves(self._header.stop, ("stop",))]

    def devices(self) -> list[ValueRow]:
        """Return the settings of the rig's devices."""
        return [self._row(loc, value, {}, {}) for loc, value in leaves(self._header.rig.devices, ("devices",))]

    def expectations(self) -> list[ValueRow]:
        """Return what is normal for the rig and the protocol, as far as their files say it."""
        values, docs = expected_values(self._header.expect)
        return [self._row(loc, value, docs, {}) for loc, value in values.items()]

    def carried_over(self) -> list[ValueRow]:
        """Return the values that the subject's last session with this protocol passed on."""
        return [
            ValueRow(".".join(map(str, loc)), yaml_text(value), unit_of_name(str(loc[-1])), FROM_SUBJECT)
            for loc, value in leaves(self._header.carry_over)
        ]

    def _row(
        self, loc: Loc, value: object, docs: Mapping[Loc, FieldDoc], changes: Mapping[str, Sequence[str]]
    ) -> ValueRow:
        doc, known = _doc_and_default(docs, loc)
        origin = (
            self._copies.of_stage(self._stage, loc, value, *known)
            if self._stage is not None and loc[0] in ("params", "stop")
            else self._copies.of(loc, value, *known)
        )
        unit = unit_of_name(str(loc[-1])) if doc is None or doc.name != loc[-1] else doc.unit
        return ValueRow(
            key=".".join(map(str, loc[1:])),
            value=yaml_text(value),
            unit=unit,
            source=origin.source,
            overridden=origin.overridden,
            description="" if doc is None else doc.description,
            changed=changes.get(str(loc[1]), ()),
        )


def _doc_and_default(docs: Mapping[Loc, FieldDoc], loc: Loc) -> tuple[FieldDoc | None, tuple[object, ...]]:
    """Return what a key means, or the mapping that it is in, and its default; none of a key that has to be written."""
    end = next((end for end in range(len(loc), 1, -1) if loc[:end] in docs), 0)
    if not end:
        return None, ()
    doc = docs[loc[:end]]
    default = doc.default
    for key in loc[end:]:
        if not isinstance(default, Mapping) or key not in default:
            return doc, ()
        default = default[key]
    return doc, () if doc.required else (default,)


def _params_model(header: Header) -> type[BaseModel] | None:
    """Return the model of an installed protocol's parameters; None if there is none of this name.

    The name only selects among what is installed: no code is run because a journal says so.
    """
    if header.task:  # a laboratory's own file
        return None
    try:
        model: type[BaseModel] = installed_task(header.protocol).task.params_type
    except RigError:
        return None
    return model


def _docs(model: type[BaseModel]) -> dict[Loc, FieldDoc]:
    groups = param_groups(model)
    docs: dict[Loc, FieldDoc] = {("params", doc.name): doc for doc in field_docs(model)}
    inner = (("params", name, doc) for name, group in groups.items() for doc in field_docs(group))
    return docs | {(section, name, doc.name): doc for section, name, doc in inner}


def _changes(lines: Iterable[Line]) -> dict[str, list[str]]:
    """Return the changes of each parameter during the session."""
    changes: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    for line in lines:
        if isinstance(line, ParamsChanged):
            for name, value in line.changed.items():
                counts[name] += 1
                if counts[name] <= MOST_CHANGES:
                    changes.setdefault(name, []).append(f"{yaml_text(value)} from trial {line.trial} on")
    more = {name: count - MOST_CHANGES for name, count in counts.items() if count > MOST_CHANGES}
    return {
        name: [*texts, *([f"{more[name]} more changes"] if name in more else [])] for name, texts in changes.items()
    }

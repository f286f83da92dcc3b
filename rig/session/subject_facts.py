"""What a protocol may know of its subject when a session starts: from the records, or assumed for a simulated one."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rig.config.errors.closest_names import unknown_name
from rig.config.species import Species
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.core.model.subject import Subject, number_of
from rig.records.session.brief import SessionBrief
from rig.records.session.history import past_sessions
from rig.records.subject.deliveries import DeliveredTotal, Deliveries
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.last_weight import last_weight
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import SubjectFolder

FACTS = tuple(field.name for field in fields(Subject) if field.name != "name")
_ASSUMED: Mapping[Species, Subject] = MappingProxyType(
    {
        "mouse": Subject("", weight_g=22.0, weight_pct=88.0),
        "rat": Subject("", weight_g=306.0, weight_pct=85.0),
        "pigeon": Subject("", weight_g=425.0, weight_pct=85.0),
        "human": Subject(""),
    }
)
"""Weights of a simulated subject, restricted as it is usual for its species."""
REHEARSED = "test"
"""The name of a subject that is assumed."""
_DAY = datetime.timedelta(days=1)


def parse_facts(pairs: Iterable[str]) -> dict[str, float]:
    """Parse ``--fact KEY=VALUE``. Raises ``ConfigError`` with every mistake."""
    facts: dict[str, float] = {}
    mistakes = []
    for pair in pairs:
        key, _, text = (part.strip() for part in pair.partition("="))
        if key not in FACTS:
            mistakes.append(f"--fact {pair}: {unknown_name(f'there is no fact {key!r}', key, FACTS)}")
            continue
        try:
            facts[key] = getattr(_READER.validate_python({"name": "", key: text}), key)
        except ValidationError as error:
            mistakes.append(f"--fact {pair}: {error.errors()[0]['msg'].lower()}")
    if mistakes:
        raise ConfigError(*mistakes)
    return facts


_READER = TypeAdapter(Subject)


def subject_of_session(spec: SessionSpec, folder: SubjectFolder, start: datetime.datetime) -> Subject:
    """Return what is known of the subject of a session at its start. Raises ``ConfigError`` and ``RecordError``."""
    if not folder.simulated:
        return _with_request(spec, real_subject(folder.folder, start, spec.facts.get("weight_g")))
    subject = assumed_subject(folder.name, spec.species)
    if spec.from_records is not None:
        subject = real_subject(folder.folder.parent.parent / folder.name, start)
    past = list(past_sessions(folder.folder, simulated=True))
    today, yesterday = (_given_on(past, start.date() - days * _DAY) for days in (0, 1))
    subject = replace(subject, **_amounts(today, yesterday), days_since_last=_days_since(past, start.date()))
    if (weight_g := spec.facts.get("weight_g")) is not None:
        subject = _weighing(subject, weight_g)
    return _with_request(spec, subject)


def rehearsed_subject(spec: SessionSpec) -> Subject:
    """Return the subject of a rehearsal: the requested one as its records have it now, or an assumed one.

    Raises ``ConfigError`` and ``RecordError``.
    """
    request = spec.request
    if not request.subject:
        return _with_request(spec, replace(assumed_subject(REHEARSED, spec.species), number=1))
    folder = SubjectFolder(request.data, request.subject).folder
    if not folder.is_dir():
        raise ConfigError(f"--subject {request.subject}: {request.data} has no such subject")
    if request.start is None:
        raise ConfigError(f"--subject {request.subject}: on which day? The request has no start")
    return _with_request(spec, real_subject(folder, request.start))


def real_subject(folder: Path, start: datetime.datetime, weight_g: float | None = None) -> Subject:
    """Return what the records say of a subject at a moment; ``weight_g`` is a weight that was taken for the session."""
    if weight_g is None and (weighed := last_weight(folder, start)) is not None:
        weight_g = weighed[0]
    rules = load_known_subject(folder).on(start.date()).rules
    percent = None if weight_g is None else rules.percent(weight_g)
    midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
    tomorrow = max(start, midnight + _DAY)
    deliveries = Deliveries(folder, ((midnight - _DAY).astimezone(), tomorrow.astimezone()), by_folder=True)
    today, yesterday = deliveries.between(midnight, tomorrow), deliveries.between(midnight - _DAY, midnight)
    return Subject(
        folder.name,
        number_of(folder.name),
        weight_g,
        None if percent is None else round(percent, 1),
        _days_since(past_sessions(folder), start.date()),
        **_amounts(_known(today), _known(yesterday)),
    )


def assumed_subject(name: str, species: Species | None) -> Subject:
    """Return a simulated subject, with a weight if its species has one."""
    assumed = Subject("") if species is None else _ASSUMED[species]
    return replace(assumed, name=name, number=number_of(name))


def _with_request(spec: SessionSpec, subject: Subject) -> Subject:
    wanted: dict[str, Any] = dict(spec.request.subject_facts)
    if "weight_g" in wanted and "weight_pct" not in wanted:
        subject = _weighing(subject, wanted["weight_g"])
    return replace(subject, **wanted)


def _weighing(subject: Subject, weight_g: float) -> Subject:
    """Return a subject with another weight, and the same baseline."""
    before_g, percent = subject.weight_g, subject.weight_pct
    share = None if before_g is None or percent is None else round(percent * weight_g / before_g, 1)
    return replace(subject, weight_g=weight_g, weight_pct=share)


def _days_since(past: Iterable[SessionBrief], today: datetime.date) -> int | None:
    """Return the days since the last session that was not voided; None without one."""
    days = (session.day for session in past if session.voided is None)
    last = next((day for day in days if day <= today), None)
    return None if last is None else (today - last).days


def _given_on(past: Iterable[SessionBrief], day: datetime.date) -> Amount:
    """Return what sessions that ended gave: a session that goes on begins with the facts that it had."""
    ended = (session for session in past if session.day == day and session.footer is not None)
    return sum((session.sums.amount for session in ended), Amount())


def _known(total: DeliveredTotal) -> Amount | None:
    """Return what was given; None where more may have been given than can be read."""
    return None if total.unknown else total.amount


def _amounts(today: Amount | None, yesterday: Amount | None) -> dict[str, Any]:
    days = {"today": today, "yesterday": yesterday}
    return {
        f"{day}_{unit}": None if amount is None else getattr(amount, unit)
        for day, amount in days.items()
        for unit in ("ul", "pellets", "access_s")
    }

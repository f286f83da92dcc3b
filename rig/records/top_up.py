"""The water or food that a subject is still due at the end of a day, and whether it was confirmed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from rig.config.species import PELLET_G
from rig.records.deliveries import DeliveredTotal, Deliveries, delivered_between, manual_between
from rig.records.history import journals, past_sessions
from rig.records.known_subject import KnownSubject
from rig.records.subject_events import read_events
from rig.records.unseen_pellets import unseen_pellets

DAY = datetime.timedelta(days=1)
DAYS_OPEN = 7
"""So many days a top-up that was never confirmed is asked about."""
SMALLEST = {"ul": 0.5, "g": 0.05}
"""Less than this is not due: it cannot be measured out by hand."""


@dataclass(frozen=True)
class TopUp:
    """The top-up of one day: what was to be given, what was given, and whether a person confirmed the rest."""

    day: datetime.date
    unit: Literal["ul", "g"]
    target: float
    given: float
    unknown: str = ""
    """Why the amount that is due is not known; empty if it is known."""
    confirmed: bool = False
    advice: str = ""
    by_weight: bool = False
    """Whether target and given amount are weights of the subject, before its food."""
    unseen: int = 0
    """Pellets that the sensor of their feeder did not see; they are not part of the given amount."""

    @property
    def due(self) -> float:
        """Return the amount that is still due, at most if the given amount is unknown."""
        return max(0.0, round(self.target - self.given, 3))

    @property
    def is_open(self) -> bool:
        """Whether something is due, or may be, and no person confirmed that it was given."""
        return not self.confirmed and (bool(self.unknown) or self.due >= SMALLEST[self.unit])

    @property
    def text(self) -> str:
        """Return what is due, for a person."""
        if self.unknown:
            return f"unknown: {self.unknown}"
        given = f"{self.given:g} {self.unit} {'are reached' if self.by_weight else 'were given'}"
        text = f"{self.due:g} {self.unit} are due today: the target is {self.target:g} {self.unit}, {given}"
        if self.unseen:
            text += f", without the {self.unseen} pellets that no sensor has seen"
        return f"{text}; {self.advice}" if self.advice and self.is_open else text


def top_up_of(
    folder: Path,
    known: KnownSubject,
    day: datetime.date,
    until: datetime.datetime | None = None,
    deliveries: Deliveries | None = None,
) -> TopUp | None:
    """Return the top-up of a day; None if nothing is restricted or no target is known. Raises ``RecordError``.

    ``until`` extends the day, for a session that ran over midnight. ``deliveries`` are those of the subject if they
    were read before, for other days.
    """
    midnight = datetime.datetime.combine(day, datetime.time())
    span = midnight, max(midnight + DAY, until or midnight)
    if known.restriction not in ("water", "food"):
        return None
    between = partial(delivered_between, folder) if deliveries is None else deliveries.between
    if known.restriction == "water" and known.rules.daily_target_ul is not None:
        total = between(*span)
        given = round(total.amount.ul, 3)
        return TopUp(
            day,
            "ul",
            known.rules.daily_target_ul,
            given,
            _unknown(total, given),
            _confirmed(folder, day),
            known.species.top_up_advice,
        )
    return _food(folder, known, day, span, between) if known.restriction == "food" else None


def _food(
    folder: Path,
    known: KnownSubject,
    day: datetime.date,
    span: tuple[datetime.datetime, datetime.datetime],
    between: Callable[[datetime.datetime, datetime.datetime], DeliveredTotal],
) -> TopUp | None:
    rules, advice, confirmed = known.on(day).rules, known.species.top_up_advice, _confirmed(folder, day)
    by_hand = manual_between(folder, *span)
    if rules.daily_food_g is not None:
        total = between(*span)
        unseen = sum(map(unseen_pellets, _journals_of(folder, day)))
        given = round((total.amount.pellets - unseen) * PELLET_G + sum(line.get("food_g", 0.0) for line in by_hand), 3)
        unknown = f"{_names(total)} may have given more" if total.unknown else ""
        return TopUp(day, "g", rules.daily_food_g, given, unknown, confirmed, advice, unseen=unseen)
    if rules.target_pct is None or rules.baseline_g is None:
        return None
    target = round(rules.baseline_g * rules.target_pct / 100 + (rules.implant_g or 0.0), 1)
    first, last = (moment.astimezone().timestamp() * 1e6 for moment in span)
    weighed = [
        line for line in read_events(folder).of_kind("weighed") if line["when"] == "after" and first <= line["t"] < last
    ]
    if not weighed:
        text = f"weigh it: rig subject weigh {folder.name} GRAMS --after"
        return TopUp(day, "g", target, 0.0, text, confirmed, advice, by_weight=True)
    since = [line for line in by_hand if line["seq"] > weighed[-1]["seq"]]
    given = weighed[-1]["weight_g"] + sum(line.get("food_g", 0.0) for line in since)
    return TopUp(day, "g", target, round(given, 3), "", confirmed, advice, by_weight=True)


def _journals_of(folder: Path, day: datetime.date) -> Iterator[Path]:
    """Yield the journals of a day, the newest first."""
    return (journal for journal in journals(folder) if journal.parent.parent.name == day.isoformat())


def _unknown(total: DeliveredTotal, given_ul: float) -> str:
    if not total.unknown:
        return ""
    return (
        f"{_names(total)} may have given more than the {given_ul:g} ul that are known; `rig subject given` settles it"
    )


def _names(total: DeliveredTotal) -> str:
    return " and ".join(one.name for one in total.unknown)


def _confirmed(folder: Path, day: datetime.date) -> bool:
    return any(line.get("top_up_for") == day.isoformat() for line in read_events(folder).of_kind("given"))


def open_top_up(folder: Path, known: KnownSubject, at: datetime.datetime) -> TopUp | None:
    """Return the open top-up of the newest day with a real session; None if there is none. Raises ``RecordError``."""
    first = at.date() - datetime.timedelta(days=DAYS_OPEN)
    for past in past_sessions(folder):
        session = past.parent if isinstance(past, Path) else past.folder
        day = datetime.date.fromisoformat(session.parent.name)
        if not first <= day <= at.date():
            return None
        found = top_up_of(folder, known, day)
        return found if found is not None and found.is_open else None
    return None

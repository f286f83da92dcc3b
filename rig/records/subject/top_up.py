"""The water or food that a subject is due on a day, and whether a person confirmed that it was given."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Literal

from rig.config.species import PELLET_G
from rig.core.errors import RecordError
from rig.core.journal.kinds import HandGiven, SubjectEvent, Weighed
from rig.core.model.actions import Amount
from rig.records.journal.read import read_ends
from rig.records.session.history import journals_of
from rig.records.stock.unseen_pellets import unseen_pellets
from rig.records.subject.deliveries import DeliveredTotal, Deliveries, delivered_between, manual_between
from rig.records.subject.known_subject import KnownSubject
from rig.records.subject_events import read_events

DAY = datetime.timedelta(days=1)
SMALLEST = {"ul": 0.5, "g": 0.05}
"""Less than this is not due: it cannot be measured out by hand."""
NO_TARGET = {
    "ul": "no daily target is known: set daily_target_ul in its subject.yaml",
    "g": "no daily target is known: set daily_food_g in its subject.yaml, or a baseline weight and target_pct",
}
_LAST_SECOND = datetime.time(23, 59, 59)


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
    doubt: str = ""
    """What of the given amount may not have been given; empty if nothing."""

    @property
    def due(self) -> float:
        """Return the amount that is still due, at most if the given amount is unknown."""
        return max(0.0, round(self.target - self.given, 3))

    @property
    def is_open(self) -> bool:
        """Whether something is due, or may be, and no person confirmed that it was given."""
        return not self.confirmed and (bool(self.unknown) or self.due >= SMALLEST[self.unit])

    @property
    def amount(self) -> str:
        """Return the amount that is due, for a person."""
        return "unknown" if self.unknown else f"{self.due:g} {self.unit}"

    @property
    def text(self) -> str:
        """Return what is due, for a person."""
        if self.unknown:
            return f"unknown: {self.unknown}"
        given = f"{self.given:g} {self.unit} {'are reached' if self.by_weight else 'were given'}"
        text = f"{self.amount} are due today: the target is {self.target:g} {self.unit}, {given}{self.doubts}"
        return f"{text}; {self.advice}" if self.advice and self.is_open else text

    @property
    def doubts(self) -> str:
        """Return what is doubtful about the given amount, with a comma before it; empty if nothing is."""
        unseen = f"without the {self.unseen} pellets that no sensor has seen" if self.unseen else ""
        return "".join(f", {text}" for text in (unseen, self.doubt) if text)


def top_up_of(
    folder: Path,
    known: KnownSubject,
    day: datetime.date,
    until: datetime.datetime | None = None,
    deliveries: Deliveries | None = None,
) -> TopUp | None:
    """Return the top-up of a day; None if nothing is restricted. Raises ``RecordError``.

    ``until`` extends the day, for a session that ran over midnight. ``deliveries`` are those of the subject if they
    were read before, for other days.
    """
    midnight = datetime.datetime.combine(day, datetime.time())
    span = midnight, max(midnight + DAY, until or midnight)
    if known.restriction == "none":
        return None
    between = partial(delivered_between, folder) if deliveries is None else deliveries.between
    top_up = (_water if known.restriction == "water" else _food)(folder, known, day, span, between)
    return replace(top_up, confirmed=top_up.confirmed or is_confirmed(folder, day), advice=known.species.top_up_advice)


_Between = Callable[[datetime.datetime, datetime.datetime], DeliveredTotal]
_Span = tuple[datetime.datetime, datetime.datetime]


def _water(folder: Path, known: KnownSubject, day: datetime.date, span: _Span, between: _Between) -> TopUp:
    total = between(*span)
    given_ul = round(total.amount.ul, 3)
    target = known.rules.daily_target_ul
    if target is None:
        return _without_target(TopUp(day, "ul", 0.0, given_ul), total)
    return TopUp(day, "ul", target, given_ul, _unknown(total, given_ul), doubt=_doubt(folder, day))


def _food(folder: Path, known: KnownSubject, day: datetime.date, span: _Span, between: _Between) -> TopUp:
    rules = known.on(day).rules
    if rules.daily_food_g is None and rules.target_pct is not None and rules.baseline_g is not None:
        target_g = rules.baseline_g * rules.target_pct / 100 + (rules.implant_g or 0.0)
        return _food_by_weight(folder, day, span, round(target_g, 1))
    total = between(*span)
    unseen = sum(map(unseen_pellets, journals_of(folder, day)))
    by_hand_g = sum(line.food_g for line in manual_between(folder, *span))
    given_g = round((total.amount.pellets - unseen) * PELLET_G + by_hand_g, 3)
    if rules.daily_food_g is None:
        return _without_target(TopUp(day, "g", 0.0, given_g, unseen=unseen), total)
    unknown = f"{_names(total)} may have given more" if total.unknown else ""
    return TopUp(day, "g", rules.daily_food_g, given_g, unknown, unseen=unseen, doubt=_doubt(folder, day))


def _without_target(top_up: TopUp, total: DeliveredTotal) -> TopUp:
    """Return the top-up of a subject without a target: unknown, and open until it is given anything."""
    return replace(top_up, unknown=NO_TARGET[top_up.unit], confirmed=top_up.given > 0 or total.amount != Amount())


def _food_by_weight(folder: Path, day: datetime.date, span: _Span, target_g: float) -> TopUp:
    first, last = (moment.astimezone().timestamp() * 1e6 for moment in span)
    # On a day without a session there is no weight after one, so each weight is the one before its food.
    kinds = ("after",) if any(journals_of(folder, day)) else ("before", "after")
    weights = (line for line in read_events(folder).of_kind(Weighed) if line.when in kinds)
    weighed = max((line for line in weights if first <= line.t_us < last), key=_order, default=None)
    if weighed is None:
        after = " --after" if len(kinds) == 1 else ""
        return TopUp(day, "g", target_g, 0.0, f"weigh it: rig subject weigh {folder.name} GRAMS{after}", by_weight=True)
    since = (line for line in manual_between(folder, *span) if _order(line) > _order(weighed))
    given_g = weighed.weight_g + sum(line.food_g + line.pellets * PELLET_G for line in since)
    return TopUp(day, "g", target_g, round(given_g, 3), by_weight=True)


_order: Callable[[SubjectEvent], tuple[int, int]] = attrgetter("t_us", "seq")
"""Events by their time, those of one time as they were recorded."""


def _unknown(total: DeliveredTotal, given_ul: float) -> str:
    if not total.unknown:
        return ""
    return f"{_names(total)} may have given more than the {given_ul:g} ul that are known; `rig subject give` settles it"


def _names(total: DeliveredTotal) -> str:
    return " and ".join(session.name for session in total.unknown)


def _doubt(folder: Path, day: datetime.date) -> str:
    """Return how many rewards of a day's sessions are in doubt: they count as given, and may not have been."""
    count = 0
    for journal in journals_of(folder, day):
        with suppress(RecordError):  # its amount is unknown, which is said
            ends = read_ends(journal)
            if ends.footer is not None and ends.header is not None and not ends.header.simulated:
                count += ends.footer.unconfirmed_rewards
    return f"{count} of the rewards in doubt and counted" if count else ""


def is_confirmed(folder: Path, day: datetime.date) -> bool:
    """Whether a person has closed the top-up of a day. Raises ``RecordError``."""
    return any(line.top_up_for == day.isoformat() for line in read_events(folder).of_kind(HandGiven))


def top_up_time(day: datetime.date, now: datetime.datetime) -> datetime.datetime:
    """Return when an amount counts that closes the top-up of a day: ``now``, or on an earlier day at its end."""
    return now if day >= now.date() else datetime.datetime.combine(day, _LAST_SECOND)

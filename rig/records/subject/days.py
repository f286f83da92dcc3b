"""A subject over its days: weights, sessions, and what it was given by sessions and by hand."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from rig.core.journal.kinds import HandGiven, Weighed
from rig.core.model.actions import Amount
from rig.records.session.brief import SessionBrief
from rig.records.session.history import past_sessions
from rig.records.subject.deliveries import Deliveries, manual_between
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.records.subject.last_weight import is_taken_back
from rig.records.subject.top_up import DAY, SMALLEST, TopUp, top_up_of
from rig.records.subject_events import EventScan, day_of, read_events


class SessionLine(BaseModel):
    """One session of a subject."""

    session: str = Field(description="its date and number, such as 2026-11-21/001")
    start: datetime.datetime | None = Field(default=None, description="when it began")
    protocol: str = Field(description="the protocol")
    stage: str | None = Field(description="the stage of its curriculum; null outside of one")
    reason: str | None = Field(description="why it ended; null without an end")
    trials: int = Field(description="rows of the trial table")
    rewards: int = Field(description="rewards, unconfirmed ones included")
    weight_g: float | None = Field(description="the weight in its header; null if the subject was not weighed")
    voided: str | None = Field(default=None, description="who voided it, and why; null if it counts")


class SubjectDay(BaseModel):
    """One day of a subject: what is known of its weight, its sessions, and what it was given."""

    day: datetime.date = Field(description="the calendar day")
    weight_g: float | None = Field(default=None, description="the last weight before a session")
    weight_after_g: float | None = Field(default=None, description="the last weight after a session")
    percent: float | None = Field(default=None, description="weight_g without the implant, in percent of the baseline")
    sessions: list[SessionLine] = Field(default_factory=list, description="its real sessions, in order")
    earned_ul: float = Field(default=0, description="water given by sessions, in microliters")
    earned_pellets: int = Field(default=0, description="pellets given by sessions")
    earned_access_s: float = Field(default=0, description="seconds of access to grain in sessions")
    by_hand_ul: float = Field(default=0, description="water given by hand, in microliters")
    by_hand_pellets: int = Field(default=0, description="pellets given by hand")
    by_hand_food_g: float = Field(default=0, description="usual food given by hand, in grams")
    unknown: list[str] = Field(default_factory=list, description="records of that day whose amount is not known")
    due: float | None = Field(default=None, description="the top-up that is still due; null without a target")
    due_unit: str | None = Field(default=None, description="ul or g")
    top_up_open: bool = Field(default=False, description="whether a top-up is due and was never confirmed")
    warnings: list[str] = Field(default_factory=list, description="weight or water outside of the subject's rules")

    @property
    def trials(self) -> int:
        """Return the number of trials of the day, without voided sessions."""
        return sum(session.trials for session in self.sessions if session.voided is None)

    @property
    def rewards(self) -> int:
        """Return the number of rewards of the day, without voided sessions."""
        return sum(session.rewards for session in self.sessions if session.voided is None)


@dataclass(frozen=True)
class _Sources:
    """What the days are made from."""

    folder: Path
    known: KnownSubject
    sessions: Mapping[datetime.date, Sequence[SessionLine]]
    events: EventScan
    deliveries: Deliveries
    top_ups_from: datetime.date
    today: datetime.date
    """Of the days before it nothing more will be given."""


def subject_days(
    folder: Path, known: KnownSubject, until: datetime.date, most: int, top_up_days: int | None = None
) -> list[SubjectDay]:
    """Return the last ``most`` days up to ``until`` on which something is recorded, the oldest first.

    Only the last ``top_up_days`` of them have their top-up, by default all: for pellets, whole journals are read.
    Raises ``RecordError``.
    """
    sessions: dict[datetime.date, list[SessionLine]] = {}
    for past in past_sessions(folder):
        sessions.setdefault(past.day, []).insert(0, session_line(past))
    events = read_events(folder)
    recorded = {day_of(line) for line in events.of_kind(Weighed, HandGiven)}
    days = sorted(day for day in {*sessions, *recorded} if day <= until)[-most:]
    top_ups_from = min(days[-(top_up_days or most) :], default=until)
    sources = _Sources(folder, known, sessions, events, Deliveries(folder), top_ups_from, until)
    return [_day(sources, day) for day in days]


def subject_day(folder: Path, known: KnownSubject, day: datetime.date, today: datetime.date) -> SubjectDay:
    """Return one day of a subject. Raises ``ConfigError`` and ``RecordError``."""
    own: list[SessionLine] = []
    for past in past_sessions(folder):
        if past.day < day:
            break
        if past.day == day:
            own.insert(0, session_line(past))
    midnight = datetime.datetime.combine(day, datetime.time())
    deliveries = Deliveries(folder, (midnight.astimezone(), (midnight + DAY).astimezone()))
    return _day(_Sources(folder, known, {day: own}, read_events(folder), deliveries, day, today), day)


def session_line(past: SessionBrief) -> SessionLine:
    """Return a session in a few numbers. Raises ``RecordError``."""
    return SessionLine(
        session=past.name,
        start=past.header.start_time,
        protocol=past.header.protocol_name,
        stage=past.stage,
        reason=past.reason,
        trials=past.sums.trials,
        rewards=past.sums.rewards,
        weight_g=past.header.weight_g,
        voided=past.voided,
    )


def weight_of_day(folder: Path, day: datetime.date) -> float | None:
    """Return the last weight of a day before a session, in grams. Raises ``RecordError``."""
    return _last(_weighed(read_events(folder), day, "before"))


def _weighed(events: EventScan, day: datetime.date, when: Literal["before", "after"]) -> Iterator[Weighed]:
    return (line for line in events.of_kind(Weighed) if line.when == when and day_of(line) == day)


def _last(lines: Iterator[Weighed]) -> float | None:
    """Return the last weight by its time, of several of one time the one recorded last."""
    last = max(lines, key=attrgetter("t_us", "seq"), default=None)
    return None if last is None else float(last.weight_g)


def _day(sources: _Sources, day: datetime.date) -> SubjectDay:
    folder, known, over = sources.folder, sources.known, day < sources.today
    midnight = datetime.datetime.combine(day, datetime.time())
    total = sources.deliveries.between(midnight, midnight + DAY)
    by_hand = manual_between(folder, midnight, midnight + DAY)
    hand = sum((line.amount for line in by_hand), Amount())
    sessions = list(sources.sessions.get(day, ()))
    weight = _last_before(sources, sessions, day)
    wants_top_up = day >= sources.top_ups_from
    then = load_known_subject(folder, day, sources.today) if wants_top_up and over else known
    top_up = top_up_of(folder, then, day, deliveries=sources.deliveries) if wants_top_up else None
    found = SubjectDay(
        day=day,
        weight_g=weight,
        weight_after_g=_last(_weighed(sources.events, day, "after")),
        percent=percent_of_baseline(weight, known.on(day)),
        sessions=sessions,
        earned_ul=round(max(0.0, total.amount.ul - hand.ul), 3),
        earned_pellets=max(0, total.amount.pellets - hand.pellets),
        earned_access_s=round(max(0.0, total.amount.access_s - hand.access_s), 3),
        by_hand_ul=round(hand.ul, 3),
        by_hand_pellets=hand.pellets,
        by_hand_food_g=round(sum(line.food_g for line in by_hand), 3),
        unknown=[session.name for session in total.unknown],
        due=None if top_up is None or top_up.unknown else top_up.due,
        due_unit=None if top_up is None else top_up.unit,
        top_up_open=top_up is not None and top_up.is_open,
    )
    return found.model_copy(update={"warnings": list(_warnings(found, then, top_up, over=over))})


def _last_before(sources: _Sources, sessions: Sequence[SessionLine], day: datetime.date) -> float | None:
    """Return the last weight of a day before a session: from a session's header, or weighed on its own."""
    events = sources.events
    weighed = [(line.t_us / 1e6, float(line.weight_g)) for line in _weighed(events, day, "before")]
    for session in sessions:
        if session.weight_g is None or session.voided is not None:
            continue
        if session.start is None or not is_taken_back(events, session.weight_g, session.start):
            weighed.append((0.0 if session.start is None else session.start.timestamp(), session.weight_g))
    # Sorted, because of two weights of one time the second replaces the first.
    return sorted(weighed, key=itemgetter(0))[-1][1] if weighed else None


def percent_of_baseline(weight_g: float | None, known: KnownSubject) -> float | None:
    """Return a weight, without the implant, in percent of the baseline; None when either is unknown."""
    percent = None if weight_g is None else known.rules.percent(weight_g)
    return None if percent is None else round(percent, 1)


def _warnings(day: SubjectDay, known: KnownSubject, top_up: TopUp | None, *, over: bool) -> Iterator[str]:
    rules = known.rules
    if day.percent is not None:
        for bound in ("refuse_pct", "warn_pct"):
            if day.percent < getattr(rules, bound):
                yield f"{day.percent:g} % is below {bound} ({getattr(rules, bound):g} %)"
                break
        for bound in ("refuse_above_pct", "warn_above_pct"):
            most = getattr(rules, bound)
            if most is not None and day.percent > most:
                yield f"{day.percent:g} % is above {bound} ({most:g} %)"
                break
    least = rules.daily_min_ul
    water_ul = day.earned_ul + day.by_hand_ul
    if over and known.restriction == "water" and least is not None and water_ul < least and not day.unknown:
        yield f"{water_ul:g} ul are less than daily_min_ul ({least:g} ul)"
    if day.top_up_open and over:
        due = "an unknown amount" if day.due is None else f"{day.due:g} {day.due_unit}"
        yield f"a top-up of {due} was never confirmed"
    elif top_up is not None and top_up.confirmed and top_up.due >= SMALLEST[top_up.unit]:
        yield f"its top-up was confirmed with {top_up.due:g} {top_up.unit} less than the target"

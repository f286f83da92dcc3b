"""Sum up what a subject was given today and in 24 hours, and what it may still be given."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rig.config.limits import UNITS, DailyLimit, Span, Unit
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.platform.command_line import command_line
from rig.records.subject.deliveries import DeliveredTotal, delivered_between

DAY = datetime.timedelta(days=1)
# Not `datetime.max`, whose conversion to another time zone overflows.
_LATEST = datetime.datetime(9999, 12, 30)

RemainingAmounts = Mapping[Unit, float | None]
UNLIMITED: RemainingAmounts = {"ul": None, "pellets": None, "access_s": None}
"""Remaining amounts where rewards do not count: in a dry run, or on a rig without rewards."""


@dataclass(frozen=True)
class DailyTotal:
    """Limits of a subject at a moment, and the amounts that count towards them."""

    folder: Path
    at: datetime.datetime
    limits: tuple[DailyLimit, ...]
    totals: Mapping[Span, DeliveredTotal]

    def given(self, limit: DailyLimit) -> float:
        """Return how much was given in the span of a limit, at least."""
        amount: float = getattr(self.totals[limit.span].amount, limit.unit)
        return round(amount, 3)

    def remaining(self, limit: DailyLimit) -> float:
        """Return how much a limit still leaves."""
        # Rounded, because a residue of the float sum would count as an amount that is left.
        return max(0.0, round(limit.maximum - self.given(limit), 6))

    def limits_for(self, gives: Collection[str]) -> list[DailyLimit]:
        """Return the limits of what a rig gives."""
        return [limit for limit in self.limits if limit.unit in gives]

    def remaining_amounts(self, gives: Collection[str]) -> RemainingAmounts:
        """Return what may still be given of each kind. Raises ``ConfigError`` when that is nothing, or not known."""
        if unknown := list(self.unknown()):
            raise ConfigError(*unknown)
        # Only what this rig gives: a subject with no water left today may still work for pellets.
        if over := [self._over(limit) for limit in self.limits_for(gives) if not self.remaining(limit)]:
            raise ConfigError(*over)
        left: dict[Unit, float | None] = {
            unit: min(self.remaining(limit) for limit in self.limits if limit.unit == unit) for unit in UNITS
        }
        return {**left, "pellets": int(left["pellets"] or 0)}

    def unknown(self) -> Iterator[str]:
        """Yield the sessions whose rewards are unknown, each with the command that settles it."""
        found = {one.folder: one for total in self.totals.values() for one in total.unknown}
        for one in found.values():
            yield f"{one.folder}: {one.reason}: what was given is not known. {settle_command(self.folder, one.name)}"
        if found:
            least = amount_text(self.totals["24h"].amount)
            yield f"{self.folder.name} was given at least {least} in 24 hours: no session yet"

    def _over(self, limit: DailyLimit) -> str:
        when, then = f"on {self.at:%Y-%m-%d}", "no more today"
        if limit.span == "24h":
            when, then = f"in the 24 hours before {self.at:%Y-%m-%d %H:%M}", "no more yet"
        given = f"{self.given(limit):g} {UNITS[limit.unit]}"
        return (
            f"{self.folder.name} has been given {given} {when}, and {limit.key} is {limit.maximum:g} "
            f"({limit.source}): {then}; "
            "a named person may allow it with --daily-limit AMOUNT --override daily_limit='reason'"
        )


def settle_command(subject_folder: Path, session: str) -> str:
    """Return the command by which a named person declares what a session with incomplete records gave."""
    settle = ["rig", "subject", "give", subject_folder.name, "AMOUNT", "--session", session]
    where = ["--data", str(subject_folder.parent)]
    return f"Say how much to count (0ul: nothing): {command_line(settle + where)} --by NAME --reason WHY"


def load_daily_total(folder: Path, limits: tuple[DailyLimit, ...], at: datetime.datetime) -> DailyTotal:
    """Return what a subject was given in the day and in the 24 hours before a moment. Raises ``RecordError``.

    What is dated later, by a clock that was wrong, counts for both.
    """
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return DailyTotal(
        folder,
        at,
        limits,
        {"day": delivered_between(folder, midnight, _LATEST), "24h": delivered_between(folder, at - DAY, _LATEST)},
    )


def amount_text(amount: Amount) -> str:
    """Return an amount of several kinds."""
    parts = (Amount(ul=amount.ul), Amount(pellets=amount.pellets), Amount(access_s=amount.access_s))
    return ", ".join(str(part) for part in parts if part != Amount()) or "0 ul"

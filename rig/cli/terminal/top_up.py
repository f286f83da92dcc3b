"""The water that an animal is still due at the end of its day."""

from __future__ import annotations

from rig.config.subject import SubjectFile
from rig.records.deliveries import DeliveredTotal


def top_up_text(known: SubjectFile, given: DeliveredTotal) -> str:
    """Return the text of the water still due today; empty without a target."""
    target_ul, given_today_ul = known.daily_target_ul, round(given.amount.ul, 3)
    if target_ul is None:
        return ""
    if given.unknown:
        return (
            f"unknown: {' and '.join(one.name for one in given.unknown)} may have given more than the "
            f"{given_today_ul:g} ul that are known; `rig subject given` settles it"
        )
    due_ul = max(0.0, target_ul - given_today_ul)
    return f"{due_ul:g} ul are due today: the target is {target_ul:g} ul, {given_today_ul:g} ul were given"

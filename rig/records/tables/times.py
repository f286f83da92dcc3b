"""The times in the tables of a protocol: which columns have them, and what they are on the session's clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from rig.core.model.microseconds import to_s, to_us
from rig.core.model.task_clock import TaskClock

LONGEST_S = 1e12
"""A number beyond is no time; below it, whole microseconds are exact enough as doubles."""


def is_time(values: Sequence[object], name: str) -> TypeGuard[Sequence[float | None]]:
    """Whether a column holds times: by its name, ``t`` or ``t_...``, and numbers alone."""
    return (name == "t" or name.startswith("t_")) and are_numbers(values)


def are_numbers(values: Sequence[object]) -> TypeGuard[Sequence[float | None]]:
    """Whether all values are numbers or missing."""
    return {type(value) for value in values} <= {int, float, type(None)}


def session_s(clock: TaskClock, task_s: float) -> float:
    """Convert task time to seconds of the session; without pauses it is the same number."""
    if not abs(task_s) < LONGEST_S:
        return task_s
    task_us = to_us(task_s)
    session_us = clock.session_us(task_us)
    return task_s if session_us == task_us else to_s(session_us)

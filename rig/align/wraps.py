"""Count on where a counter began again at zero: clocks of cameras, frame numbers of 16 bits, times of day.

Only what is certain is changed: the value before the place is the last of a known counter, and the step across it is
as long as others. All else is left for the checks of the order to refuse.
"""

from __future__ import annotations

import numpy as np

from rig.align.arrays import Floats, Integers
from rig.core.errors import ConfigError, RecordError
from rig.system.written_times import DAY_S
from rig.terminal.format import pluralize

CYCLE_S = 128
"""The clock of a FireWire or USB camera of Point Grey counts seconds with seven bits."""
TIME_BITS = (16, 24, 31, 32)
NUMBER_BITS = (8, 16, 24, 32)
_LONGEST_STEPS = 2.0
"""The longest step across a wrap, in multiples of the longest usual step."""


def count_on(times_s: Floats, second: float, wrap_s: float | None = None) -> tuple[Floats, str]:
    """Return times that go on where their counter began again, with a note; unchanged if it is not certain.

    ``second`` is the unit of the counter. ``wrap_s`` is what a person says of its length. Raises ``ConfigError`` if
    the times do not fit it.
    """
    steps = np.diff(times_s)
    places = np.flatnonzero(steps < 0)
    if not len(places):
        return times_s, ""
    if wrap_s is not None:
        if not 0 < times_s.max() - times_s.min() < wrap_s:
            raise ConfigError(f"--wrap {wrap_s:g}: the times reach from {times_s.min():g} to {times_s.max():g} s")
        return _counted(times_s, places, wrap_s)
    longest = _LONGEST_STEPS * float(np.quantile(steps[steps >= 0], 0.99)) if (steps >= 0).any() else 0.0
    for length_s in (CYCLE_S, DAY_S, *(2.0**bits * second for bits in TIME_BITS)):
        across = length_s + steps[places]
        if times_s.min() >= 0 and times_s.max() < length_s and (across >= 0).all() and (across <= longest).all():
            return _counted(times_s, places, length_s)
    return times_s, ""


def _counted(times_s: Floats, places: Integers, length_s: float) -> tuple[Floats, str]:
    turns = np.zeros(len(times_s))
    turns[places + 1] = 1
    note = f"the times began again at 0 {pluralize(len(places), 'time')}, every {length_s:.10g} s: they were counted on"
    return times_s + np.cumsum(turns) * length_s, note


def count_numbers_on(numbers: Integers, times_s: Floats | None) -> Integers:
    """Return frame numbers that go on where their counter began again; unchanged if it did not.

    Some cameras leave out 0 when they begin again; the times decide. Raises ``RecordError`` if nothing does.
    """
    steps = np.diff(numbers)
    places = np.flatnonzero(steps < 0)
    if not len(places):
        return numbers
    longest = max(10, int(2 * steps.max(initial=0)))
    for bits in NUMBER_BITS:
        across = (1 << bits) + steps[places]
        if numbers.max() < 1 << bits and (across > 0).all() and (across <= longest).all():
            left_out = 0 if (numbers == 0).any() else _left_out(numbers, places, across, times_s, bits)
            turns = np.zeros(len(numbers), np.int64)
            turns[places + 1] = (1 << bits) - left_out
            return numbers + np.cumsum(turns)
    return numbers


def _left_out(numbers: Integers, places: Integers, across: Integers, times_s: Floats | None, bits: int) -> int:
    """Return 1 if a counter goes from its last number to 1, 0 if it goes to 0. Raises ``RecordError``."""
    last = (1 << bits) - 1
    if times_s is not None and len(numbers) > 2:
        intervals, steps = np.diff(times_s), np.diff(numbers)
        period = float(np.median(intervals[steps > 0] / steps[steps > 0]))
        frames = intervals[places] / period
        for left_out in (0, 1):
            if (np.abs(frames - (across - left_out)) < 0.4).all():
                return left_out
    elif len(places) > 1 and (numbers[places] == last).all() and (numbers[places + 1] == 1).all():
        return 1
    at = int(places[0])
    raise RecordError(
        f"frame {numbers[at + 1]} comes after frame {numbers[at]}: a counter of {bits} bits began again, and it may "
        "have left out 0: name the column of the times with --time, or give a part with --edges FIRST-LAST"
    )

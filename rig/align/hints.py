"""Why no code of the session was found in a recording, as far as the recording shows it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rig.align.anchors import resolution_s
from rig.align.arrays import Floats
from rig.align.fingerprints import fingerprints, off_grid
from rig.align.rough_match import BOTH, Reading
from rig.terminal.format import pluralize

_OTHER_FACTORS = (1e-3, 1e3, 1e-6, 1e6, 1e-9, 60.0, 3600.0, 86_400.0, 1e-7, 1 / 30000, 1 / 25000, 1 / 20000)
"""Also of ticks of 100 ns, as .NET counts them."""
_FEWEST_FOREIGN = 10
_FEWEST_INTERVALS = 20
_FEWEST_SAMPLES = 2


def nothing_found_text(candidates: Sequence[Reading]) -> tuple[str, str]:
    """Return what the recording has, such as codes, or intervals of another unit; and what may be the cause."""
    signal, times_us = candidates[0].signal, candidates[0].times_us
    text = "the recording has no series of codes that this session sent"
    factor = other_unit(times_us, signal.bit_us)
    if factor is not None:
        return (
            f"{text}, but its intervals would fit if they were {_times_text(factor)}",
            "Check the unit of the times: --unit s, ms, us, min, h, d, or samples with --rate HZ",
        )
    step_us = resolution_s(times_us / 1e6, signal.bit_us / 1e6) * 1e6
    if step_us * _FEWEST_SAMPLES > signal.bit_us:
        return (
            f"{text}: its times come in steps of {step_us / 1000:.1f} ms, and a bit has {signal.bit_us / 1000:g} ms",
            f"Bits of fewer than {_FEWEST_SAMPLES} steps merge or get lost: record more frames or samples in a second, "
            "or send longer bits (bit_ms). The recording may also be of another session",
        )
    foreign = max(_codes_in(reading) for reading in candidates)
    if foreign >= _FEWEST_FOREIGN:
        return (
            f"{text}, but about {foreign} codes of the same form",
            "Possible causes: it is the recording of another session; many of its edges are lost, late or of another "
            "signal",
        )
    return (
        f"{text}: it has {pluralize(len(times_us), 'edge')} in {float(times_us[-1] - times_us[0]) / 1e6:.3f} s",
        f"Check the channel, and that it recorded this session. A code has bits of {signal.bit_us / 1000:g} ms "
        f"and comes once in {signal.period_us / 1e6:g} s; about five whole ones are needed",
    )


def other_unit(times_us: Floats, bit_us: float) -> float | None:
    """Return a factor for the times with which the short intervals are whole numbers of bits; None without one."""
    intervals = np.diff(times_us)
    for factor in _OTHER_FACTORS:
        bits = intervals * factor / bit_us
        short = bits[(bits < 6.5) & (bits > 0.5)]
        # Rows at a rate have one interval, which fits many units.
        is_varied = len(set(np.rint(short).tolist())) > 1
        if is_varied and len(short) >= _FEWEST_INTERVALS and np.mean(np.abs(short - np.rint(short)) < 0.1) > 0.9:
            return factor
    return None


def _times_text(factor: float) -> str:
    return f"{factor:.10g} times as long" if factor > 1 else f"{1 / factor:.10g} times shorter"


def _codes_in(reading: Reading) -> int:
    """Return how many codes of the right form a recording has, whatever their words: by their start and a pause."""
    if reading.edges != BOTH:
        return 0
    signal = reading.signal
    most_off = off_grid(reading.times_us, signal.bit_us)
    marks, good = fingerprints(reading.times_us, signal.bit_us, signal.code_bits, most_off)
    begins = (marks & np.uint64(0b11)) == np.uint64(0b11)
    quiet = np.diff(reading.times_us, prepend=-np.inf) > signal.bit_us * (signal.bits + 1)
    return int(np.sum(good & begins & quiet))

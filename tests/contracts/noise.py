"""Signals that no animal makes: square waves, bursts and noise, as changes of levels at cycles of a chip."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sim_hardware.avr.chip import HZ

CYCLES_PER_US = HZ // 1_000_000
CYCLES_PER_MS = HZ // 1000


class Change(NamedTuple):
    """A level on an input, at a cycle of its signal."""

    cycle: int
    name: str
    level: int


class Poke(NamedTuple):
    """A clean poke at an input, in microseconds of its signal."""

    name: str
    at_us: float
    for_us: float

    @property
    def changes(self) -> tuple[Change, Change]:
        return (
            Change(cycles(self.at_us), self.name, 1),
            Change(cycles(self.at_us + self.for_us), self.name, 0),
        )


@dataclass(frozen=True)
class Signal:
    """What is done to the inputs, in the order of time; all of them are off before it and after it."""

    label: str
    changes: Sequence[Change]
    pokes: Sequence[Poke] = field(default=())
    """Those of the changes that are clean pokes, at inputs that do nothing else."""

    sends: Sequence[int] = field(default=())
    """The cycles at which a byte from the host has arrived, which is an interrupt too."""

    fast_train: bool = False
    """Whether pulses of a train end every millisecond meanwhile."""

    @property
    def ends(self) -> int:
        return max((change.cycle for change in self.changes), default=0)


def cycles(us: float) -> int:
    return round(us * CYCLES_PER_US)


def signal(label: str, *parts: Iterable[Change], pokes: Sequence[Poke] = ()) -> Signal:
    """Put changes of several inputs into one order."""
    changes = [change for part in parts for change in part]
    changes += [change for poke in pokes for change in poke.changes]
    return Signal(label, sorted(changes, key=lambda change: change.cycle), pokes)


def square(name: str, hz: float, length_us: float, start_us: float = 0) -> list[Change]:
    """Return a square wave, which ends with the input off."""
    half, start = HZ / 2 / hz, cycles(start_us)
    count = max(2, round(length_us * CYCLES_PER_US / half))
    return [Change(start + round(half * place), name, 1 - place % 2) for place in range(count + count % 2)]


def burst(name: str, edges: int, gap_us: float, start_us: float = 0) -> list[Change]:
    """Return edges in a row, an even number of them."""
    return [Change(cycles(start_us + gap_us * place), name, 1 - place % 2) for place in range(edges + edges % 2)]


def spikes(name: str, every_us: float, length_us: float, start_us: float = 0) -> list[Change]:
    """Return pulses of one microsecond, which are over before an interrupt can read their level."""
    starts = [start_us + every_us * place for place in range(round(length_us / every_us))]
    return [Change(cycles(at_us + late), name, 1 - late) for at_us in starts for late in (0, 1)]


def uneven_burst(name: str, edges: int, draw: random.Random, start_us: float = 0) -> list[Change]:
    """Return edges in a row, each 5 to 60 us after the one before."""
    changes, t_us = [], start_us
    for place in range(edges + edges % 2):
        changes.append(Change(cycles(t_us), name, 1 - place % 2))
        t_us += draw.uniform(5, 60)
    return changes


def telegraph(name: str, mean_us: float, length_us: float, draw: random.Random, start_us: float = 0) -> list[Change]:
    """Return random telegraph noise: each level lasts for an exponentially distributed time."""
    changes, t_us, level = [], start_us, 0
    while t_us < start_us + length_us or level:
        level = 1 - level
        changes.append(Change(cycles(t_us), name, level))
        t_us += max(1 / CYCLES_PER_US, draw.expovariate(1 / mean_us))
    return changes


# --- random signals -----------------------------------------------------------------------------------------

MAX_NOISE_US = 25_000
FASTEST_HZ, SLOWEST_HZ = 1_000_000, 1
POKE_US = 25_000
"""So long a poke stays that a reflex within the bound of a flood is still its own."""


def random_signal(seed: int, groups: Sequence[Sequence[str]]) -> Signal:
    """Draw a signal for the inputs of some ports, which ``groups`` lists port by port."""
    draw = random.Random(f"signal {seed}")
    everything = [name for group in groups for name in group]
    port = draw.choice(groups)
    noisy = draw.choice(([draw.choice(everything)], draw.sample(port, draw.randint(1, len(port))), everything))
    kind = draw.choice((_random_square, _random_burst, _random_uneven, _random_telegraph))
    parts = [kind(name, draw) for name in noisy]
    quiet = [name for name in everything if name not in noisy]
    pokes = [Poke(draw.choice(quiet), draw.uniform(0, 20_000), POKE_US)] if quiet and draw.random() < 0.5 else []
    return signal(f"{seed}: {kind.__name__.removeprefix('_random_')} on {', '.join(noisy)}", *parts, pokes=pokes)


def _random_square(name: str, draw: random.Random) -> list[Change]:
    hz = SLOWEST_HZ * (FASTEST_HZ / SLOWEST_HZ) ** draw.random()
    length_us = draw.uniform(1_000, MAX_NOISE_US)
    # Few signals are fast and long: those cost the most time.
    return square(name, hz, min(length_us, 1e6 * 5_000 / hz) if hz > 40 else length_us, draw.uniform(0, 5_000))


def _random_burst(name: str, draw: random.Random) -> list[Change]:
    return burst(name, draw.randint(8, 60), draw.uniform(5, 60), draw.uniform(0, 5_000))


def _random_uneven(name: str, draw: random.Random) -> list[Change]:
    return uneven_burst(name, draw.randint(8, 60), draw, draw.uniform(0, 5_000))


def _random_telegraph(name: str, draw: random.Random) -> list[Change]:
    mean_us = 2 * 1000 ** draw.random()
    return telegraph(name, mean_us, draw.uniform(1_000, min(MAX_NOISE_US, 3_000 * mean_us)), draw)


CROWDED_HZ = (500, 9_000)
"""Waves whose changes at several inputs are together about as many as the chip takes."""


def crowded_signal(seed: int, names: Sequence[str], pokable: Sequence[str]) -> Signal:
    """Draw slow waves and noise at several inputs, of which each alone would not flood, and a poke at another one."""
    draw = random.Random(f"crowd {seed}")
    hz = draw.uniform(*CROWDED_HZ)
    noisy = draw.sample(names, draw.randint(2, len(names) - 1))
    parts = [_crowded(name, hz * draw.uniform(0.8, 1.25), draw) for name in noisy]
    quiet = [name for name in pokable if name not in noisy]
    pokes = [Poke(draw.choice(quiet), draw.uniform(0, 20_000), POKE_US)] if quiet else []
    return signal(f"{seed}: {hz:.0f} Hz at {', '.join(noisy)}", *parts, pokes=pokes)


def _crowded(name: str, hz: float, draw: random.Random) -> list[Change]:
    length_us, start_us = draw.uniform(10_000, 40_000), draw.uniform(0, 2_000)
    if draw.random() < 0.7:
        return square(name, hz, length_us, start_us)
    return telegraph(name, 1e6 / 2 / hz, length_us, draw, start_us)


# --- pairs of edges -----------------------------------------------------------------------------------------

PAIR_EVERY_US = 1_000
"""The time between two pairs, so that their input is not muted; a train's pulse ends in the middle of each."""
PAIRS_OF_A_SIGNAL = 40
LONGEST_GAP_US, FARTHEST_US = 60, 64
HOLD_US = 90
"""How long a level lasts before and after a dip, which is less than its confirmation."""
GLITCH_US = 50
SHAPES = ("pulse", "dip")
CAUSES = ("nothing", "same port", "other port", "timer", "byte")
"""What causes the interrupt around which the pairs come."""


class Pair(NamedTuple):
    """Two edges ``gap`` cycles apart, the first ``phase`` cycles after an interrupt."""

    gap: int
    phase: int


def all_pairs() -> list[Pair]:
    """Return pairs with every gap in cycles and about every microsecond of phase."""
    return [
        Pair(gap, cycles(phase_us) + 5 * gap % CYCLES_PER_US)
        for gap in range(1, cycles(LONGEST_GAP_US) + 1)
        for phase_us in range(-FARTHEST_US, FARTHEST_US)
    ]


def pairs_signal(shape: str, cause: str, pairs: Sequence[Pair]) -> Signal:
    """Return pairs of edges at ``left``, none of which is a level that lasts; each comes around an interrupt."""
    changes: list[Change] = []
    sends = []
    for place, pair in enumerate(pairs):
        center = cycles(PAIR_EVERY_US * (place + 0.5))
        first = center + pair.phase
        if shape == "pulse":
            edges = [first, first + pair.gap]
        else:
            edges = [first - cycles(HOLD_US), first, first + pair.gap, first + pair.gap + cycles(HOLD_US)]
        changes += [Change(cycle, "left", 1 - number % 2) for number, cycle in enumerate(edges)]
        if cause == "byte":
            sends.append(center)
        elif cause.endswith("port"):
            other = "right" if cause == "same port" else "far"
            changes += [Change(center, other, 1), Change(center + cycles(GLITCH_US), other, 0)]
    label = f"{shape} at {cause}, {pairs[0]} to {pairs[-1]}"
    return Signal(label, sorted(changes, key=lambda change: change.cycle), sends=sends, fast_train=cause == "timer")

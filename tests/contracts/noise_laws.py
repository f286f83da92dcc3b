"""The laws that hold under any signal, judged from outside: by pins and by what the board reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from rig.boards.wire import messages as wire
from rig.core.model.board import Input
from tests.contracts.noise import CYCLES_PER_MS, CYCLES_PER_US, Poke, Signal, cycles
from tests.contracts.noise_bench import (
    ANSWERS,
    FAST_TRAIN,
    INPUTS,
    ORDERED_US,
    TICK_CYCLES,
    NoiseBench,
    Record,
)

STAMP_US = 1_000
"""How far the stamp of an edge may lie from its level: while its port changes, it is that of an earlier change."""
LATEST_MS = 25
"""No confirmed level is answered later: an answer after that has another cause."""
WINDOW_US = 4096
MAX_QUIET_CHANGES = 20
"""With no more changes of all inputs in any window, which is some 5,000 a second, no input is muted."""
STORM_US, STORM_GAP_US = 12_000, 80
"""An input that changes for so long, with no longer pause between two changes, is muted and named."""


class Bounds(NamedTuple):
    """What depends on the speed of a chip and on its flags."""

    too_long_us: float
    """How much longer than ordered an output may be on."""

    clock_us: float
    """How far the clock may seem to move, which is the time of two answers. What it loses are rounds of 32.768 ms."""

    answer_ms: float
    flood_answer_ms: float
    """How long after its confirmation a clean poke may wait for its reflex: else, and while another input floods.

    On an AVR changes of another input of its port, less than 180 us apart, begin the confirmation again: without a
    flood for one window at most.
    """


OF_AN_AVR = Bounds(too_long_us=100, clock_us=1_000, answer_ms=5, flood_answer_ms=20)
OF_A_PICO = Bounds(too_long_us=10, clock_us=50, answer_ms=0.1, flood_answer_ms=0.1)
BOUNDS = {"uno": OF_AN_AVR, "mega": OF_AN_AVR, "pico": OF_A_PICO}


class Law(StrEnum):
    """What is promised."""

    CONFIRMED = "an action follows only a level that has lasted its confirmation"
    REPORTED = "an edge is reported only of a level that has lasted its confirmation"
    ENDED = "no output is on longer than ordered"
    RUNNING = "the chip does not reset, and answers"
    NAMED = "a flood is named"
    QUIET = "the end of a flood is named"
    UNMUTED = "an input that does not flood is not muted"
    ANSWERED = "a clean poke gets its reflex in time"
    CLOCK = "the clock loses nothing"


class Breach(NamedTuple):
    """A law that was broken: by which signal, where, and by how much."""

    law: Law
    signal: str
    where: str
    size: float = 0


def breaches(record: Record, bounds: Bounds = OF_AN_AVR) -> list[Breach]:
    """Return all that a record shows of broken laws."""
    found: list[Breach] = []
    for channel in INPUTS:
        if channel.name in ANSWERS:
            found += _unconfirmed(record, channel)
        found += _falsely_reported(record, channel)
        found += _floods(record, channel)
    found += _too_long(record, bounds.too_long_us)
    found += (breach for poke in record.signal.pokes for breach in _unanswered(record, poke, bounds))
    if record.resets or record.clock_error_cycles is None:
        found.append(_breach(record, Law.RUNNING, "resets", record.resets))
    elif abs(record.clock_error_cycles) > bounds.clock_us * CYCLES_PER_US:
        found.append(_breach(record, Law.CLOCK, "clock in ms", record.clock_error_cycles / CYCLES_PER_MS))
    return found


def _breach(record: Record, law: Law, where: str, size: float = 0) -> Breach:
    return Breach(law, record.signal.label, where, size)


def levels_on(changes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return from when to when an input was on, by its changes; it is off at the end."""
    return [(began, ended) for (began, level), (ended, _) in pairwise(changes) if level]


def _unconfirmed(record: Record, channel: Input) -> Iterator[Breach]:
    confirmation = cycles(channel.confirm_on_us)
    lasted = [on for on in levels_on(record.driven[channel.name]) if on[1] - on[0] >= confirmation]
    for spell in record.spells[ANSWERS[channel.name]]:
        waited = [spell.began - began - confirmation for began, _ in lasted]
        if not any(0 <= wait <= LATEST_MS * CYCLES_PER_MS for wait in waited):
            ended = spell.ended or record.ended
            yield _breach(record, Law.CONFIRMED, ANSWERS[channel.name], (ended - spell.began) / CYCLES_PER_US)


def _falsely_reported(record: Record, channel: Input) -> Iterator[Breach]:
    confirmation, slack = cycles(channel.confirm_on_us), cycles(STAMP_US)
    if not confirmation:
        return
    lasted = [on for on in levels_on(record.driven[channel.name]) if on[1] - on[0] >= confirmation]
    place = INPUTS.index(channel) | wire.LEVEL
    for _, _, where, _, stamp in record.events(wire.EDGE):
        at = record.zero + stamp * TICK_CYCLES
        if where == place and not any(on - slack <= at <= off - confirmation + slack for on, off in lasted):
            yield _breach(record, Law.REPORTED, channel.name)


def _too_long(record: Record, most_us: float) -> Iterator[Breach]:
    ordered = dict(ORDERED_US)
    if record.signal.fast_train:
        ordered["flash"] = FAST_TRAIN.on_us
    for name, ordered_us in ordered.items():
        for spell in record.spells[name]:
            if name == "flash" and spell.began < record.began:  # of the train before
                continue
            lasted_us = ((spell.ended or record.ended) - spell.began) / CYCLES_PER_US
            if lasted_us > ordered_us + most_us:
                yield _breach(record, Law.ENDED, name, lasted_us - ordered_us)


# --- floods -------------------------------------------------------------------------------------------------


def most_in_a_window(changes: Sequence[tuple[int, int]]) -> int:
    """Return the highest number of changes within a window of any start."""
    most = first = 0
    for last, (cycle, _) in enumerate(changes):
        while cycle - changes[first][0] > cycles(WINDOW_US):
            first += 1
        most = max(most, last - first + 1)
    return most


def longest_storm_us(changes: Sequence[tuple[int, int]]) -> float:
    """Return for how long an input changed without a pause."""
    longest = began = 0
    for (cycle, _), (later, _) in pairwise(changes):
        began = began or cycle
        if later - cycle > cycles(STORM_GAP_US):
            began = 0
        else:
            longest = max(longest, later - began)
    return longest / CYCLES_PER_US


def _floods(record: Record, channel: Input) -> Iterator[Breach]:
    place, changes = INPUTS.index(channel), record.driven[channel.name]
    named = [message for message in record.events(wire.FLOOD) if message[2] == place]
    muted = [message for message in named if message[3]]
    if longest_storm_us(changes) >= STORM_US and not muted:
        yield _breach(record, Law.NAMED, channel.name)
    if named and max(named, key=lambda message: message[1])[3]:
        yield _breach(record, Law.QUIET, channel.name)
    if muted and most_in_a_window(_all_changes(record)) <= MAX_QUIET_CHANGES:
        yield _breach(record, Law.UNMUTED, channel.name)


def _all_changes(record: Record) -> list[tuple[int, int]]:
    return sorted(change for changes in record.driven.values() for change in changes)


def _unanswered(record: Record, poke: Poke, bounds: Bounds) -> Iterator[Breach]:
    began = record.driven[poke.name][0][0]
    is_flooded = most_in_a_window(_all_changes(record)) > MAX_QUIET_CHANGES
    bound = (bounds.flood_answer_ms if is_flooded else bounds.answer_ms) * CYCLES_PER_MS
    (channel,) = [channel for channel in INPUTS if channel.name == poke.name]
    due = began + cycles(channel.confirm_on_us)
    answers = [spell.began - due for spell in record.spells[ANSWERS[poke.name]] if spell.began >= began]
    late = min(answers, default=record.ended - due)
    if late > bound:
        yield _breach(record, Law.ANSWERED, poke.name, late / CYCLES_PER_MS)


def judge(kind: str, signals: Iterable[Signal], elf: Path | None = None) -> Iterator[list[Breach]]:
    """Play signals to one chip, and return for each which laws it broke; another chip follows one that broke a law.

    ``elf`` is another program than the one of this repository.
    """
    bench: NoiseBench | None = None
    for signal in signals:
        bench = bench or NoiseBench(kind, elf)
        found = breaches(bench.perform(signal), BOUNDS[kind])
        yield found
        if found:
            bench = None

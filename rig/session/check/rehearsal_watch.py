"""Watch what a protocol does in a rehearsal, and count what an author seldom means, with the line of the protocol.

Each of these runs without an error, and none is certain to be a mistake, so they are warnings.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import TypeAlias

from rig.core.engine.engine import Engine
from rig.core.engine.observer import SessionObserver
from rig.core.engine.trials import REWARD_OUTSIDE_TRIAL
from rig.core.model.actions import Order, RewardAction, Set
from rig.core.model.channels import Role, device_of
from rig.core.model.code_lines import CodeLine, line_text
from rig.core.model.rows import Row
from rig.core.task.states import StateInfo

LATE_US = 1_000_000
"""A deadline that is past by less is usual: a trial may outlast a schedule."""
MIN_LATE = 5
"""The fewest past deadlines at one line that are told; they must also be the most of its waits."""
_EXITS = {Role.BEAM: "free", Role.ZONE: "empty"}
"""The roles of inputs that a subject leaves, with the words for it."""


Doubt: TypeAlias = tuple[CodeLine, str]
"""The line that does what is hardly meant so, and what that is."""


class RehearsalWatch(SessionObserver):
    """Follows one session of a protocol with these ``files``."""

    def __init__(self, files: Iterable[Path], states: Mapping[str, StateInfo], engine: Callable[[], Engine]) -> None:
        self._files = frozenset(map(str, files))
        self._engine = engine
        self._doubts: Counter[Doubt] = Counter()
        self._lit_at: dict[str, CodeLine] = {}
        self._has_rows = False
        self._outside: list[tuple[str, CodeLine]] = []
        self._states = states
        self._entries: Mapping[str, list[Mapping[str, CodeLine]]] = defaultdict(list)
        self._deadlines: Mapping[CodeLine, Counter[bool]] = defaultdict(Counter)

    @property
    def doubts(self) -> Counter[Doubt]:
        """Return what was seen so far, and how often."""
        return self._doubts + Counter(dict(self._late())) + Counter(dict(self._left_on()))

    def on_state(self, name: str) -> None:
        """Record which lights are on when a state begins in which the session may end."""
        if self._states[name].can_end:
            self._entries[name].append(dict(self._lit_at))

    def on_order(self, order: Order) -> None:
        """Record the lights, and the rewards that are ordered in no trial."""
        if isinstance(order, Set):
            self._switch(order)
        elif isinstance(order, RewardAction):
            if self._engine().trials.open is not None:
                self._outside.clear()
            # Of a protocol without trials a note says so.
            elif self._has_rows and (line := self._line()) is not None:
                self._outside.append((order.source, line))

    def on_row(self, row: Row) -> None:
        """Record that the protocol has trials."""
        self._has_rows = True

    def on_note(self, fields: Mapping[str, object]) -> None:
        """Record the line of a reward that belongs to no trial."""
        if fields.get("what") == REWARD_OUTSIDE_TRIAL:
            index = next((at for at, (source, _) in enumerate(self._outside) if source == fields["source"]), None)
            if index is not None:
                self._doubts[self._outside.pop(index)[1], _OUTSIDE] += 1

    def on_wait(self, wanted: Collection[tuple[str, int]], within_us: int | None) -> None:
        """Record a wait for exits of places that are free already."""
        if within_us is not None or not wanted:
            return
        level = self._engine().handlers.inputs.level
        is_over = all(not on and channel.partition(".")[2] in _EXITS and not level(channel) for channel, on in wanted)
        if is_over and (line := self._line()) is not None:
            self._doubts[line, _free_text(sorted(channel for channel, _ in wanted))] += 1

    def on_deadline(self, left_us: int) -> None:
        """Record the times that are over already."""
        if (line := self._line()) is not None:
            self._deadlines[line][left_us < -LATE_US] += 1

    def _switch(self, order: Set) -> None:
        if not order.output.endswith(f".{Role.LIGHT}"):
            return
        if not order.on:
            self._lit_at.pop(order.output, None)
            return
        line = self._line()
        lit_at = self._lit_at.get(order.output)
        if lit_at is not None and line is not None and any(f.f_code.co_name == "__enter__" for f in _frames()):
            self._doubts[line, _lit_text(device_of(order.output), lit_at)] += 1
        elif line is not None:
            self._lit_at[order.output] = line

    def _late(self) -> Iterator[tuple[Doubt, int]]:
        for line, counts in self._deadlines.items():
            if counts[True] >= MIN_LATE and counts[True] > counts[False]:
                yield (line, _LATE), counts[True]

    def _left_on(self) -> Iterator[tuple[Doubt, int]]:
        """Yield the lights that are sometimes on, and sometimes off, when a state begins."""
        for name, entries in self._entries.items():
            # The first entry comes before all that switches a light on.
            for light in {light for lit in entries[1:] for light in lit}:
                lit = [entry[light] for entry in entries[1:] if light in entry]
                if len(lit) < len(entries) - 1:
                    for line, times in Counter(lit).items():
                        yield (line, _left_on_text(device_of(light), name)), times

    def _line(self) -> CodeLine | None:
        """Return the innermost line of the protocol that runs now."""
        lines = ((frame.f_code.co_filename, frame.f_lineno) for frame in _frames())
        return next((line for line in lines if line[0] in self._files), None)


_OUTSIDE = (
    "the reward is given in no trial, so no row counts it: order it before self.end_trial(), or begin the next trial "
    "with self.begin_trial(row, keep_rewards=True)"
)
_LATE = (
    "until_s is over already, by more than a second: it is a time of the session, such as self.now_s + 10; "
    "within= is a length"
)


def _free_text(channels: list[str]) -> str:
    devices = " and ".join(map(device_of, channels))
    word = _EXITS[Role(channels[0].partition(".")[2])]
    levels = ", ".join(f"{device_of(channel)}.{word}" for channel in channels)
    return (
        f"{devices} {'are' if channels[1:] else 'is'} {word} already, so the wait lasts until the next exit: "
        f"self.until({levels}) ends at once"
    )


def _lit_text(light: str, lit_at: CodeLine) -> str:
    return (
        f"the light of {light} is on already, since {line_text(lit_at)}, and the end of this `with` switches it off: "
        "remove it here, or switch it off before"
    )


def _left_on_text(light: str, state: str) -> str:
    return f"the light of {light} is sometimes still on when state '{state}' begins, and sometimes off: `with` ends it"


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 (the public way goes up frame by frame)
    while frame is not None:
        yield frame
        frame = frame.f_back

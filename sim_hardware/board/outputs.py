"""Outputs: each action ends by itself, and limited outputs at a limit that no order can move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from rig.boards.wire import messages as wire
from rig.core.clock import Timer
from rig.core.model.sync_code import signal_edges
from sim_hardware.board.openings import Cause, Opening, Openings
from sim_hardware.board.ticks import Ticks

FINISHED, STOPPED, LIMIT = (wire.CONSTANTS[f"DONE_{word}"] for word in ("FINISHED", "STOPPED", "LIMIT"))
BUSY, TOO_LONG, INTERLOCK = (wire.CONSTANTS[f"REASON_{word}"] for word in ("BUSY", "TOO_LONG", "INTERLOCK"))

Steps = Iterator[tuple[int, int]]
"""Steps of an action: ticks, and the value (0 off, 1 on, larger a frequency in hertz)."""


class OutputChannel:
    """One output, the action that runs on it, and its limit.

    ``locked`` returns whether an interlocked output is on; ``on_done(number, why)`` is called when an action has ended.
    Of a dangerous output, ``openings`` keeps the on-times, and ``on_begun(number, cause)`` is called when an order has
    switched it on.
    """

    def __init__(
        self,
        number: int,
        pin: int,
        inverted: bool,
        limit: int | None,
        ticks: Ticks,
        drive: Callable[[int, int], None],
        on_done: Callable[[int, int], None],
        locked: Callable[[], bool] | None,
        openings: Openings | None = None,
        on_begun: Callable[[int, Cause], None] = lambda number, cause: None,
    ) -> None:
        self.number = number
        self.pin = pin
        self.inverted = inverted
        self.value = 0
        self.begun = 0
        self.limit = limit
        self._ticks = ticks
        self._drive = drive
        self._steps: Steps | None = None
        self._timer: Timer | None = None
        self._at = ticks.at
        self._on_done = on_done
        self._locked = locked
        self._openings = openings
        self._opening: Opening | None = None
        self._on_begun = on_begun
        self._cause: Cause = (0, 0, 0)
        self._is_told = False
        if inverted:
            drive(pin, 1)

    @property
    def busy(self) -> bool:
        """Whether an action runs, or the output is on."""
        return self._steps is not None or self.value != 0

    @property
    def interlocked(self) -> bool:
        """Whether it may be on only while no other interlocked output is."""
        return self._locked is not None

    def switch(self, on: int, cause: Cause) -> int:
        """Set it on or off; return why it is refused, or 0. Off ends the running action, on does not move the limit."""
        if not on:
            self.off(STOPPED)
        elif self._steps is not None:
            return BUSY  # overlapping actions are refused and reported, never merged
        elif not self.value:
            if self._locked is not None and self._locked():
                return INTERLOCK
            self._count(cause)
            self._set(1)
            if self.limit is not None:
                self._timer = self._ticks.at(self._ticks.now() + self.limit, self.off, LIMIT)
        return 0

    def run(self, steps: Steps, longest: int, cause: Cause) -> int:
        """Run an action that is on for at most ``longest`` ticks; return the reason of a refusal, or 0."""
        if self.busy:
            return BUSY
        if self.limit is not None and longest > self.limit:
            return TOO_LONG
        if self._locked is not None and self._locked():
            return INTERLOCK
        self._begin(steps, self._ticks.at, cause)
        return 0

    def send(self, steps: Steps, cause: Cause, *, is_valid: bool) -> int:
        """Run an action that does not end by itself; return the reason of a refusal, or 0.

        Neither an output with a limit nor an interlocked one does so.
        """
        if self.busy:
            return BUSY
        if not is_valid or self.limit is not None or self._locked is not None:
            return TOO_LONG
        # In background: it is no sign that anything else still happens.
        self._begin(steps, self._ticks.at_in_background, cause)
        return 0

    def _count(self, cause: Cause) -> None:
        self.begun += 1
        self._cause, self._is_told = cause, False

    def _begin(self, steps: Steps, at: Callable[..., Timer], cause: Cause) -> None:
        self._count(cause)
        self._steps, self._at = steps, at
        self._step(self._ticks.now())

    def _step(self, at: int) -> None:
        following = next(self._steps, None) if self._steps is not None else None
        if following is None:
            self.off(FINISHED)
            return
        duration, value = following
        self._set(value)
        # From the planned time, so that a long train does not drift.
        self._timer = self._at(at + duration, self._step, at + duration)

    def off(self, why: int) -> None:
        """Switch it off, and report the reason if an action was running."""
        # Off after a plain on ends no action, and is not reported.
        ran = self._steps is not None or why == LIMIT
        self._steps = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._set(0)
        if ran:
            self._on_done(self.number, why)

    def _set(self, value: int) -> None:
        if value != self.value:
            self._record(value)
            self.value = value
            self._drive(self.pin, int(not value) if self.inverted and value < 2 else value)

    def _record(self, value: int) -> None:
        """Record that it goes on or off; a tone that only changes its frequency goes on."""
        if self._openings is None:
            return
        if value and not self.value:
            self._opening = self._openings.begin(self.number, self._cause)
            # Once for an order: the pulses of a train are timed from the first.
            if not self._is_told:
                self._is_told = True
                self._on_begun(self.number, self._cause)
        elif not value and self._opening is not None:
            self._openings.end(self._opening)


def pulses(on: int, period: int, count: int) -> Steps:
    """Return the steps of a train."""
    for place in range(count):
        yield on, 1
        if place + 1 < count and period > on:
            yield period - on, 0


def tones(hz: int, step_hz: int, tone: int, period: int, count: int) -> Steps:
    """Return the steps of a ramp of tones."""
    for place in range(count):
        yield tone, max(0, hz + place * step_hz)  # silent, as on a chip
        if place + 1 < count and period > tone:
            yield period - tone, 0


def codes(state: int, period: int, bit: int, bits: int) -> Steps:
    """Return the steps of sync codes, which do not end: the first begins after one bit."""
    yield bit, 0
    # A seed whose code -1 has this state: the board computes with states, and the host with numbers.
    for (at, level, _), (until, _, _) in pairwise(signal_edges(period, bit, bits, state, -1)):
        yield until - at, level


def single(ticks: int, value: int) -> Steps:
    """Return the one step of a pulse or a tone."""
    return iter(((ticks, value),))

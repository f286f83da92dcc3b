"""Outputs that the host times, for a board without a clock.

The host enforces the limits with its timers. If the host dies, nothing switches the outputs off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rig.core.clock import Clock, Timer
from rig.core.journal.kinds import OutputEnd
from rig.core.model.actions import Pulse, Set, Simple, Train
from rig.core.model.board import Output

Steps = Iterator[tuple[int, int]]
"""For so many microseconds, on or off."""


class SoftwareOutput:
    """One output and what runs on it; ``write`` puts a level on its pin, ``done`` is told why something ended."""

    def __init__(
        self, channel: Output, clock: Clock, write: Callable[[int], None], done: Callable[[OutputEnd, str], None]
    ) -> None:
        self.channel = channel
        self.on = 0
        self._clock = clock
        self._write = write
        self._done = done
        self._steps: Steps | None = None
        self._timer: Timer | None = None

    @property
    def busy(self) -> bool:
        """Whether it is on, or something runs on it."""
        return self._steps is not None or self.on != 0

    def safe(self) -> None:
        """Switch it off, whatever runs, and put the level on the pin even if it should be there."""
        self._forget()
        self.on = 0
        self._put(0)

    def switch(self, on: bool, locked: bool) -> str | None:
        """Switch it; return why not. A further "on" does not move the limit."""
        if not on:
            self._end("stopped")
        elif self._steps is not None:
            return "busy"
        elif not self.on:
            if locked:
                return "interlock"
            self._set(1)
            if self.channel.max_on_us is not None:
                self._timer = self._clock.call_later(self.channel.max_on_us / 1e6, self._end, "limit")
        return None

    def run(self, steps: Steps, longest_us: int, locked: bool) -> str | None:
        """Run pulses whose longest is ``longest_us``; return why not."""
        if self.busy:
            return "busy"
        if self.channel.max_on_us is not None and longest_us > self.channel.max_on_us:
            return "too_long"
        if locked:
            return "interlock"
        self._steps = steps
        self._step(self._clock.time())
        return None

    def _step(self, at_s: float) -> None:
        following = None if self._steps is None else next(self._steps, None)
        if following is None:
            self._end("finished")
            return
        lasts_us, on = following
        self._set(on)
        # From the time that was due: the lateness of timers must not add up over a train.
        due_s = at_s + lasts_us / 1e6
        self._timer = self._clock.call_at(due_s, self._step, due_s)

    def _end(self, why: OutputEnd) -> None:
        # The end of a Set is reported only when the limit ended it: the rig's firmware does the same.
        ran = self._steps is not None or why == "limit"
        self._forget()
        self._set(0)
        if ran:
            self._done(why, self.channel.name)

    def _forget(self) -> None:
        self._steps = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self, on: int) -> None:
        if on != self.on:
            self.on = on
            self._put(on)

    def _put(self, on: int) -> None:
        self._write(int(bool(on) != self.channel.inverted))


class SoftwareOutputs:
    """All outputs of a board; of the interlocked ones only one is on at a time."""

    def __init__(self, outputs: Sequence[SoftwareOutput]) -> None:
        self._outputs = {output.channel.name: output for output in outputs}

    def do(self, order: Set | Pulse | Train) -> str | None:
        """Run an order; return in a word why it was refused, None if it was not."""
        output = self._outputs.get(order.output)
        if output is None:
            return "unknown"
        # Only one of the interlocked outputs may be on, as on a board with the rig's firmware.
        locked = output.channel.interlocked and any(
            other is not output and other.channel.interlocked and other.busy for other in self._outputs.values()
        )
        if isinstance(order, Set):
            return output.switch(order.on, locked)
        if isinstance(order, Pulse):
            return output.run(iter(((order.us, 1),)), order.us, locked)
        return output.run(_pulses(order), _longest_on_us(order), locked)

    @property
    def limited_on(self) -> set[str]:
        """Return the names of the outputs with a limit that are on, or on which something runs."""
        return {name for name, output in self._outputs.items() if output.channel.max_on_us is not None and output.busy}

    def all_off(self) -> None:
        """Switch everything off."""
        for output in self._outputs.values():
            output.safe()


def _longest_on_us(train: Train) -> int:
    # Without gaps the output stays on from the first pulse to the last, as on a board with the rig's firmware.
    return train.on_us if train.period_us > train.on_us else train.on_us * train.count


def _pulses(train: Train) -> Steps:
    for index in range(train.count):
        yield train.on_us, 1
        if index + 1 < train.count and train.period_us > train.on_us:
            yield train.period_us - train.on_us, 0


def can_do(action: Simple) -> bool:
    """Whether an output that the host times can do an action."""
    return isinstance(action, Set | Pulse | Train)

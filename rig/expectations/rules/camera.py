"""What a camera delivers: frames in time, frames that are missing, frames without the animal."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from rig.core.journal.kinds import PositionsLine
from rig.core.model.events import Continued, Edge
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

RATE_OVER_US = 10_000_000
UNTRACKED_OVER_US = 60_000_000
PCT_FROM_US = 60_000_000


class FrameRate(Rule[PositionsLine | Continued]):
    """The frames of a tracker in a second, over 10 s."""

    name = "frame_rate"
    kinds = (PositionsLine, Continued)

    def __init__(self, tracker: str, expected: Mapping[str, float]) -> None:
        self._tracker = tracker
        self._hz, self._tolerance_hz = expected["hz"], expected.get("tolerance_hz", 1)
        self._from_us: int | None = None
        self._samples = 0
        self._reported = False

    def take(self, line: PositionsLine | Continued) -> Iterator[Finding]:
        """Add the frames of a block; yield one finding when they come too slowly or too fast."""
        if isinstance(line, Continued) or self._from_us is None:
            # The time of a block is that of its last frame, so the first block only begins the count.
            self._from_us = line.t_us if isinstance(line, PositionsLine) else None
            self._samples = 0
            return
        self._samples += line.samples
        span_us = line.t_us - self._from_us
        if span_us < RATE_OVER_US:
            return
        hz = self._samples / span_us * 1e6
        self._from_us, self._samples = line.t_us, 0
        if abs(hz - self._hz) > self._tolerance_hz and not self._reported:
            self._reported = True
            text = (
                f"{self._tracker}: {hz:.1f} frames a second, {self._hz:g} ± {self._tolerance_hz:g} are normal: look at "
                "its cable, the exposure time and the load of the computer"
            )
            yield self.found(line.t_us, text, self._tracker)


class LostFrames(Rule[PositionsLine | Continued]):
    """The frames that a tracker misses of all that its rate promises, over the session so far."""

    name = "frames_lost"
    kinds = (PositionsLine, Continued)

    def __init__(self, tracker: str, hz: float, limits: Mapping[str, float]) -> None:
        self._tracker, self._hz = tracker, hz
        self._max_pct = limits["max_lost_frames_pct"]
        self._last_us: int | None = None
        self._span_us = self._samples = 0
        self._reported = False

    def take(self, line: PositionsLine | Continued) -> Iterator[Finding]:
        """Add the frames of a block; yield one finding when too many are missing."""
        if isinstance(line, Continued) or self._last_us is None:
            self._last_us = line.t_us if isinstance(line, PositionsLine) else None
            return
        self._span_us += line.t_us - self._last_us
        self._samples += line.samples
        self._last_us = line.t_us
        promised = self._span_us * self._hz / 1e6
        pct = 100 * (promised - self._samples) / promised if promised > 0 else 0.0
        if self._span_us >= PCT_FROM_US and pct > self._max_pct and not self._reported:
            self._reported = True
            text = (
                f"{self._tracker}: {pct:.1f} % of its frames are missing, at most {self._max_pct:g} % are normal: "
                "look at its cable and the load of the computer"
            )
            yield self.found(line.t_us, text, self._tracker)


class Untracked(Rule[PositionsLine]):
    """The frames in which a tracker does not find the animal, over a minute."""

    name = "untracked"
    kinds = (PositionsLine,)

    def __init__(self, tracker: str, limits: Mapping[str, float]) -> None:
        self._tracker = tracker
        self._max_pct = limits["max_untracked_pct"]
        self._blocks: deque[PositionsLine] = deque()
        self._samples = self._lost = 0
        self._reported = False

    def take(self, line: PositionsLine) -> Iterator[Finding]:
        """Add the frames of a block; yield one finding when the animal is lost too often."""
        self._blocks.append(line)
        self._samples += line.samples
        self._lost += line.lost
        while self._blocks[0].t_us < line.t_us - UNTRACKED_OVER_US:
            oldest = self._blocks.popleft()
            self._samples -= oldest.samples
            self._lost -= oldest.lost
            pct = 100 * self._lost / self._samples if self._samples else 0.0
            if pct > self._max_pct and not self._reported:
                self._reported = True
                text = (
                    f"{self._tracker}: the animal was not found in {pct:.0f} % of the frames of a minute, at most "
                    f"{self._max_pct:g} % are normal: look at its light, the threshold and the lamps of the room"
                )
                yield self.found(line.t_us, text, self._tracker)


class PulseRate(Rule[Edge | Continued]):
    """The pulses in a second of another machine, such as the frame signal of a camera, over 10 s."""

    name = "pulse_rate"
    kinds = (Edge, Continued)

    def __init__(self, channel: str, expected: Mapping[str, float]) -> None:
        self._channel = channel
        self._hz, self._tolerance_hz = expected["hz"], expected.get("tolerance_hz", 1)
        self._from_us: int | None = None
        self._pulses = 0
        self._reported = False

    def take(self, line: Edge | Continued) -> Iterator[Finding]:
        """Add a pulse; those of a break of the session are not in the journal."""
        if isinstance(line, Continued):
            self._from_us, self._pulses = line.t_us, 0
        elif line.channel == self._channel and line.level:
            if self._from_us is None:
                self._from_us = line.t_us
            else:
                self._pulses += 1
        return iter(())

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield one finding when the pulses come too slowly or too fast, from 10 s after the session's start on."""
        from_us = self._from_us or 0
        if self._reported or t_us - from_us < RATE_OVER_US:
            return
        hz = self._pulses / (t_us - from_us) * 1e6
        self._from_us, self._pulses = t_us, 0
        if abs(hz - self._hz) > self._tolerance_hz:
            self._reported = True
            text = (
                f"{self._channel}: {hz:.1f} pulses a second, {self._hz:g} ± {self._tolerance_hz:g} are normal: does "
                "the machine run, and is its cable plugged in?"
            )
            yield self.found(t_us, text, self._channel)


def tracker_of(devices: Mapping[str, Mapping[str, object]]) -> tuple[str, float] | None:
    """Return the name and the rate of a rig's tracker, if it has one."""
    for name, device in devices.items():
        hz = device.get("hz")
        if "px_per_cm" in device and isinstance(hz, int | float) and hz > 0:
            return name, hz
    return None

"""A virtual camera above the maze: frames of the animal's trajectory, in virtual time, without a timer per frame.

Frames are computed as far ahead as the trajectory is known, or up to now while the animal stands. They are delivered
every half second, and when a zone change is confirmed. Positions have noise, and the light is lost for short runs of
frames. If the animal leaves its planned way, the frames ahead are computed again.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable
from copy import deepcopy

from rig.camera.interface import Camera, FramePosition, OnGone, OnSeen
from rig.core.clock import Clock, Timer, in_background
from rig.core.model.rig_spec import TrackingSpec
from rig.core.model.zones import NEVER_US, ZoneDetector
from sim_hardware.world.trajectory import Trajectory

LATENCY_S = 0.02
"""From a frame to its arrival: exposure, transfer, detection of the light."""
DELIVERY_PERIOD_S = 0.5
HEAD_CM = 0.15
"""SD of small head movements."""
BLOCK = 64
"""Number of frames whose noise is drawn at once."""
P_LOST, LONGEST_LOST = 0.5, 4
"""In half of the blocks the light is lost for 1 to 4 frames: 2 % of all."""

_LOST = (math.nan, math.nan)
_SCALE = HEAD_CM * math.sqrt(3)
"""The sum of four uniform numbers has a variance of a third."""


class VirtualCamera(Camera):
    """A camera that follows a body's ``trajectory``; ``now_s`` returns the session's time in seconds."""

    def __init__(self, tracking: TrackingSpec, clock: Clock, now_s: Callable[[], float], seed: int) -> None:
        self.trajectory = Trajectory(self._make)
        self._now_s = now_s
        self._hz = tracking.hz
        self._clock = clock
        self._seed = seed
        self._ahead = ZoneDetector(tracking.circles)
        self._frames: deque[FramePosition] = deque()
        self._made = 0
        self._delivered_frames = 0
        self._leg = 0
        self._sure = (0, 0, deepcopy(self._ahead))
        self._shake: list[tuple[float, float]] = []
        self._due: Timer | None = None
        self._next: Timer | None = None
        self._on_seen: OnSeen | None = None

    async def open(self) -> None:
        """Return at once: a virtual camera is always open."""

    def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
        """Start to deliver frames; this camera never fails."""
        self._on_seen = on_seen
        self._tick()

    def _tick(self) -> None:
        self._make()
        self._deliver()
        # In background: a camera alone must not keep virtual time running.
        self._next = in_background(self._clock)(DELIVERY_PERIOD_S, self._tick)

    def _make(self) -> None:
        """Add the frames up to now, and those of the planned way."""
        points = self.trajectory.points
        if not points or self._on_seen is None:
            return
        known_s = max(self._now_s(), points[-1].t_s)
        zero_us, step_us = round((self._clock.time() - self._now_s()) * 1e6), 1e6 / self._hz
        until = int(known_s * self._hz)
        # Frames were computed for a way that has become shorter since: the animal stopped.
        if until + 1 < self._made:
            self._discard_ahead()
        elif self._made <= self._now_s() * self._hz + 1 and points[-1].t_s > self._now_s():
            # The state before a planned way, to which the camera returns if the animal leaves that way.
            self._sure = (self._made, self._leg, deepcopy(self._ahead))
        for frame in range(self._made, until + 1):
            x_cm, y_cm = self._position(frame)
            t_us = zero_us + round(frame * step_us)
            if frame >= self._delivered_frames:
                self._frames.append(FramePosition(frame, t_us, x_cm, y_cm))
            # Not NaN: a frame without the light changes no zone.
            if x_cm == x_cm and self._ahead.update(t_us, x_cm, y_cm):
                self._clock.call_at(max(t_us / 1e6 + LATENCY_S, self._clock.time()), self._deliver)
        self._made = max(self._made, until + 1)
        if self._due is not None:
            self._due.cancel()
            self._due = None
        next_us = zero_us + round((until + 1) * step_us)
        stands = points[-1].t_s >= until / self._hz  # in the next frame, unless it goes on
        next_change_us = next_us if stands else max(next_us, self._ahead.next_change_us)
        if next_change_us < NEVER_US:
            self._due = self._clock.call_at(next_change_us / 1e6 + LATENCY_S, self._make)

    def _discard_ahead(self) -> None:
        """Remove the frames of a planned way that the animal has left."""
        self._made, self._leg, self._ahead = self._sure
        self._frames.clear()
        self._shake = []

    def _deliver(self) -> None:
        # One microsecond for rounding: the timer for a frame's arrival must deliver that frame.
        ready_us = (self._clock.time() - LATENCY_S) * 1e6 + 1
        seen = []
        while self._frames and self._frames[0].raw_us <= ready_us:
            seen.append(self._frames.popleft())
        self._delivered_frames += len(seen)
        if seen and self._on_seen is not None:
            self._on_seen(seen)

    def _position(self, frame: int) -> tuple[float, float]:
        """Return the position of the light in a frame; frames must be requested in order."""
        place = frame % BLOCK
        if place == 0 or not self._shake:
            self._shake = self._draw(frame // BLOCK)
        dx_cm, dy_cm = self._shake[place]
        points, t_s = self.trajectory.points, frame / self._hz
        while self._leg + 1 < len(points) and points[self._leg + 1].t_s <= t_s:
            self._leg += 1
        from_s, x_cm, y_cm = points[self._leg]
        if self._leg + 1 < len(points) and t_s > from_s:
            until_s, then_x_cm, then_y_cm = points[self._leg + 1]
            part = (t_s - from_s) / (until_s - from_s)
            x_cm, y_cm = x_cm + part * (then_x_cm - x_cm), y_cm + part * (then_y_cm - y_cm)
        return x_cm + dx_cm, y_cm + dy_cm

    def _draw(self, block: int) -> list[tuple[float, float]]:
        """Draw the noise of the light's position in the frames of a block; NaN where the light is lost."""
        # By block, so that frames that are computed again have the same noise. Sums of random() replace gauss(), which
        # may differ between versions of Python (docs/decisions/random-streams.md).
        draw = random.Random(f"{self._seed}/camera/{block}").random
        shake = [
            (_SCALE * (draw() + draw() + draw() + draw() - 2), _SCALE * (draw() + draw() + draw() + draw() - 2))
            for _ in range(BLOCK)
        ]
        if draw() < P_LOST:
            first, lost = int(draw() * BLOCK), 1 + int(draw() * LONGEST_LOST)
            shake[first : first + lost] = [_LOST] * len(shake[first : first + lost])
        return shake

    def close(self) -> None:
        """Send the frames up to now, and stop."""
        self._make()
        self._deliver()
        self._on_seen = None
        for timer in (self._due, self._next):
            if timer is not None:
                timer.cancel()

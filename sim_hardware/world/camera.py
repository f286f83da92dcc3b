"""A camera above a virtual animal: frames of its trajectory, in virtual time, without a timer for each.

Frames are made as far ahead as the trajectory is known, or up to now where the animal stands, and told of when somebody
must know: every half second, and when a zone has been entered or left for good. Each frame is as noisy as a head is,
and now and then the light is lost for some of them, in runs. An animal may go another way than it had planned; what was
made ahead is then made again.
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
"""From a frame to its arrival: exposure, the cable, finding the light."""
TELLS_S = 0.5
HEAD_CM = 0.15
"""SD of what a head moves by itself."""
BLOCK = 64
"""Chance is drawn for so many frames at once."""
P_LOST, LONGEST_LOST = 0.5, 4
"""In half of the blocks the light is lost for 1 to 4 frames: 2 % of all."""

_LOST = (math.nan, math.nan)
_SCALE = HEAD_CM * math.sqrt(3)
"""The sum of four uniform numbers has a variance of a third."""


class VirtualCamera(Camera):
    """Sees where a body is that goes along its ``trajectory``; ``now_s`` tells the session's time in seconds."""

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
        """Be there."""

    def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
        """Tell of frames from now on; this camera never goes."""
        self._on_seen = on_seen
        self._tick()

    def _tick(self) -> None:
        self._make()
        self._tell()
        self._next = in_background(self._clock)(TELLS_S, self._tick)

    def _make(self) -> None:
        """Make the frames up to now, and those of the ways that are planned."""
        points = self.trajectory.points
        if not points or self._on_seen is None:
            return
        known_s = max(self._now_s(), points[-1].t_s)
        zero_us, step_us = round((self._clock.time() - self._now_s()) * 1e6), 1e6 / self._hz
        until = int(known_s * self._hz)
        if until + 1 < self._made:
            self._forget_ahead()
        elif self._made <= self._now_s() * self._hz + 1 and points[-1].t_s > self._now_s():
            self._sure = (self._made, self._leg, deepcopy(self._ahead))
        for frame in range(self._made, until + 1):
            x_cm, y_cm = self._seen(frame)
            t_us = zero_us + round(frame * step_us)
            if frame >= self._delivered_frames:
                self._frames.append(FramePosition(frame, t_us, x_cm, y_cm))
            if x_cm == x_cm and self._ahead.update(t_us, x_cm, y_cm):
                self._clock.call_at(max(t_us / 1e6 + LATENCY_S, self._clock.time()), self._tell)
        self._made = max(self._made, until + 1)
        if self._due is not None:
            self._due.cancel()
            self._due = None
        next_us = zero_us + round((until + 1) * step_us)
        stands = points[-1].t_s >= until / self._hz  # in the next frame, unless it goes on
        next_change_us = next_us if stands else max(next_us, self._ahead.next_change_us)
        if next_change_us < NEVER_US:
            self._due = self._clock.call_at(next_change_us / 1e6 + LATENCY_S, self._make)

    def _forget_ahead(self) -> None:
        """Go back to before the way was planned that the animal has left."""
        self._made, self._leg, self._ahead = self._sure
        self._frames.clear()
        self._shake = []

    def _tell(self) -> None:
        ready_us = (self._clock.time() - LATENCY_S) * 1e6 + 1
        seen = []
        while self._frames and self._frames[0].raw_us <= ready_us:
            seen.append(self._frames.popleft())
        self._delivered_frames += len(seen)
        if seen and self._on_seen is not None:
            self._on_seen(seen)

    def _seen(self, frame: int) -> tuple[float, float]:
        """Return where the light is in a frame; frames are asked for in their order."""
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
        """Draw how far off the light is in the frames of a block; NaN where it is lost."""
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
        """Tell of what has been seen until now, and stop."""
        self._make()
        self._tell()
        self._on_seen = None
        for timer in (self._due, self._next):
            if timer is not None:
                timer.cancel()

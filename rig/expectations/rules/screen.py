"""What the touch screen does: how late it shows a scene, and whether contacts are where the subject aims."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from rig.core.journal.kinds import Command, SceneLine
from rig.core.model.actions import Shown
from rig.core.model.events import FrameShown, Touch
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

SCREEN = "screen"
LATE = 5
PECKS = 50
MAX_SCENES = 10_000


class FrameLatency(Rule[Command | FrameShown]):
    """The time from the order to show a scene until the screen shows it."""

    name = "frame_latency"
    kinds = (Command, FrameShown)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._most_us = 1000 * limits["max_frame_latency_ms"]
        self._ordered: deque[tuple[str, int]] = deque(maxlen=MAX_SCENES)
        self._late = 0
        self._reported = False

    def take(self, line: Command | FrameShown) -> Iterator[Finding]:
        """Read an order or a frame; yield one finding when several frames in a row were late."""
        if isinstance(line, Command):
            self._ordered.extend((order.scene, line.t_us) for order in line.orders if isinstance(order, Shown))
            return
        while self._ordered:
            scene, ordered_us = self._ordered.popleft()
            if scene == line.scene:  # a frame that was replaced before the refresh is never shown
                yield from self._judge(line.t_us, line.t_us - ordered_us)
                return

    def _judge(self, t_us: int, latency_us: int) -> Iterator[Finding]:
        self._late = self._late + 1 if latency_us > self._most_us else 0
        if self._late == LATE and not self._reported:
            self._reported = True
            text = (
                f"the screen showed the last {LATE} scenes more than {self._most_us / 1000:g} ms after their order, "
                f"the last one after {latency_us / 1000:.0f} ms: look at the load of the computer and the monitor"
            )
            yield self.found(t_us, text, SCREEN)


class MissedPecks(Rule[SceneLine | FrameShown | Touch]):
    """The pecks that hit nothing while something is shown: the touch panel may be out of place."""

    name = "missed_pecks"
    kinds = (SceneLine, FrameShown, Touch)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._max_pct = limits["max_missed_pecks_pct"]
        self._has_items: dict[str, bool] = {}
        self._shows_items = False
        self._missed: deque[bool] = deque(maxlen=PECKS)
        self._reported = False

    def take(self, line: SceneLine | FrameShown | Touch) -> Iterator[Finding]:
        """Read a peck; yield one finding when too many of the last ones hit nothing."""
        if isinstance(line, SceneLine):
            if len(self._has_items) < MAX_SCENES:
                self._has_items[line.id] = bool(line.items)
        elif isinstance(line, FrameShown):
            self._shows_items = self._has_items.get(line.scene, False)
        elif line.peck and self._shows_items:
            self._missed.append(not line.on)
            pct = 100 * sum(self._missed) / PECKS
            if len(self._missed) == PECKS and pct > self._max_pct and not self._reported:
                self._reported = True
                text = (
                    f"{pct:.0f} % of the last {PECKS} contacts hit nothing that was shown, at most {self._max_pct:g} % "
                    "are normal: calibrate the touch panel, and look for water or dirt on it"
                )
                yield self.found(line.t_us, text, SCREEN)

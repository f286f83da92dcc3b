"""What a task can learn. Each is one line of the journal, written before the task sees it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from rig.core.model.channels import device_of
from rig.core.model.units import to_s, to_us


class Edge(NamedTuple):
    """An input changed.

    ``fired`` is the reflex group that this edge fired, 0 if none; ``number`` its place in the board's own
    event order, 0 of an input that is no board's.
    """

    channel: str
    level: int
    t_us: int
    fired: int
    number: int

    @property
    def source(self) -> str:
        """Name the device whose channel changed."""
        return device_of(self.channel)

    @property
    def t_s(self) -> float:
        """When, in seconds of the session."""
        return to_s(self.t_us)

    def after_s(self, t_s: float) -> float:
        """Return the seconds from ``t_s`` of the session to it, exact to the microsecond."""
        return to_s(self.t_us - to_us(t_s))


class BoardTime(NamedTuple):
    """The board's answer to ``time?``: every edge stamped up to ``t_us`` has been sent before it.

    ``executed`` is how many batches of the current epoch the board had executed by then.
    """

    t_us: int
    executed: int
    number: int


class SequenceStarted(NamedTuple):
    """A sequence started, by an order or by a reflex; what it pays it gives at that instant."""

    t_us: int
    sequence: int
    number: int


class Refused(NamedTuple):
    """The board refused one order: the ``order``-th of batch ``batch`` of the current epoch; 255 is all of it."""

    t_us: int
    batch: int
    order: int
    reason: str
    number: int


class LeaseExpired(NamedTuple):
    """The host was silent too long: outputs safe, groups and sequences forgotten, a new epoch begun."""

    t_us: int
    board_epoch: int
    executed: int
    number: int


class Overflow(NamedTuple):
    """The board ran out of room and lost ``lost`` events."""

    t_us: int
    lost: int
    number: int


class ZoneEvent(NamedTuple):
    """A tracked animal came into a zone, or left it; ``channel`` is the zone's.

    ``t_us`` is when the first frame that shows it was taken, right to ``uncertainty_us``; ``raw_us`` is the
    camera's clock.
    """

    channel: str
    level: int
    t_us: int
    raw_us: int
    uncertainty_us: int

    @property
    def edge(self) -> Edge:
        """Give it as what a wait asks for; it is in no board's order, and fires nothing by itself."""
        return Edge(self.channel, self.level, self.t_us, 0, 0)


class Touch(NamedTuple):
    """Something touched the screen, moved on it or left it: ``phase`` is ``down``, ``move`` or ``up``.

    ``on`` names what it is on in the scene of ``frame``, which was on the glass then; nothing when it is beside
    everything, ``in_margin`` when it is only close to it. ``peck`` is true of a ``down`` that is no bounce. ``raw_us``
    is the host's clock, ``t_us`` right to ``uncertainty_us``.
    """

    t_us: int
    phase: str
    contact: int
    x_cm: float
    y_cm: float
    x_px: float
    y_px: float
    frame: int
    on: str
    in_margin: bool
    peck: bool
    raw_us: int
    uncertainty_us: int

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """The questions that it answers."""
        return ((f"screen.{self.phase}", 1), ("screen.peck", 1)) if self.peck else ((f"screen.{self.phase}", 1),)

    @property
    def t_s(self) -> float:
        """When, in seconds of the session."""
        return to_s(self.t_us)

    def after_s(self, t_s: float) -> float:
        """Return the seconds from ``t_s`` of the session to it, exact to the microsecond."""
        return to_s(self.t_us - to_us(t_s))


class FrameShown(NamedTuple):
    """A change of the screen has appeared: the ``frame``-th, which shows ``scene``; stamps as those of a touch."""

    t_us: int
    frame: int
    scene: str
    raw_us: int
    uncertainty_us: int

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """The questions that it answers."""
        return (("screen.shown", 1),)

    @property
    def t_s(self) -> float:
        """When, in seconds of the session."""
        return to_s(self.t_us)


class Key(NamedTuple):
    """A key was pressed before the screen: a character, ``enter`` or ``backspace``; stamps as those of a touch."""

    t_us: int
    key: str
    raw_us: int
    uncertainty_us: int

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """The questions that it answers."""
        return (("screen.key", 1),)

    @property
    def t_s(self) -> float:
        """When, in seconds of the session."""
        return to_s(self.t_us)


class Request(NamedTuple):
    """Somebody asked for something: ``stop``, or ``reward left``.

    ``t_us`` is the host's estimate of the board's time, right to ``uncertainty_us``; ``raw_us`` is its own clock.
    """

    t_us: int
    what: str
    raw_us: int = 0
    uncertainty_us: int = 0


class Fault(NamedTuple):
    """The hardware failed: ``link_lost``, ``reset``, ``wire``; ``detail`` says it in words."""

    t_us: int
    what: str
    detail: str


ScreenEvent: TypeAlias = Touch | Key | FrameShown
TaskEvent: TypeAlias = Edge | ScreenEvent
"""What a task may wait for."""
SCREEN_EVENTS = (Touch, Key, FrameShown)
TASK_EVENTS = (Edge, Touch, Key, FrameShown)
Event: TypeAlias = (
    TaskEvent | BoardTime | SequenceStarted | Refused | LeaseExpired | Overflow | ZoneEvent | Request | Fault
)

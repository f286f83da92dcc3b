"""Events that a task can read. Each is one line of the journal, written before the task reads it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from rig.core.model.channels import device_of
from rig.core.model.comparisons import event
from rig.core.model.units import to_s, to_us


@event
class Edge(NamedTuple):
    """A change of an input.

    ``fired`` is the reflex group that this edge fired, 0 if none. ``number`` is its place in the board's event order, 0
    for an input that the host reads.
    """

    channel: str
    level: int
    t_us: int
    fired: int
    number: int

    @property
    def source(self) -> str:
        """Return the name of the device whose input changed."""
        return device_of(self.channel)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)

    def after_s(self, t_s: float) -> float:
        """Return the seconds from session time ``t_s`` to this edge, exact to the microsecond."""
        return to_s(self.t_us - to_us(t_s))


class BoardTime(NamedTuple):
    """The board's answer to ``time?``: it has sent every edge stamped up to ``t_us`` before.

    ``executed`` is how many batches of the current epoch the board had executed by then.
    """

    t_us: int
    executed: int
    number: int


class SequenceStarted(NamedTuple):
    """The start of a sequence, by an order or by a reflex; its rewards are given at that instant."""

    t_us: int
    sequence: int
    number: int


WHOLE_BATCH = 255
"""The place of a refusal that concerns all orders of its batch."""


class Refused(NamedTuple):
    """A refusal of the ``order``-th order of batch ``batch`` of the current epoch, or of the ``WHOLE_BATCH``."""

    t_us: int
    batch: int
    order: int
    reason: str
    number: int


class LeaseExpired(NamedTuple):
    """The board's lease expired: all outputs off, reflex groups and sequences removed, a new epoch started.

    ``board_epoch`` counts the leases that have expired since the board was opened; the ``epoch`` of a command counts
    those of which the task has read.
    """

    t_us: int
    board_epoch: int
    executed: int
    number: int


class Panic(NamedTuple):
    """The panic input ``pin`` of a board was on: all outputs off, and the board executes nothing until it is opened.

    ``board`` is the board's name in the rig file. ``executed`` is the last batch that the board has executed.
    """

    t_us: int
    board: str
    pin: int
    executed: int
    number: int

    def __str__(self) -> str:
        return f"the panic button of board {self.board} (pin {self.pin}) was pressed"


class Overflow(NamedTuple):
    """A full event buffer of the board, which lost ``lost`` events, or more if it is 255.

    ``effects`` of them said what became of an order or a group: a reflex fired, a sequence started, an order was
    refused. The last of these was lost when the board had executed the batches up to ``executed``.
    """

    t_us: int
    lost: int
    executed: int
    effects: int
    number: int


class Flood(NamedTuple):
    """A flood of edges at an input, which the board has muted; ``edges_per_s`` is 0 when the input is quiet again.

    The board counts at most 255,000 edges per second, and reports no edge of a muted input.
    """

    t_us: int
    channel: str
    edges_per_s: int
    number: int


class ZoneEvent(NamedTuple):
    """A tracked animal's entry into a zone, or its exit; ``channel`` is the zone's.

    ``t_us`` is the time of the first frame that shows it, with a bound of error ``uncertainty_us``. ``raw_us`` is the
    camera's clock.
    """

    channel: str
    level: int
    t_us: int
    raw_us: int
    uncertainty_us: int

    @property
    def edge(self) -> Edge:
        """Return it as an edge that a wait can match; it has no number and fires no reflex of the board."""
        return Edge(self.channel, self.level, self.t_us, 0, 0)


@event
class Touch(NamedTuple):
    """A contact with the screen: ``phase`` is ``down``, ``move`` or ``up``.

    ``on`` is the name of the item at that point in the scene of ``frame``, which was on the screen then. It is empty
    beside all items; ``in_margin`` says that the point is only near the item. ``peck`` is true for a ``down`` that is
    no bounce. ``raw_us`` is the host's clock; ``t_us`` has a bound of error ``uncertainty_us``.
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
        """Return the patterns that it matches."""
        return ((f"screen.{self.phase}", 1), ("screen.peck", 1)) if self.peck else ((f"screen.{self.phase}", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)

    def after_s(self, t_s: float) -> float:
        """Return the seconds from session time ``t_s`` to this touch, exact to the microsecond."""
        return to_s(self.t_us - to_us(t_s))


@event
class FrameShown(NamedTuple):
    """A frame that has appeared on the screen: ``frame`` is its number, ``scene`` the ``id`` of its scene.

    ``raw_us`` is the host's clock; ``t_us`` has a bound of error ``uncertainty_us``.
    """

    t_us: int
    frame: int
    scene: str
    raw_us: int
    uncertainty_us: int

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """Return the patterns that it matches."""
        return (("screen.shown", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)


@event
class Key(NamedTuple):
    """A key press at the screen: a character, ``enter`` or ``backspace``.

    ``raw_us`` is the host's clock; ``t_us`` has a bound of error ``uncertainty_us``.
    """

    t_us: int
    key: str
    raw_us: int
    uncertainty_us: int

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """Return the patterns that it matches."""
        return (("screen.key", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)


@event
class Hover(NamedTuple):
    """The pointer came over an item of a scene with ``hover``, or left all items: ``on`` is empty then.

    ``x_cm`` and ``y_cm`` are where it was, in the scene of ``frame``, which was on the screen then. ``raw_us`` is the
    host's clock at the report, at most 50 ms after the change (`rig.core.model.hover`). ``t_us`` has a bound of error
    ``uncertainty_us``.
    """

    t_us: int
    on: str
    x_cm: float
    y_cm: float
    frame: int
    raw_us: int
    uncertainty_us: int

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """Return the patterns that it matches."""
        return (("screen.hover", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)


class Request(NamedTuple):
    """A request of the operator or a program: ``stop``, or ``reward left``.

    ``t_us`` is the host's estimate of the board's time, with a bound of error ``uncertainty_us``. ``raw_us`` is the
    host's clock.
    """

    t_us: int
    what: str
    raw_us: int = 0
    uncertainty_us: int = 0


DISCONNECTED = "disconnected"
"""The fault of a lost board for which the host waits; every other fault ends the session."""


class Fault(NamedTuple):
    """A failure of the hardware: ``link_lost``, ``reset``, ``disconnected``; ``detail`` describes it."""

    t_us: int
    what: str
    detail: str


class Continued(NamedTuple):
    """The session goes on after a break: its board was opened again, and has forgotten all that was ordered.

    The break began ``gap_us`` before. ``why`` names it: ``crash``, or the fault of the board. With ``restarted`` the
    program was started again too, and with it the inputs that it reads itself. From now on the subject may be given
    ``ul``, ``pellets`` and ``access_s``; None is no further limit.
    """

    t_us: int
    gap_us: int
    why: str
    restarted: bool
    ul: float | None = None
    pellets: int | None = None
    access_s: float | None = None


ScreenEvent: TypeAlias = Touch | Key | FrameShown | Hover
TaskEvent: TypeAlias = Edge | ScreenEvent
"""The events that a task may wait for."""
SCREEN_EVENTS = (Touch, Key, FrameShown, Hover)
TASK_EVENTS = (Edge, *SCREEN_EVENTS)
Event: TypeAlias = (
    TaskEvent
    | BoardTime
    | SequenceStarted
    | Refused
    | LeaseExpired
    | Panic
    | Overflow
    | Flood
    | ZoneEvent
    | Request
    | Fault
    | Continued
)

"""Events that a task can read. Each is one line of the journal, written before the task reads it."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias, final

from rig.core.model.channels import device_of
from rig.core.model.comparisons import event
from rig.core.model.line import AmountNumber, Count, Level, Line, Number, Source, Whole
from rig.core.model.microseconds import to_s, to_us


@event
@final
class Edge(Line, tag="edge", frozen=True, gc=False):
    """A change of an input.

    ``fired`` is the reflex group that this edge fired, 0 if none. ``number`` is its place in the board's event order, 0
    for an input that the host reads.
    """

    src: ClassVar[Source] = "board"
    channel: str
    """The input, such as ``left.beam``."""
    level: Level
    """1 on, 0 off."""
    fired: Count
    """The reflex group that this edge fired, 0 if none."""
    number: Count
    """Its place in the board's event order, from 1; 0 for an input that the host reads."""

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


class BoardTime(Line, tag="time", frozen=True, gc=False):
    """The board's answer to ``time?``: it has sent every edge stamped up to ``t_us`` before.

    ``executed`` is how many batches of the current epoch the board had executed by then.
    """

    src: ClassVar[Source] = "board"
    executed: Count
    """How many batches of this epoch the board had executed."""
    number: Count
    """Its place in the board's event order."""


Cause: TypeAlias = Literal["order", "reflex", "sequence"]
"""What makes a board act: an order of a batch, a reflex, or a sequence."""


class SequenceStarted(Line, tag="sequence_started", frozen=True, gc=False):
    """The start of a sequence, by an order, a reflex or another sequence."""

    src: ClassVar[Source] = "board"
    sequence: Count
    """The number of the sequence."""
    cause: Cause
    """An ``order`` of a batch, a ``reflex``, or a ``sequence``."""
    by: Count
    """The number of the batch, of the reflex group, or of the sequence."""
    number: Count
    """Its place in the board's event order."""


WHOLE_BATCH = 255
"""The place of a refusal that concerns all orders of its batch."""


class Refused(Line, tag="refused", frozen=True, gc=False):
    """A refusal of the ``order``-th order of batch ``batch`` of the current epoch, or of the ``WHOLE_BATCH``."""

    src: ClassVar[Source] = "board"
    batch: Count
    """The batch of this epoch."""
    order: Count
    """The place of the order in it, from 0; 255 is the whole batch."""
    reason: str
    """Why, in a word."""
    number: Count
    """Its place in the board's event order."""


class EntryRefused(Line, tag="entry_refused", frozen=True, gc=False):
    """A refusal of an entry of a running sequence."""

    src: ClassVar[Source] = "board"
    sequence: Count
    """The number of the sequence."""
    entry: Count
    """The entry, from 0, in the order of their times."""
    reason: str
    """Why, in a word."""
    number: Count
    """Its place in the board's event order."""


class OutputOn(Line, tag="output_on", frozen=True, gc=False):
    """An output that the board limits has gone on, and by whose order. The pulses of a train count as one."""

    src: ClassVar[Source] = "board"
    output: str
    """The channel."""
    cause: Cause
    """An ``order`` of a batch, a ``reflex``, or a ``sequence``."""
    by: Count
    """The number of the batch, of the reflex group, or of the sequence."""
    part: Count
    """The place of the order in the batch, of the member in the group, or of the entry in the order of times."""
    number: Count
    """Its place in the board's event order."""


class LeaseExpired(Line, tag="lease_expired", frozen=True, gc=False):
    """The board's lease expired: all outputs off, reflex groups and sequences removed, a new epoch started.

    ``board_epoch`` counts the leases that have expired since the board was opened; the ``epoch`` of a command counts
    those of which the task has read.
    """

    src: ClassVar[Source] = "board"
    board_epoch: Count
    """How many leases have expired since the board was opened."""
    executed: Count
    """How many batches of the epoch the board had executed."""
    number: Count
    """Its place in the board's event order."""


class Panic(Line, tag="panic", frozen=True, gc=False):
    """The panic input ``pin`` of a board was on: all outputs off, and the board executes nothing until it is opened.

    ``board`` is the board's name in the rig file. ``executed`` is the last batch that the board has executed.
    """

    src: ClassVar[Source] = "board"
    board: str
    """The board's name in the rig file."""
    pin: Count
    """Its panic input."""
    executed: Count
    """The last batch that the board has executed."""
    number: Count
    """Its place in the board's event order."""

    def __str__(self) -> str:
        return f"the panic button of board {self.board} (pin {self.pin}) was pressed"


class Overflow(Line, tag="overflow", frozen=True, gc=False):
    """A full event buffer of the board, which lost ``lost`` events, or more if it is 255.

    ``effects`` of them said what became of an order or a group: a reflex fired, a sequence started, an output went on,
    an order was refused. The last of these was lost when the board had executed the batches up to ``executed``.
    """

    src: ClassVar[Source] = "board"
    lost: Count
    """How many events are lost; 255 is 255 or more."""
    executed: Count
    """The last batch that the board had executed when it lost the last of these."""
    effects: Count
    """How many of them said what became of an order or a reflex, at most 15."""
    number: Count
    """Its place in the board's event order."""


class Flood(Line, tag="flood", frozen=True, gc=False):
    """A flood of edges at an input, which the board has muted; ``edges_per_s`` is 0 when the input is quiet again.

    The board counts at most 255,000 edges per second, and reports no edge of a muted input.
    """

    src: ClassVar[Source] = "board"
    channel: str
    """The input."""
    edges_per_s: Count
    """At most 255,000; 0 says that the input is quiet again, and counts again."""
    number: Count
    """Its place in the board's event order."""


class ZoneEvent(Line, tag="zone", frozen=True, gc=False):
    """A tracked animal's entry into a zone, or its exit; ``channel`` is the zone's.

    ``t_us`` is the time of the first frame that shows it, with a bound of error ``uncertainty_us``. ``raw_us`` is the
    camera's clock.
    """

    src: ClassVar[Source] = "camera"
    channel: str
    """The zone."""
    level: Level
    """1 entered, 0 left."""
    raw_us: Whole
    """The time on the camera's clock."""
    uncertainty_us: Whole
    """The largest error of the time."""

    @property
    def edge(self) -> Edge:
        """Return it as an edge that a wait can match; it has no number and fires no reflex of the board."""
        return Edge(self.t_us, self.channel, self.level, 0, 0)


Phase: TypeAlias = Literal["down", "move", "up"]


@event
@final
class Touch(Line, tag="touch", frozen=True, gc=False):
    """A contact with the screen: ``phase`` is ``down``, ``move`` or ``up``.

    ``on`` is the name of the item at that point in the scene of ``frame``, which was on the screen then. It is empty
    beside all items; ``in_margin`` says that the point is only near the item. ``peck`` is true for a ``down`` that is
    no bounce. ``raw_us`` is the host's clock; ``t_us`` has a bound of error ``uncertainty_us``.
    """

    src: ClassVar[Source] = "touch"
    phase: Phase
    """``down``, ``move`` or ``up``."""
    contact: Whole
    """The number of the contact."""
    x_cm: Number
    """From the left edge of the screen."""
    y_cm: Number
    """From the lower edge of the screen."""
    x_px: Number
    y_px: Number
    frame: Count
    """The number of the picture that was on the screen, 0 before the first."""
    on: str
    """The item at this point, empty if there is none."""
    in_margin: bool
    """Whether the point is only near the item."""
    peck: bool
    """True for a ``down`` that is no bounce: a repeated contact at nearly the same place and time."""
    raw_us: Whole
    """The time on the host's clock."""
    uncertainty_us: Whole
    """The largest error of the time."""

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
@final
class FrameShown(Line, tag="frame_shown", frozen=True, gc=False):
    """A frame that has appeared on the screen: ``frame`` is its number, ``scene`` the ``id`` of its scene.

    ``raw_us`` is the host's clock; ``t_us`` has a bound of error ``uncertainty_us``.
    """

    frame: Count
    """Its number."""
    scene: str
    """The ``id`` of its scene."""
    raw_us: Whole
    """The time on the host's clock."""
    uncertainty_us: Whole
    """The largest error of the time."""

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """Return the patterns that it matches."""
        return (("screen.shown", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)


@event
@final
class Key(Line, tag="key", frozen=True, gc=False):
    """A key press at the screen: a character, ``enter`` or ``backspace``.

    ``raw_us`` is the host's clock; ``t_us`` has a bound of error ``uncertainty_us``.
    """

    key: str
    """A character, ``enter`` or ``backspace``."""
    raw_us: Whole
    """The time on the host's clock."""
    uncertainty_us: Whole
    """The largest error of the time."""

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """Return the patterns that it matches."""
        return (("screen.key", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)


@event
@final
class Hover(Line, tag="hover", frozen=True, gc=False):
    """The pointer came over an item of a scene with ``hover``, or left all items: ``on`` is empty then.

    ``x_cm`` and ``y_cm`` are where it was, in the scene of ``frame``, which was on the screen then. ``raw_us`` is the
    host's clock at the report, at most 50 ms after the change (`rig.core.model.hover`). ``t_us`` has a bound of error
    ``uncertainty_us``.
    """

    on: str
    """The item, empty beside all items."""
    x_cm: Number
    """Where the pointer was last seen, from the left edge."""
    y_cm: Number
    """Where the pointer was last seen, from the lower edge."""
    frame: Count
    """The number of the picture that was on the screen."""
    raw_us: Whole
    """The time of the report on the host's clock."""
    uncertainty_us: Whole
    """The largest error of the time."""

    @property
    def matches(self) -> tuple[tuple[str, int], ...]:
        """Return the patterns that it matches."""
        return (("screen.hover", 1),)

    @property
    def t_s(self) -> float:
        """Return the time in seconds of the session."""
        return to_s(self.t_us)


class Request(Line, tag="request", frozen=True, gc=False):
    """A request of the operator or a program: ``stop``, or ``reward left``.

    ``t_us`` is the host's estimate of the board's time, with a bound of error ``uncertainty_us``. ``raw_us`` is the
    host's clock.
    """

    src: ClassVar[Source] = "operator"
    what: str
    """``stop``, ``pause``, ``resume``, ``reward left``, ``set reward_ul=3``."""
    raw_us: Whole = 0
    """The time on the host's clock."""
    uncertainty_us: Whole = 0
    """The largest error of the time."""


DISCONNECTED = "disconnected"
"""The fault of a lost board for which the host waits; every other fault ends the session."""
LOST_BOARD = (DISCONNECTED, "link_lost", "reset")
"""The faults by which a board is lost, and its outputs are off."""


class Fault(Line, tag="fault", frozen=True, gc=False):
    """A failure of the hardware: ``link_lost``, ``reset``, ``disconnected``; ``detail`` describes it."""

    what: str
    """``link_lost`` (the board did not answer), ``reset`` (it restarted), ``disconnected`` (the session waits for it),
    ``record`` (the disk failed), ``camera``, ``screen``, ``subject`` (a virtual one).
    """
    detail: str
    """A text for people."""


class Continued(Line, tag="continued", frozen=True, gc=False):
    """The session goes on after a break: its board was opened again, and has forgotten all that was ordered.

    The break began ``gap_us`` before. ``why`` names it: ``crash``, or the fault of the board. With ``restarted`` the
    program was started again too, and with it the inputs that it reads itself. From now on the subject may be given
    ``ul``, ``pellets`` and ``access_s``; None is no further limit.
    """

    gap_us: Count
    """How long before this time it broke off; task time stood still since then, or since an open pause began."""
    why: str
    """``crash``, ``link_lost`` or ``reset``."""
    restarted: bool
    """Whether the program was started again, too."""
    ul: AmountNumber | None = None
    """What the subject may be given from now on; None is no such limit."""
    pellets: Count | None = None
    """The same in pellets."""
    access_s: AmountNumber | None = None
    """The same in seconds of access."""


ScreenEvent: TypeAlias = Touch | Key | FrameShown | Hover
TaskEvent: TypeAlias = Edge | ScreenEvent
"""The events that a task may wait for."""
SCREEN_EVENTS = (Touch, Key, FrameShown, Hover)
TASK_EVENTS = (Edge, *SCREEN_EVENTS)
Event: TypeAlias = (
    TaskEvent
    | BoardTime
    | SequenceStarted
    | OutputOn
    | Refused
    | EntryRefused
    | LeaseExpired
    | Panic
    | Overflow
    | Flood
    | ZoneEvent
    | Request
    | Fault
    | Continued
)

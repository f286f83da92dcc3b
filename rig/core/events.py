"""What a task can learn. Each is one line of the journal, written before the task sees it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


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
        return self.channel.partition(".")[0]


class TimeIs(NamedTuple):
    """The board's answer to ``time?``: every edge stamped up to ``t_us`` has been sent before it.

    ``executed`` is how many batches of the current epoch the board had executed by then.
    """

    t_us: int
    executed: int
    number: int


class Started(NamedTuple):
    """A sequence started, by an order or by a reflex; what it pays it gives at that instant."""

    t_us: int
    sequence: int
    number: int


class Refused(NamedTuple):
    """The board refused one order: the ``order``-th of batch ``batch`` of the current epoch."""

    t_us: int
    batch: int
    order: int
    reason: str
    number: int


class LeaseExpired(NamedTuple):
    """The host was silent too long: outputs safe, groups and sequences forgotten, a new epoch begun."""

    t_us: int
    epoch: int
    executed: int
    number: int


class Overflow(NamedTuple):
    """The board ran out of room and lost ``lost`` events."""

    t_us: int
    lost: int
    number: int


class Crossing(NamedTuple):
    """A tracked animal came into a zone, or left it; ``channel`` is the zone's.

    ``t_us`` is when the first frame that shows it was taken, right to ``within_us``; ``raw_us`` is the camera's own
    clock.
    """

    channel: str
    level: int
    t_us: int
    raw_us: int
    within_us: int

    @property
    def edge(self) -> Edge:
        """Give it as what a wait asks for; it is in no board's order, and fires nothing by itself."""
        return Edge(self.channel, self.level, self.t_us, 0, 0)


class Request(NamedTuple):
    """Somebody asked for something: ``stop``, or ``reward left``.

    ``t_us`` is the host's estimate of the board's time, right to ``within_us``; ``raw_us`` is its own clock.
    """

    t_us: int
    what: str
    raw_us: int = 0
    within_us: int = 0


class Fault(NamedTuple):
    """The hardware failed: ``link_lost``, ``reset``, ``wire``; ``detail`` says it in words."""

    t_us: int
    what: str
    detail: str


Event: TypeAlias = Edge | TimeIs | Started | Refused | LeaseExpired | Overflow | Crossing | Request | Fault

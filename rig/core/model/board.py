"""The board's interface: what every microcontroller, real or simulated, offers to the devices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from rig.core.model.actions import Order
from rig.core.model.channels import channel_name, gives_rewards
from rig.core.model.events import Cause
from rig.core.model.line import Count

MAX_ON_US = 60_000_000
"""The upper bound of ``max_on_us``: a rig file cannot allow more."""


MAX_SCALE = 1e9
"""The upper bound of the ``scale`` of a source: what a rig file multiplies its values by."""


@dataclass(frozen=True, slots=True)
class Input:
    """An input channel and its filter.

    ``debounce_us`` is a lock-out after a reported change. ``confirm_on_us`` and ``confirm_off_us`` are how long a
    change must last before the board reports it and fires reflexes.
    """

    device: str
    role: str
    pin: int | None
    """None of a `Threshold`."""
    debounce_us: int = 5_000
    confirm_on_us: int = 100
    confirm_off_us: int = 0
    inverted: bool = False
    machine: bool = False
    """Whether another machine drives it, not the animal."""
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", channel_name(self.device, self.role))


@dataclass(frozen=True, slots=True)
class Threshold(Input):
    """An input without a pin: it is on once a value of ``source`` is ``above`` or more, until one is ``below`` or less.

    Raises ``ValueError`` unless ``below`` is less than ``above``: a value between them changes nothing.
    """

    pin: None = field(init=False, default=None)
    source: str = field(kw_only=True)
    below: int = field(kw_only=True)
    above: int = field(kw_only=True)

    def __post_init__(self) -> None:
        Input.__post_init__(self)
        if self.below >= self.above:
            raise ValueError(f"threshold {self.name} goes off at {self.below}, which must be less than {self.above}")


@dataclass(frozen=True, slots=True)
class AnalogSource:
    """An analog pin that the board samples, once in each ``period_us``."""

    name: str
    pin: int
    period_us: int

    @property
    def pins(self) -> tuple[int, ...]:
        """Return its pin."""
        return (self.pin,)


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """An encoder of two pins, whose steps the board counts and reports once in each ``period_us``."""

    name: str
    pin_a: int
    pin_b: int
    period_us: int

    @property
    def pins(self) -> tuple[int, ...]:
        """Return its pins."""
        return (self.pin_a, self.pin_b)


Source: TypeAlias = AnalogSource | EncoderSource
SOURCE_NAME = "[a-z][a-z0-9_]*"
"""The pattern of a source's name, which becomes a part of a file's name."""
MIN_PERIOD_US, MAX_PERIOD_US = 100, 1_000_000
"""The bounds of a source's period."""


class Block(NamedTuple):
    """Values of a source that the board has sent together, and their times in microseconds of the session.

    Of the blocks between the last one and this ``lost`` did not arrive; ``unsent`` of these the board had to drop.
    """

    source: str
    times_us: Sequence[int]
    values: Sequence[int]
    lost: int
    unsent: int


@dataclass(frozen=True, slots=True)
class Output:
    """An output channel; the board itself enforces ``max_on_us``, and reports when such an output goes on.

    Of the ``interlocked`` outputs only one is on at a time: the board refuses an order that would open a second. Raises
    ``ValueError`` for one that gives rewards and has no limit.
    """

    device: str
    role: str
    pin: int
    max_on_us: int | None = None
    inverted: bool = False
    interlocked: bool = False
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", channel_name(self.device, self.role))
        # The board would not report its rewards, and nothing would end them.
        if self.max_on_us is None and gives_rewards(self.name):
            raise ValueError(
                f"output {self.name} gives rewards: it needs max_on_us, the longest time that it may be on"
            )


Channel: TypeAlias = Input | Output


@dataclass(frozen=True, slots=True)
class PanicInput:
    """The panic input of a board: while it is on, all outputs are off, and the board executes nothing.

    ``board`` is the board's name in the rig file.
    """

    board: str
    pin: int
    inverted: bool = False

    def __str__(self) -> str:
        return f"the panic button of board {self.board} (pin {self.pin})"


@dataclass(frozen=True, slots=True)
class Wiring:
    """The channels and sources of one board, in the order of the rig file; the order breaks ties between edges.

    ``start_us`` is the session time at which it is opened: not 0 after a break. It is a multiple of 1 ms.
    """

    channels: tuple[Channel, ...]
    lease_s: float = 2.0
    panic: PanicInput | None = None
    start_us: int = 0
    sources: tuple[Source, ...] = ()

    @property
    def wired(self) -> tuple[tuple[int, Channel], ...]:
        """Return the channels that have a pin, each behind its pin."""
        return tuple((channel.pin, channel) for channel in self.channels if channel.pin is not None)

    @property
    def taken_pins(self) -> dict[int, str]:
        """Return what each pin that is not free is used for."""
        taken = {pin: source.name for source in self.sources for pin in source.pins}
        taken |= {pin: channel.name for pin, channel in self.wired}
        return taken if self.panic is None else {**taken, self.panic.pin: "the panic button"}


@dataclass(frozen=True, slots=True)
class BoardCapacity:
    """The capacity of a board; a protocol that needs more is refused before the session starts."""

    channels: int
    groups: int
    members: int
    entries: int
    sequences: int
    events: int
    horizon_us: int
    sources: int = 0
    """How many analog inputs and encoders it samples."""
    openings: int = 0
    """How many openings of dangerous outputs it keeps."""


@dataclass(frozen=True, slots=True)
class Tones:
    """The tones of a board: its waveform, and the step of half a period, on average and rounded down."""

    waveform: str
    half_period_step_ns: float

    def actual_hz(self, hz: float) -> float:
        """Return the frequency that the board makes of a requested one: half a period is a whole number of steps."""
        steps = int(1e9 / (2 * hz * self.half_period_step_ns))
        return 1e9 / (2 * self.half_period_step_ns * steps)


@dataclass(frozen=True, slots=True)
class KeptOpening:
    """One on-time of a dangerous output, as the board keeps it.

    ``number`` counts all openings since power came, modulo 2^16. ``channel`` is the place in the wiring of the epoch.
    ``stamp`` is the board's raw clock when it began, ``ticks`` its length so far.
    """

    number: Count
    channel: Count
    epoch: Count
    cause: Cause
    by: Count
    """The number of the batch on the wire, of the reflex group, or of the sequence."""
    part: Count
    """The place of the order or of the entry; of a reflex the edge: the place of its input, with 128 added for on."""
    stamp: Count
    ticks: Count
    state: Literal["ended", "open", "cut"] = "ended"
    """``open``: still on; ``cut``: ended by a reset, after a time that is not known."""


@dataclass(frozen=True, slots=True)
class OpeningLog:
    """The openings that a board has kept, oldest first, and where its new epoch begins.

    ``power_ons`` is how often it has lost what it had kept, which it does without power. ``stamp`` is time zero of the
    session on the board's raw clock, whose ticks last ``tick_ns``.
    """

    power_ons: int
    epoch: int
    batches: int
    """How many batches of this epoch came before the session's first: the board counts them, too."""
    stamp: int
    tick_ns: int
    kept: tuple[KeptOpening, ...]


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """The facts that a board reports when it opens; ``tones`` and ``screen`` are None where there are none."""

    name: str
    uid: str
    firmware: str
    limits: BoardCapacity
    tones: Tones | None = None
    screen: Mapping[str, object] | None = None
    """The facts of the screen beside it."""
    openings: OpeningLog | None = None
    """What it has kept of earlier sessions; None for a board that keeps nothing."""


@dataclass(frozen=True, slots=True)
class Health:
    """Counters of one session, both ends of the link; ``complete`` is false when the board did not answer.

    ``unacknowledged_batches`` were sent and never acknowledged: the board may have executed them or not.
    """

    complete: bool
    last_event: int
    executed: int
    counters: dict[str, int] = field(default_factory=dict)
    unacknowledged_batches: tuple[int, ...] = ()


class Board(ABC):
    """A microcontroller that keeps time, watches inputs and drives outputs.

    All its events arrive in the inbox that it was built with, in one order.
    """

    @abstractmethod
    async def open(self, wiring: Wiring) -> BoardInfo:
        """Start an epoch and the time axis with all outputs off, and configure the channels.

        Raises ``BoardNotFoundError``, ``FirmwareMismatchError`` or ``OrderRefusedError``.
        """

    @abstractmethod
    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Send orders to be executed in one pass; the caller has journaled them as batch ``number``.

        ``seen`` is the last event the task had read: armings are refused over a newer edge of a member. ``epoch``
        is how many expired leases the task has read of: a batch made in ignorance of one is never sent. Raises
        ``OrderRefusedError`` when the batch cannot be expressed or does not fit.
        """

    @abstractmethod
    def ask_time(self, at_us: int | None) -> None:
        """Send a time query when the board's clock has reached about ``at_us``; None cancels it."""

    @abstractmethod
    def estimate_us(self) -> tuple[int, int]:
        """Return an estimate of the board's time now, and its bound of error, in microseconds."""

    @abstractmethod
    def all_off(self) -> None:
        """Send all-off ahead of all queued orders.

        A second call does nothing; :meth:`close` repeats it until the board answers.
        """

    @abstractmethod
    async def close(self) -> Health:
        """Send all-off, read the remaining events, query the counters and close the port."""

    def drop(self) -> None:
        """Stop a board that is lost, at once; what the rig has beside it goes on, and waits for the board."""
        self.abort()

    @abstractmethod
    def abort(self) -> None:
        """Send all-off once and close the port without waiting."""

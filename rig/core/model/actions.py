"""Actions and orders of a board, as values.

An action can be ordered at once, given to a reflex or put into a sequence. Its text form is for people; the journal's
form is in `rig.core.journal.order_json`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from rig.core.errors import TaskError
from rig.core.model.channels import device_of, gives_rewards

if TYPE_CHECKING:
    from rig.core.model.scene import Scene


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty action: the edge is watched and gives no reward."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class Cancel:
    """An action that ends the reflex group and does nothing else."""

    def __str__(self) -> str:
        return "cancel"


NOTHING = Nothing()
CANCEL = Cancel()


@dataclass(frozen=True, slots=True)
class Set:
    """An action that switches an output on or off."""

    output: str
    on: bool

    def __str__(self) -> str:
        return f"{self.output} {'on' if self.on else 'off'}"


@dataclass(frozen=True, slots=True)
class Pulse:
    """An action that switches an output on for ``us`` microseconds; the board refuses it while the output is busy."""

    output: str
    us: int

    def __str__(self) -> str:
        return f"pulse {self.output} {self.us}"


@dataclass(frozen=True, slots=True)
class Train:
    """An action of ``count`` pulses of ``on_us``, one every ``period_us``."""

    output: str
    on_us: int
    period_us: int
    count: int

    def __str__(self) -> str:
        return f"train {self.output} {self.on_us} {self.period_us} {self.count}"


@dataclass(frozen=True, slots=True)
class Tone:
    """An action that plays a tone of ``hz`` for ``us`` microseconds."""

    output: str
    hz: int
    us: int

    def __str__(self) -> str:
        return f"tone {self.output} {self.hz} {self.us}"


@dataclass(frozen=True, slots=True)
class Ramp:
    """An action of ``count`` tones of ``tone_us``, one every ``period_us``, from ``hz`` in steps of ``step_hz``."""

    output: str
    hz: int
    step_hz: int
    tone_us: int
    period_us: int
    count: int

    def __str__(self) -> str:
        return f"ramp {self.output} {self.hz} {self.step_hz} {self.tone_us} {self.period_us} {self.count}"


@dataclass(frozen=True, slots=True)
class Start:
    """An action that starts a loaded sequence: now, or at ``at_us`` of the session."""

    sequence: int
    at_us: int | None = None

    def __str__(self) -> str:
        return f"start {self.sequence}" + ("" if self.at_us is None else f" at {self.at_us}")


@dataclass(frozen=True, slots=True)
class Stop:
    """An action that stops a sequence and turns off its outputs."""

    sequence: int

    def __str__(self) -> str:
        return f"stop {self.sequence}"


@dataclass(frozen=True, slots=True)
class Show:
    """An order that shows a scene on the screen; the host does it, so no reflex and no sequence can."""

    scene: Scene

    def __str__(self) -> str:
        return f"show {self.scene.id}"


AMOUNT_TOLERANCE = 1e-9
"""Tolerance of comparisons: sums of 2.5 are exact, sums of 2.2 are not."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The amount of one or more rewards: microliters, pellets, and seconds of hopper access."""

    ul: float = 0.0
    pellets: int = 0
    access_s: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.ul + other.ul, self.pellets + other.pellets, self.access_s + other.access_s)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.ul - other.ul, self.pellets - other.pellets, self.access_s - other.access_s)

    def __or__(self, other: Amount) -> Amount:
        """Return the larger of both amounts, of each kind."""
        return Amount(max(self.ul, other.ul), max(self.pellets, other.pellets), max(self.access_s, other.access_s))

    @property
    def is_positive(self) -> bool:
        """Whether it is more than zero, beyond rounding errors of sums."""
        return self.ul > AMOUNT_TOLERANCE or self.pellets > 0 or self.access_s > AMOUNT_TOLERANCE

    def fields(self) -> dict[str, float]:
        """Return it as the fields of a journal line: ``ul``, ``pellets`` or ``access_s``."""
        if self.access_s:
            return {"access_s": self.access_s}
        return {"pellets": self.pellets} if self.pellets else {"ul": self.ul}

    def __str__(self) -> str:
        parts = (
            f"{self.access_s:g} s" * bool(self.access_s),
            f"{self.pellets} pellet{'s' * (self.pellets != 1)}" * bool(self.pellets),
            f"{self.ul:g} ul" * bool(self.ul),
        )
        return ", ".join(filter(None, parts)) or "0 ul"


@dataclass(frozen=True, slots=True)
class RewardAction:
    """An action that gives a reward: counted against the limits and written into the trial's row."""

    action: Pulse | Train
    source: str
    ul: float = 0.0
    pellets: int = 0
    access_s: float = 0.0
    # Made once: a protocol gives the same few drops in all its trials.
    amount: Amount = field(init=False, repr=False, compare=False)
    """The amount that it gives."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", Amount(self.ul, self.pellets, self.access_s))

    @property
    def duration_us(self) -> int:
        """Return the microseconds from its start to its end."""
        action = self.action
        return action.us if isinstance(action, Pulse) else action.period_us * (action.count - 1) + action.on_us

    def __str__(self) -> str:
        return f"{self.action} ({self.amount})"


Simple: TypeAlias = Nothing | Cancel | Set | Pulse | Train | Tone | Ramp | Start | Stop
Action: TypeAlias = Simple | RewardAction


def plain_action(action: Action) -> Simple:
    """Return the output action of a reward action; other actions unchanged."""
    return action.action if isinstance(action, RewardAction) else action


def check_action(action: Action) -> None:
    """Check that an action lasts longer than 0, and that it gives no reward uncounted. Raises ``TaskError``."""
    # An opening that is no reward would be held against no limit and would not count for the animal's day.
    if isinstance(action, (Pulse, Train, Set)) and gives_rewards(action.output) and action != Set(action.output, False):
        raise TaskError(
            f"'{action}' would give an uncounted reward: take the action of the device, such as "
            f"box.{device_of(action.output)}.reward()"
        )
    plain = plain_action(action)
    if isinstance(plain, (Pulse, Tone)):
        spans_us: tuple[int, ...] = (plain.us,)
    elif isinstance(plain, Train):
        spans_us = (plain.on_us, plain.period_us)
    elif isinstance(plain, Ramp):
        spans_us = (plain.tone_us, plain.period_us)
    else:
        return
    if not min(spans_us) > 0:
        raise TaskError(f"'{action}' lasts {min(spans_us)} us: wanted more than 0")


@dataclass(frozen=True, slots=True)
class Load:
    """An order that loads a sequence: actions, each with its microseconds after the sequence's start."""

    sequence: int
    entries: tuple[tuple[int, Action], ...]
    where: tuple[str, int] | None = field(default=None, compare=False, repr=False)
    """The file and line of the protocol that made it."""

    def __str__(self) -> str:
        steps = "; ".join(f"+{at_us} {action}" for at_us, action in self.entries)
        return f"load {self.sequence}: {steps}"


@dataclass(frozen=True, slots=True)
class Arm:
    """An order that arms a reflex group.

    The first edge of a member no later than ``until_us`` does its action and ends the group.
    """

    group: int
    until_us: int | None
    members: tuple[tuple[str, int, Action], ...]

    def __str__(self) -> str:
        members = "; ".join(f"{name}{'+' if level else '-'} {action}" for name, level, action in self.members)
        return f"arm {self.group}{'' if self.until_us is None else f' until {self.until_us}'}: {members}"


@dataclass(frozen=True, slots=True)
class Disarm:
    """An order that disarms a reflex group."""

    group: int

    def __str__(self) -> str:
        return f"disarm {self.group}"


@dataclass(frozen=True, slots=True)
class Code:
    """An order that sends sync codes, one every ``period_us``, until the output is switched off.

    The first one has the number ``first``. Without ``bits`` it is a square, on for ``bit_us``. See
    `rig.core.model.sync_code`.
    """

    output: str
    period_us: int
    bit_us: int
    bits: int
    seed: int
    first: int = 0

    def __str__(self) -> str:
        return f"code {self.output} {self.period_us} {self.bit_us} {self.bits} {self.seed} from {self.first}"


Order: TypeAlias = Action | Load | Arm | Disarm | Show | Code


_RANKS: dict[type[object], int] = {Disarm: 0, Arm: 1, Show: 3}
"""The order within one batch. Those at the end go to the screen, all others to the board."""
_ALONE = (Load, Code)


def split_into_batches(orders: list[Order]) -> list[list[Order]]:
    """Return the orders of one instant in the batches that they travel in.

    Each load is a batch ahead of the others: it has no effect until the sequence is started. So is each sync code: it
    must not take room from the orders of a task. The last batch holds disarms, arms, outputs, and what the screen
    shows, in this order.
    """
    # One order is the usual case on the path from edge to answer, and needs no sorting.
    if len(orders) < 2:
        return [orders] if orders else []
    alone: list[list[Order]] = [[order] for order in orders if type(order) in _ALONE]
    others = [order for order in orders if type(order) not in _ALONE]
    # The sort is stable: orders of one rank keep the order of the protocol.
    others.sort(key=_rank)
    return [*alone, others] if others else alone


def _rank(order: Order) -> int:
    return _RANKS.get(type(order), 2)

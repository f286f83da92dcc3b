"""Actions and orders of a board, as values.

An action can be ordered at once, given to a reflex or put into a sequence. Its text form is for people. In the journal
an order is an object whose ``do`` names it: ``set``, ``pulse``, ``reward``, ``load``, ``arm``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct

from rig.core.errors import TaskError
from rig.core.model.channels import device_of, gives_rewards
from rig.core.model.code_lines import CodeLine
from rig.core.model.line import LONGEST_US, AmountNumber, Count, Level, Whole
from rig.core.model.sync_code import MAX_BITS

if TYPE_CHECKING:
    from rig.core.model.scene import Scene

Delay: TypeAlias = Annotated[int, Meta(ge=0, le=LONGEST_US)]
Length: TypeAlias = Annotated[int, Meta(gt=0, le=LONGEST_US)]
SignalTime: TypeAlias = Annotated[int, Meta(ge=1_000, le=LONGEST_US)]
"""A period or a bit of a sync signal: the wire has milliseconds."""
Repeats: TypeAlias = Annotated[int, Meta(gt=0, le=(1 << 16) - 1)]
"""The pulses of a train or the tones of a ramp: the wire has two bytes for them."""
MAX_ENTRIES = 255
"""The most entries of a sequence and members of a reflex: the wire has one byte for them."""


class BoardOrder(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    """An order or an action of a board."""


class Nothing(BoardOrder, tag="nothing", frozen=True):
    """An empty action: the edge is watched and gives no reward."""

    def __str__(self) -> str:
        return "nothing"


class Cancel(BoardOrder, tag="cancel", frozen=True):
    """An action that ends the reflex group and does nothing else."""

    def __str__(self) -> str:
        return "cancel"


NOTHING = Nothing()
CANCEL = Cancel()


class Set(BoardOrder, tag="set", frozen=True):
    """An action that switches an output on or off."""

    output: str
    on: bool

    def __str__(self) -> str:
        return f"{self.output} {'on' if self.on else 'off'}"


class Pulse(BoardOrder, tag="pulse", frozen=True):
    """An action that switches an output on for ``us`` microseconds; the board refuses it while the output is busy."""

    output: str
    us: Length

    def __str__(self) -> str:
        return f"pulse {self.output} {self.us}"


class Train(BoardOrder, tag="train", frozen=True):
    """An action of ``count`` pulses of ``on_us``, one every ``period_us``."""

    output: str
    on_us: Length
    period_us: Length
    count: Repeats

    def __str__(self) -> str:
        return f"train {self.output} {self.on_us} {self.period_us} {self.count}"


class Tone(BoardOrder, tag="tone", frozen=True):
    """An action that plays a tone of ``hz`` for ``us`` microseconds."""

    output: str
    hz: Whole
    us: Length

    def __str__(self) -> str:
        return f"tone {self.output} {self.hz} {self.us}"


class Ramp(BoardOrder, tag="ramp", frozen=True):
    """An action of ``count`` tones of ``tone_us``, one every ``period_us``, from ``hz`` in steps of ``step_hz``."""

    output: str
    hz: Whole
    step_hz: Whole
    tone_us: Length
    period_us: Length
    count: Repeats

    def __str__(self) -> str:
        return f"ramp {self.output} {self.hz} {self.step_hz} {self.tone_us} {self.period_us} {self.count}"


class Start(BoardOrder, tag="start", frozen=True):
    """An action that starts a loaded sequence: now, or at ``at_us`` of the session."""

    sequence: Count
    at_us: Whole | None = None

    def __str__(self) -> str:
        return f"start {self.sequence}" + ("" if self.at_us is None else f" at {self.at_us}")


class Stop(BoardOrder, tag="stop", frozen=True):
    """An action that stops a sequence and turns off its outputs."""

    sequence: Count

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


class RewardAction(BoardOrder, tag="reward", frozen=True, dict=True):
    """An action that gives a reward: counted against the limits and written into the trial's row."""

    action: Pulse | Train
    source: str
    ul: AmountNumber = 0.0
    pellets: Count = 0
    access_s: AmountNumber = 0.0

    # Made once: a protocol gives the same few drops in all its trials.
    @cached_property
    def amount(self) -> Amount:
        """Return the amount that it gives."""
        return Amount(self.ul, self.pellets, self.access_s)

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


class Load(BoardOrder, tag="load", frozen=True, dict=True):
    """An order that loads a sequence: actions, each with its microseconds after the sequence's start."""

    where: ClassVar[CodeLine | None] = None
    """The file and line of the protocol that made it; not part of the order."""
    sequence: Count
    entries: Annotated[tuple[tuple[Delay, Action], ...], Meta(max_length=MAX_ENTRIES)]

    @cached_property
    def in_order(self) -> tuple[tuple[int, Action], ...]:
        """Return the entries in the order in which the board does them, by which it numbers them."""
        return tuple(sorted(self.entries, key=itemgetter(0)))

    def made_at(self, where: CodeLine) -> Load:
        """Return it, after it has recorded the line of the protocol that made it."""
        # Not a field: fields are written into the journal and compared, and one order made at two lines is one order.
        self.__dict__["where"] = where
        return self

    def __str__(self) -> str:
        steps = "; ".join(f"+{at_us} {action}" for at_us, action in self.entries)
        return f"load {self.sequence}: {steps}"


class Arm(BoardOrder, tag="arm", frozen=True):
    """An order that arms a reflex group.

    The first edge of a member no later than ``until_us`` does its action and ends the group.
    """

    group: Count
    until_us: Whole | None
    members: Annotated[tuple[tuple[str, Level, Action], ...], Meta(max_length=MAX_ENTRIES)]

    def action_of(self, member: int) -> Action:
        """Return the action of a member, by its place; where there is none, to do nothing."""
        return self.members[member][2] if member < len(self.members) else NOTHING

    def __str__(self) -> str:
        members = "; ".join(f"{name}{'+' if level else '-'} {action}" for name, level, action in self.members)
        return f"arm {self.group}{'' if self.until_us is None else f' until {self.until_us}'}: {members}"


class Disarm(BoardOrder, tag="disarm", frozen=True):
    """An order that disarms a reflex group."""

    group: Count

    def __str__(self) -> str:
        return f"disarm {self.group}"


class Code(BoardOrder, tag="code", frozen=True):
    """An order that sends sync codes, one every ``period_us``, until the output is switched off.

    The first one has the number ``first``. Without ``bits`` it is a square, on for ``bit_us``. See
    `rig.core.model.sync_code`.
    """

    output: str
    period_us: SignalTime
    bit_us: SignalTime
    bits: Annotated[int, Meta(ge=0, le=MAX_BITS)]
    seed: Count
    first: Count = 0

    def __str__(self) -> str:
        return f"code {self.output} {self.period_us} {self.bit_us} {self.bits} {self.seed} from {self.first}"


class Shown(BoardOrder, tag="show", frozen=True):
    """What the journal holds of a `Show`: the ``id`` of the scene, which has a line of its own."""

    scene: str


Order: TypeAlias = Action | Load | Arm | Disarm | Show | Code
JournaledOrder: TypeAlias = Action | Load | Arm | Disarm | Shown | Code


def journaled(order: Order) -> JournaledOrder:
    """Return an order as the journal holds it."""
    return Shown(order.scene.id) if isinstance(order, Show) else order


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

"""Every kind of line that a journal and a subject's file of events can hold, each defined once.

The events of a task are in `rig.core.model.events`, header and footer in `rig.core.journal.header`, orders in
`rig.core.model.actions`. Writing a line is encoding one of these objects, reading it is decoding; see `codec`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, field

from rig.core.journal.header import Footer, Free, Header, SessionName
from rig.core.journal.values import check_values
from rig.core.model.actions import Amount, JournaledOrder
from rig.core.model.board import SOURCE_NAME, KeptOpening
from rig.core.model.events import (
    BoardTime,
    Continued,
    Edge,
    EntryRefused,
    Event,
    Fault,
    Flood,
    FrameShown,
    Hover,
    Key,
    LeaseExpired,
    OutputOn,
    Overflow,
    Panic,
    Refused,
    Request,
    SequenceStarted,
    Touch,
    ZoneEvent,
)
from rig.core.model.line import MAX_INT, AmountNumber, Count, Line, Number, Source, Whole, kind_of
from rig.core.model.reward import RewardStatus

SourceName: TypeAlias = Annotated[str, Meta(pattern=rf"^{SOURCE_NAME}\Z")]

# --- what the board does --------------------------------------------------------------------------------------


class Command(Line, tag="command", frozen=True):
    """A batch of orders, before its bytes are sent; ``last_event`` is the last event that the task had read."""

    epoch: Count
    """How many leases had expired, and boards had been opened again, by then."""
    batch: Count
    """Its number, from 1 in each epoch."""
    last_event: Count
    """The last event that the task had read."""
    orders: tuple[JournaledOrder, ...]
    """In the order in which the board executes them."""


class BatchDone(Line, tag="batch_done", frozen=True, gc=False):
    """The board has executed a batch."""

    src: ClassVar[Source] = "board"
    batch: Count
    """Its number in this epoch."""


OutputEnd: TypeAlias = Literal["finished", "stopped", "limit"]


class OutputDone(Line, tag="output_done", frozen=True, gc=False):
    """An action of an output has ended: ``finished``, ``stopped``, or cut at the output's ``limit``."""

    src: ClassVar[Source] = "board"
    output: str
    """The channel."""
    # Without a default: a text is left out only if it is the same object, and its line would be read the slow way.
    why: OutputEnd
    """``finished``, ``stopped`` by an order or all-off, or cut at the output's ``limit``."""


class AllOff(Line, tag="all_off", frozen=True, gc=False):
    """The host has sent all-off, when it had sent ``batch`` batches of the epoch."""

    epoch: Count
    """The epoch."""
    batch: Count
    """The last batch that was sent in it."""


class AllOffDone(Line, tag="all_off_done", frozen=True, gc=False):
    """The board has switched all outputs off, after its event ``last_event``."""

    src: ClassVar[Source] = "board"
    last_event: Count
    """The number of the board's last event."""


class HealthLine(Line, tag="health", frozen=True):
    """What the board said at its end: ``complete`` if it answered, and its counters."""

    complete: bool
    """Whether the board answered."""
    executed: Count
    """How many batches of the last epoch it executed."""
    counters: dict[str, Number] = field(default_factory=dict)
    """Counters of both ends of the link."""


class Openings(Line, tag="openings", frozen=True):
    """The openings that the board has kept, and where the session's ``t_us`` is on its clock (``stamp``)."""

    src: ClassVar[Source] = "board"
    uid: str
    """The board's id."""
    power_ons: Count
    """How often the board has lost what it had kept."""
    epoch: Count
    """The number of the session's first epoch on the wire, 1 to 255."""
    batches: Count
    """How many batches of this epoch came before the session's first: the board counts them, too."""
    stamp: Count
    """The line's time on the board's raw clock."""
    tick_ns: Annotated[int, Meta(ge=1, le=MAX_INT - 1)]
    """The length of a tick of that clock."""
    channels: tuple[str, ...]
    """The channels in the order of the wiring."""
    kept: tuple[KeptOpening, ...]
    """Oldest first."""


class Correction(Line, tag="correction", frozen=True):
    """What the board said after the session; the rewards that it decides follow, and another footer."""

    uid: str
    """The board's id."""
    power_ons: Count
    """How often the board has lost what it had kept."""
    source: str
    """The port, or the session that asked."""
    kept: tuple[KeptOpening, ...]
    """Oldest first."""


# --- what the task decides ------------------------------------------------------------------------------------


class RewardLine(Line, tag="reward", frozen=True, gc=False):
    """The status of a reward; of each reward the last line counts.

    ``batch`` and ``order`` name the order that gives it, ``group`` and ``member`` the reflex, ``sequence`` and
    ``entry`` the entry of a sequence.
    """

    id: Count
    """The number of the reward."""
    source: str
    """The device."""
    amount: AmountNumber
    """How much, in its unit."""
    unit: Literal["ul", "pellets", "access_s"]
    """``access_s`` is seconds of access to grain."""
    delivered_by: Literal["board", "host", "operator"]
    """``board`` (a reflex or a sequence), ``host`` (an order of the task) or ``operator``."""
    status: RewardStatus
    """Of all lines with one ``id`` the last one counts."""
    cause: Literal["order", "reflex", "sequence"]
    """What gives it."""
    batch: Count | None = None
    """For an order: the number of its batch; missing if it was never sent."""
    order: Count | None = None
    """For an order: its place in the batch, from 0."""
    group: Count | None = None
    """For a reflex: the number of the group."""
    member: Count | None = None
    """For a reflex: the place of the member that gave it, missing until the group has fired."""
    sequence: Count | None = None
    """For a sequence: its number."""
    entry: Count | None = None
    """For a sequence: the entry, from 0, in the order of their times."""


class AllowanceLine(Line, tag="allowance", frozen=True, gc=False):
    """An upper bound of the session's rewards, on the disk before it can be reached."""

    rewards: Count
    """A number of rewards."""
    ul: AmountNumber
    pellets: Count
    access_s: AmountNumber


class StateLine(Line, tag="state", frozen=True, gc=False):
    """The task enters a state."""

    name: str
    """The state."""


class Paused(Line, tag="pause", frozen=True, gc=False):
    """Task time stands still from here."""


class Resumed(Line, tag="resume", frozen=True, gc=False):
    """Task time goes on after ``paused_us``."""

    paused_us: Count
    """The length of the pause. A session that ends in a pause has no such line."""


class ParamsChanged(Line, tag="params", frozen=True):
    """Parameters have other values from a trial on."""

    trial: Count
    """The number of the first trial with these values."""
    changed: Free
    """The parameters and their values."""

    def __post_init__(self) -> None:
        check_values(self.changed)


class TrialLine(Line, tag="trial", frozen=True):
    """A row of the trial table, with the columns that the header names."""

    row: Free
    """The columns that the header names, in task time."""

    def __post_init__(self) -> None:
        check_values(self.row)


class RowLine(Line, tag="row", frozen=True):
    """A row of a further table."""

    table: str
    """The name of the table."""
    row: Free
    """The columns that the header names, in task time."""

    def __post_init__(self) -> None:
        check_values(self.row)


class Note(Line, tag="note", frozen=True):
    """A note of the program or a protocol: what it says, and fields of its own."""

    what: str = ""
    """The word that says which note it is."""
    fields: Free = field(default_factory=dict)
    """What it says, as the note's author chose it."""

    def __post_init__(self) -> None:
        check_values(self.fields)


class OperatorNote(Line, tag="operator_note", frozen=True, gc=False):
    """The note of a person, typed while the session ran."""

    src: ClassVar[Source] = "operator"
    text: str
    """What the person typed."""
    raw_us: Whole
    """The time on the host's clock."""
    uncertainty_us: Whole
    """The largest error of the time."""


# --- screen and camera ----------------------------------------------------------------------------------------


class SceneLine(Line, tag="scene", frozen=True):
    """A scene, as what it changes in the one written before; see `rig.core.model.scene_changes`."""

    id: str
    """By which later lines name the scene."""
    items: list[Free | tuple[Count, Count]]
    """What is shown; a later item covers an earlier one. A pair stands for these items of ``base``, the last excluded.
    """
    background: str
    """A color."""
    hit_margin_cm: Number
    """How far beside an item a touch still counts as near it."""
    hover: bool
    """Whether the pointer is watched."""
    base: str | None = None
    """The scene of the line before, whose items it keeps in part."""

    def __post_init__(self) -> None:
        check_values(self.items)


class PositionsLine(Line, tag="positions", frozen=True, gc=False):
    """Records that were appended to the file of positions; in ``lost`` of them the animal was not found."""

    first: Count
    """The number of the first record."""
    samples: Count
    """How many records."""
    lost: Count
    """In how many of them the animal was not found."""
    digest: str
    """CRC-32 of the records, each without its own."""
    uncertainty_us: Whole = 0
    """The largest error of their times."""


class SamplesLine(Line, tag="samples", frozen=True, gc=False):
    """Records that were appended to the file of a source, whose values the board samples."""

    source: SourceName
    """The analog input or encoder, by its device; its file is ``samples.SOURCE.bin``."""
    first: Count
    """The number of the first record."""
    samples: Count
    """How many records."""
    digest: str
    """CRC-32 of the records, each without its own."""
    lost: Count = 0
    """How many blocks of the board are missing before or among these records."""
    unsent: Count = 0
    """How many of the missing ones the board could not send; the others were lost on the line."""


SessionLine: TypeAlias = (
    Header
    | Footer
    | Event
    | Command
    | BatchDone
    | OutputDone
    | AllOff
    | AllOffDone
    | HealthLine
    | Openings
    | Correction
    | RewardLine
    | AllowanceLine
    | StateLine
    | Paused
    | Resumed
    | ParamsChanged
    | TrialLine
    | RowLine
    | Note
    | OperatorNote
    | SceneLine
    | PositionsLine
    | SamplesLine
)
"""The kinds of lines of a session's journal."""

BOARD_FAULTS = (EntryRefused, Flood, LeaseExpired, Overflow, Panic, Refused)
FAULTS = (Fault, *BOARD_FAULTS)
FaultLine: TypeAlias = Fault | EntryRefused | Flood | LeaseExpired | Overflow | Panic | Refused


def fault_word(fault: FaultLine) -> str:
    """Return the word of a fault: what the host says of one, the kind of one that the board has sent."""
    return fault.what if isinstance(fault, Fault) else kind_of(fault)


REPLAYED_INPUTS = (
    Edge,
    Touch,
    Key,
    Hover,
    FrameShown,
    ZoneEvent,
    Request,
    SequenceStarted,
    OutputOn,
    BoardTime,
    *FAULTS,
    Continued,
)
"""The kinds that a replay feeds to the protocol; all its decisions follow from them."""

# Without notes, which are free text, and allowances, which depend on a disk: see docs/decisions/replay-compares.md.
REPLAYED_OUTPUTS = (StateLine, TrialLine, RowLine, Command, RewardLine, Paused, Resumed, ParamsChanged)
"""The kinds that a replay must write again, byte for byte."""


# --- the events of a subject ----------------------------------------------------------------------------------


Text: TypeAlias = Annotated[str, Meta(min_length=1)]


class SubjectEvent(Line, frozen=True, kw_only=True, omit_defaults=False):
    """An event of a subject: ``t_us`` is the time of day at which it happened, in microseconds since 1970.

    ``seq`` is its number in the file. ``by`` says who recorded it, and ``at`` when, in local time. An event that is
    still to be recorded has none of them; a ``Torn`` has no author.
    """

    src: ClassVar[Source] = "operator"
    t_us: Whole = 0
    """When it happened, since 1970."""
    seq: Count = 0
    """Its number in the file."""
    by: str = ""
    """Who recorded it."""
    at: str = ""
    """When it was recorded, in local time."""


class Facts(SubjectEvent, tag="facts", frozen=True, kw_only=True):
    """Facts of the subject."""

    facts: Free
    """The facts that change, by their names in the subject's file."""

    def __post_init__(self) -> None:
        check_values(self.facts)


class Weighed(SubjectEvent, tag="weighed", frozen=True, kw_only=True):
    """A weight, before or after a session."""

    weight_g: Annotated[int, Meta(gt=0, le=10**12)] | Annotated[float, Meta(gt=0, le=1e12)]
    when: Literal["before", "after"]
    """Before or after the session."""


class HandGiven(SubjectEvent, tag="given", frozen=True, kw_only=True):
    """What a person gave outside of a session; ``top_up_for`` is the day whose minimum it completes."""

    ul: AmountNumber
    pellets: Count
    access_s: AmountNumber
    reason: Text
    """Why."""
    food_g: AmountNumber = 0.0
    """Food by weight."""
    top_up_for: str | None = None
    """The day whose minimum it completes."""

    @property
    def amount(self) -> Amount:
        """Return what was given of what sessions give, too."""
        return Amount(self.ul, self.pellets, self.access_s)


class Remark(SubjectEvent, tag="remark", frozen=True, kw_only=True):
    """A remark of a person."""

    text: str
    """What the person noted."""


class Voided(SubjectEvent, tag="voided", frozen=True, kw_only=True):
    """An entry that no longer counts."""

    entry: Count
    """The number of the entry that no longer counts."""
    reason: str
    """Why."""


class Retired(SubjectEvent, tag="retired", frozen=True, kw_only=True):
    """The subject takes part in no further session."""

    reason: str
    """Why."""


class Unretired(SubjectEvent, tag="unretired", frozen=True, kw_only=True):
    """The subject takes part again."""

    reason: str
    """Why."""


class Merged(SubjectEvent, tag="merged", frozen=True, kw_only=True, rename={"old": "from", "new": "to"}):
    """The events of another subject, up to its number ``upto``, were copied into this one."""

    old: str
    """The other subject."""
    new: str
    """This subject."""
    upto: Count
    """The number of the last event that was copied."""
    reason: str
    """Why."""


class Renamed(SubjectEvent, tag="renamed", frozen=True, kw_only=True, rename={"old": "from", "new": "to"}):
    """The subject has another name."""

    old: str
    """The name until now."""
    new: str
    """The name from now on."""
    reason: str
    """Why."""


class SessionMoved(SubjectEvent, tag="session_moved", frozen=True, kw_only=True, rename={"old": "from", "new": "to"}):
    """A session was recorded under a wrong subject, and is now another one's, at ``place``."""

    session: SessionName
    """The session's name under the wrong subject."""
    place: SessionName
    """Its name under the right one."""
    old: str
    """The wrong subject."""
    new: str
    """The right subject."""
    reason: str
    """Why."""


class Torn(SubjectEvent, tag="torn", frozen=True, kw_only=True, rename={"kind": "of"}):
    """The line before was torn by a crash; ``kind`` is the kind that it began with."""

    bytes: Count
    """The length of the torn line."""
    kind: str | None
    """The kind that it began with, if that can be read."""


SubjectLine: TypeAlias = (
    Facts | Weighed | HandGiven | Remark | Voided | Retired | Unretired | Merged | Renamed | SessionMoved | Torn
)
"""The kinds of lines of a subject's file of events."""

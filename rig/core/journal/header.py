"""The first and the last line of a journal: what a session is, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from rig.core.journal.values import check_values
from rig.core.model.columns import ANY, COLUMN_KINDS
from rig.core.model.line import AmountNumber, Count, Line, Number, Sum, Whole
from rig.core.model.rows import TRIAL_TABLE, column_name_error, table_name_error
from rig.core.model.shares import Share
from rig.core.model.views import MAX_VIEWS, AnyView

FORMAT: Final = 3
"""The format that is written and read; a new number whenever a field changes its meaning."""
FIRST_YEAR, LAST_YEAR = 1970, 2200
"""The years in which a session may start: adding a session's length to them cannot overflow."""

SessionName: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{1,9}\Z")]
Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}\Z")]
Unit: TypeAlias = Literal["ul", "pellets", "access_s"]
Free: TypeAlias = dict[str, Any]
"""Fields of a configuration or a protocol; each reader knows its own."""
_FARTHEST_MIN = 366 * 1440 + 1440
"""Uncertain rewards count some minutes after a session's last line."""
Given: TypeAlias = tuple[Annotated[int, Meta(ge=-_FARTHEST_MIN, le=_FARTHEST_MIN)], Sum, Count, Sum]
"""A minute of the session, and the microliters, pellets and seconds of access that were given in it."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a header."""


class RecordedChannel(Part, frozen=True, rename={"direction": "is"}):
    """A channel of the rig."""

    direction: Literal["input", "output"]
    machine: bool = False
    label: str = ""
    sampled: bool = False
    """Whether it is a threshold on sampled values, and no sensor of its own."""


class RecordedKind(Part, frozen=True):
    """A kind of device that a laboratory's own package or file defines, with the hashes of its code."""

    code: dict[str, str]
    description: str = ""


class RecordedRig(Part, frozen=True):
    """The rig of a session: the sections of its file, its calibrations and its channels."""

    name: str
    board: Free
    devices: dict[str, Free]
    calibrations: dict[str, Free]
    screen: Free | None = None
    channels: dict[str, RecordedChannel] = field(default_factory=dict)
    kinds: dict[str, RecordedKind] = field(default_factory=dict)


class RecordedStage(Part, frozen=True, rename={"previous": "from"}):
    """The stage of a curriculum, why the subject is on it, and the sessions that this follows from."""

    name: str
    stage: str
    previous: str | None
    why: str
    sessions: list[str]
    override: str | None


class RecordedColumn(Part, frozen=True):
    """What a column holds; ``values`` are its possible texts, if they are known."""

    kind: str
    unit: str
    text: str
    values: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.kind not in COLUMN_KINDS:
            raise ValueError(f"a column is of the kind '{self.kind:.40}': wanted one of {', '.join(COLUMN_KINDS)}")


class DailyLimitOverride(Part, frozen=True):
    """A person's permission to give more on this day."""

    by: str
    reason: str
    ul: AmountNumber | None = None
    pellets: AmountNumber | None = None
    access_s: AmountNumber | None = None


class RecordedExpectations(Part, frozen=True):
    """What is normal: inputs by channel, rewards by device, and limits."""

    inputs: dict[str, dict[str, AmountNumber | None]] = field(default_factory=dict)
    rewards: dict[str, dict[str, AmountNumber | str]] = field(default_factory=dict)
    limits: dict[str, AmountNumber] = field(default_factory=dict)


class Header(Line, tag="header", frozen=True, kw_only=True):
    """What the session is: protocol, code, subject, parameters, rig, tables.

    ``facts`` are what a person decided at its start, such as ``weight_g`` and the reasons of overrides.
    ``remaining_today`` is what the subject may still be given on this day; None is no limit.
    """

    # Without a default: one is not written, and another version could not tell this format from its own.
    format: Literal[3]
    """The program refuses a journal of another format."""
    protocol: str
    """The name of the protocol's task."""
    variant: str = ""
    """The name of the protocol's file, if it is another one, such as ``two_armed_bandit_90-10``. People see this name.
    """
    task: str = ""
    """File and class, if the task is in a laboratory's own file."""
    code: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each file of the protocol."""
    about: str = ""
    """What the protocol says of itself."""
    publications: list[str] = field(default_factory=list)
    """The publications that it follows, such as ``https://doi.org/...``."""
    subject: str | None = None
    """The subject's name."""
    subject_facts: dict[str, Number | None] = field(default_factory=dict)
    """What was known of the subject at the start: ``number``, ``weight_g``, ``weight_pct``, ``days_since_last``, and
    ``today_`` and ``yesterday_`` with ``ul``, ``pellets`` and ``access_s``. The protocol has it as ``self.subject``.
    """
    start: str | None = None
    """The local time of the start, in ISO format; that of a real session has its offset from UTC."""
    model: str | None = None
    """The virtual subject; missing for a real one."""
    model_code: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each of its files, if it is a file."""
    daily_limit: DailyLimitOverride | None = None
    """Another daily limit, if a person set one for this session."""
    from_records: SessionName | None = None
    """For a simulated session that began with the state of a real subject: that subject's newest session."""
    facts: dict[str, Number | str] = field(default_factory=dict)
    """The weight, and the reasons for which a person allowed the session all the same: ``weight_g``,
    ``weight_skipped``, ``underweight_allowed``, ``overweight_allowed``, ``early_allowed``, ``other_task_allowed``,
    ``failed_check_allowed``.
    """
    curriculum: RecordedStage | None = None
    """If a curriculum selected the stage: which, and why."""
    simulated: bool
    """Whether no real subject took part. The rewards then count for no subject."""
    seed: Whole
    """The random seed."""
    params: Free
    """The parameters of the protocol at the start, which ``params`` lines may change."""
    stop: dict[str, AmountNumber | None]
    """The limits of the session."""
    rig: RecordedRig
    """The rig."""
    box: list[str] = field(default_factory=list)
    """The devices that the protocol uses."""
    carry_over: Free
    """What the subject's last session with this protocol passed on."""
    remaining_today: dict[Unit, Number | None]
    """What the subject might still be given at the start; null for an amount without a limit."""
    columns: list[str]
    """The columns of the trial table."""
    shares: dict[str, Share] = field(default_factory=dict)
    """What the summary counts, by name."""
    letter: str = ""
    """The column whose first letter stands for a trial in the live display."""
    tables: dict[str, list[str]] = field(default_factory=dict)
    """The columns of the further tables."""
    descriptions: dict[str, dict[str, RecordedColumn]] = field(default_factory=dict)
    """What each column of each table holds."""
    views: Annotated[list[AnyView], Meta(max_length=MAX_VIEWS)] = field(default_factory=list)
    """What people look at, if the protocol names it, without the fields that have their defaults."""
    expect: RecordedExpectations = RecordedExpectations()
    """What is normal for this rig and protocol, if their files say so."""
    drawn: Free = field(default_factory=dict)
    """What the protocol drew before the session, if it draws anything then."""

    def __post_init__(self) -> None:
        for values in (self.params, self.carry_over, self.drawn, self.rig.board, self.rig.screen):
            check_values(values)
        for fields in (*self.rig.devices.values(), *self.rig.calibrations.values()):
            check_values(fields)
        if type(self.stop.get("min_trials")) is not int:
            raise ValueError("'stop' has no min_trials, a whole number")
        _check_start(self.start)
        _check_tables(self.columns, self.tables)

    @property
    def protocol_name(self) -> str:
        """Return the name of the protocol's file, such as ``two_armed_bandit_90-10``; else that of its task."""
        return self.variant or self.protocol

    @property
    def start_time(self) -> datetime | None:
        """Return when the session started, in its own time zone or in local time; None if that is unknown."""
        return None if self.start is None else datetime.fromisoformat(self.start)

    @property
    def weight_g(self) -> float | None:
        """Return the weight that was taken for the session; None if the subject was not weighed."""
        weight = self.facts.get("weight_g")
        return None if weight is None or isinstance(weight, str) else float(weight)

    @property
    def min_trials(self) -> int:
        """Return how many trials a session must have to count when a person ended it."""
        return int(self.stop["min_trials"] or 0)

    @property
    def columns_by_table(self) -> Mapping[str, Sequence[str]]:
        """Return the columns of every table of the protocol: the trials, and further ones."""
        return {TRIAL_TABLE: self.columns, **self.tables}

    def described(self, table: str) -> Mapping[str, RecordedColumn]:
        """Return what the columns of a table hold, as far as it is known."""
        return self.descriptions.get(table, {})

    def column_kind(self, table: str, column: str) -> str:
        """Return the kind of a column's values, `ANY` where it is not known."""
        described = self.described(table).get(column)
        return ANY if described is None else described.kind

    def share_label(self, name: str) -> str:
        """Return what the protocol calls a share; its name if it has no label."""
        share = self.shares.get(name)
        return name if share is None else share.label or name


def _check_start(start: str | None) -> None:
    try:
        if start is None or FIRST_YEAR <= datetime.fromisoformat(start).year <= LAST_YEAR:
            return
    except ValueError:
        pass
    raise ValueError(f"'start' is no moment in ISO format, {FIRST_YEAR} to {LAST_YEAR}")


def _check_tables(columns: Sequence[str], tables: Mapping[str, Sequence[str]]) -> None:
    if wrong := column_name_error(columns):
        raise ValueError(wrong)
    for name, own in tables.items():
        if wrong := table_name_error(name) or column_name_error(own):
            raise ValueError(f"table '{name:.40}': {wrong}")


class Footer(Line, tag="footer", frozen=True, kw_only=True):
    """How the session ended, and the sums of its rewards; the mark of a clean end.

    ``digest`` is the checksum of all bytes before it, with LF as the end of each line. Only the footer of a recovered
    session has ``uncertain_rewards`` and ``damaged``, the number of its damaged lines.
    """

    reason: str
    """Why the session ended, in a word."""
    detail: str
    """A text for people."""
    counts: dict[str, Count]
    """How many lines of each kind the journal has before the footer."""
    complete: bool
    """Whether the board answered at the end."""
    executed: Count
    """How many batches of the last epoch it executed."""
    task_started: bool | None = None
    """False if the session was stopped before its protocol ran."""
    last_event: Count
    """The number of the last board event."""
    unconfirmed_rewards: Count
    """How many rewards are ``unconfirmed``; after a crash, how many are ``unconfirmed`` or still ``pending``."""
    unacknowledged_batches: list[Count] = field(default_factory=list)
    """The batches that were sent and never acknowledged."""
    inactive_inputs: list[str] = field(default_factory=list)
    """The inputs that never changed."""
    refusals: dict[str, Count] = field(default_factory=dict)
    """How many orders the board refused, by reason."""
    refused_orders: Count = 0
    """How many of these refusals indicate a mistake. Two kinds are normal and do not count: a reflex that is armed
    after its edge has come, and a drop that is ordered while a valve is open.
    """
    lease_expirations: Count = 0
    """How many leases expired."""
    rewards: Count
    """The number of rewards, unconfirmed ones included."""
    ul: Sum
    """Their sum."""
    pellets: Count
    """Their sum."""
    access_s: Sum
    """Their sum."""
    given: list[Given]
    """The sums by the minute. Minute 0 is that of the header's ``start``."""
    trials: Count
    """How many rows the trial table has."""
    carry_over: Free
    """What is passed on to the subject's next session with this protocol."""
    digest: Digest
    """CRC-32 of all bytes before this line, with LF as the end of each line."""
    damaged: Count | None = None
    """Only after a crash: how many lines are damaged."""
    uncertain_rewards: Count | None = None
    """Only after a crash: the same number as ``unconfirmed_rewards``. If the computer may have restarted and the rest
    of the allowance is larger, it is that rest.
    """

    def __post_init__(self) -> None:
        check_values(self.carry_over)

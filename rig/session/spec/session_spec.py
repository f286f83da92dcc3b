"""Specification of a session: every value that decides it, read and checked before any device is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import cleandoc
from pathlib import Path
from typing import Any

from msgspec import convert

from rig.config import LayeredConfig, SessionLimits
from rig.config.species import Species
from rig.config.user_classes import code_hashes, common_folder, is_file_reference, split_reference
from rig.core.engine.activity import NEVER_US, ActivityLimits
from rig.core.engine.reward_ledger import RewardLimits, lower_limit
from rig.core.errors import ConfigError
from rig.core.journal.header import FORMAT, Header, RecordedColumn, RecordedExpectations
from rig.core.journal.values import plain
from rig.core.model.board import Input
from rig.core.model.columns import describe_columns
from rig.core.model.microseconds import to_us
from rig.core.model.rig_spec import RigSpec
from rig.core.model.rows import TRIAL_TABLE, Row
from rig.core.model.subject import Subject
from rig.core.task.random_streams import RandomStreams
from rig.core.task.runner import RunLimits
from rig.core.task.task import AnyTask, TaskParams
from rig.devices.box import wanted_by
from rig.records.session.task_version import TaskVersion, flat_params, stage_text
from rig.session.daily_total import UNLIMITED, RemainingAmounts
from rig.session.select_stage import StageDecision
from rig.session.spec.compatibility import add_location
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.task_classes import FoundTask


@dataclass(frozen=True)
class SessionSpec:
    """A protocol on a rig, and what one session of a subject adds to it.

    The first fields are those of the files, and serve any number of sessions; those from ``decision`` on are one
    session's, and ``dataclasses.replace`` sets them.
    """

    request: SessionRequest
    found: FoundTask
    params: TaskParams
    stop: SessionLimits
    rig: Rig
    plan: RigSpec
    """The rig as the hardware needs to know it, with the driver that was asked for."""
    sources: tuple[Path, ...] = ()
    """The files that were read, the protocol's first."""
    layered: LayeredConfig = field(default_factory=LayeredConfig)
    """The protocol's file, as it was written."""
    model_params: Mapping[str, object] = field(default_factory=dict)
    """Parameters of the protocol's file for every virtual subject that has them."""
    model: str | None = None
    """The virtual subject that the protocol's file names for its rehearsals."""
    expect: RecordedExpectations = field(default_factory=RecordedExpectations)
    """What is normal for this rig and protocol."""
    species: Species | None = None
    """The species that the protocol's file is written for."""
    decision: StageDecision | None = None
    """The reason for this stage, if a curriculum selected it."""
    manual_steps: str = ""
    """What the operator does by hand before a session of this stage."""
    from_records: str | None = None
    """The real session, by its name, after which a simulated one begins, with the real subject's state."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the journal's header: what is true of the animal, on any machine."""
    simulated: bool = False
    """Whether there is no real subject, so that rewards do not count."""
    rehearsed: bool = False
    """Whether it is a rehearsal or a test, which look for mistakes of the protocol."""
    carried_over: Mapping[str, object] = field(default_factory=dict)
    """What the subject's last session with this protocol left."""
    remaining_today: RemainingAmounts = field(default_factory=lambda: UNLIMITED)
    """What the subject may still be given of each kind."""
    about_subject: Subject | None = None
    """What is known of the subject when the session starts; None while it is not settled."""
    recorded_header: Header | None = None
    """The header of a session that goes on."""
    recorded_draw: Mapping[str, object] | None = None
    """What a recorded session drew before it started."""

    @property
    def durable(self) -> bool:
        """Whether every line of its records must survive a power cut."""
        return not self.simulated

    @property
    def punctual(self) -> bool:
        """Whether a real subject waits: the CPU is kept awake, and garbage is collected between trials only."""
        return not self.simulated

    @property
    def keeps_mistakes(self) -> bool:
        """Whether wrong cells and trials out of order are warnings, not errors: they never end a real session."""
        return not (self.simulated or self.rehearsed)

    @property
    def task(self) -> type[AnyTask]:
        """Return the protocol's class."""
        return self.found.task

    @property
    def protocol(self) -> str:
        """Return the name of the protocol's task, under which a subject's state is kept."""
        return self.found.name

    @property
    def protocol_name(self) -> str:
        """Return the name of the protocol's file, which people know; without one that of its task."""
        return self.layered.sources[0].stem if self.layered.sources else self.protocol

    @property
    def subject(self) -> Subject:
        """Return what the protocol may know of its subject."""
        if self.recorded_header is not None:
            return Subject.of_facts(self.recorded_header.subject, self.recorded_header.subject_facts)
        return self.about_subject or Subject.named(self.request.subject)

    @property
    def seed(self) -> int:
        """Return the random seed of the session."""
        return self.request.seed

    @property
    def gives(self) -> frozenset[str]:
        """Return the units of what the rig gives: ``ul``, ``pellets``, ``access_s``."""
        return frozenset(device.gives for device in self.rig.devices.values() if device.gives is not None)

    @property
    def limits(self) -> RunLimits:
        """Return the limits of time and trials at which the session ends."""
        return RunLimits(to_us(self.stop.session_s), to_us(self.stop.grace_s), self.stop.max_trials)

    @property
    def reward_limits(self) -> RewardLimits:
        """Return, for each kind of reward, the lower of the session's limit and what the subject may still be given."""
        stop, left = self.stop, self.remaining_today
        pellets = lower_limit(stop.max_pellets, left["pellets"])
        return RewardLimits(
            max_rewards=stop.max_rewards,
            max_ul=lower_limit(stop.max_ul, left["ul"]),
            max_pellets=None if pellets is None else int(pellets),
            max_access_s=lower_limit(stop.max_access_s, left["access_s"]),
        )

    @property
    def activity_limits(self) -> ActivityLimits:
        """Return the times after which an input that does not change is reported or ends the session."""
        stop, channels = self.stop, self.plan.wiring.channels
        external_inputs = frozenset(
            channel.name for channel in channels if isinstance(channel, Input) and channel.machine
        )
        alert_us, idle_us = (
            NEVER_US if seconds is None else to_us(seconds) for seconds in (stop.idle_alert_s, stop.idle_stop_s)
        )
        photodiode = None if self.plan.screen is None else self.plan.screen.photodiode_channel
        return ActivityLimits(to_us(stop.stuck_s), alert_us, idle_us, external_inputs, photodiode)

    @cached_property
    def drawn(self) -> Mapping[str, object]:
        """Return what the protocol draws before the session starts. Raises ``ConfigError``."""
        if self.recorded_draw is not None:
            return self.recorded_draw
        return self.task.draw(self.params, RandomStreams(self.seed), self.carried_over)

    @cached_property
    def header(self) -> Header:
        """Return the journal's header: all that a replay needs, and no fact about the computer."""
        return self._new_header() if self.recorded_header is None else self.recorded_header

    def _new_header(self) -> Header:
        request, task = self.request, self.task
        model, model_code = _model(request.simulation.model)
        return Header(
            t_us=0,
            format=FORMAT,
            protocol=self.protocol,
            variant="" if self.protocol_name == self.protocol else self.protocol_name,
            task=self.found.reference or "",
            code=dict(self.found.code),
            about=_about(task),
            publications=list(task.publications),
            subject=request.subject,
            subject_facts=self.subject.header_fields(),
            start=self._start(),
            model=model,
            model_code=model_code,
            daily_limit=None if request.limit_override is None else request.limit_override.recorded,
            from_records=self.from_records,
            facts=dict(self.facts),
            curriculum=None if self.decision is None else self.decision.recorded,
            simulated=self.simulated,
            seed=self.seed,
            params=self.params.model_dump(mode="json"),
            stop=self.stop.model_dump(mode="json", exclude_none=True),
            rig=self.rig.recorded,
            box=[name for name in wanted_by(task.box_type) if name in self.rig.devices],
            carry_over=plain(self.carried_over),
            remaining_today=dict(self.remaining_today),
            columns=list(task.row_type.columns()),
            shares=dict(task.row_type.shares),
            letter=task.row_type.letter,
            tables={name: list(row.columns()) for name, row in task.tables.items()},
            descriptions={name: _described(row) for name, row in self._tables.items()},
            views=list(task.views),
            expect=self.expect,
            drawn=plain(self.drawn),
        )

    @property
    def version(self) -> TaskVersion:
        """Return the code and the parameters that the session runs, to be compared with those of other sessions."""
        return TaskVersion(
            session="this session",
            protocol=self.protocol,
            variant=self.protocol_name,
            stage="" if self.decision is None else stage_text(self.decision.recorded),
            code=self.found.code,
            params=flat_params(self.params.model_dump(mode="json")),
            folder=common_folder(self.found.files),
        )

    @property
    def _tables(self) -> Mapping[str, type[Row]]:
        return {TRIAL_TABLE: self.task.row_type, **self.task.tables}

    def _start(self) -> str | None:
        request = self.request
        # A real start has its offset from UTC, because another time zone must not move what was given.
        # A simulated one has none, so that the same seed gives the same bytes everywhere.
        start = request.start if self.simulated or request.start is None else request.start.astimezone()
        return None if start is None else start.isoformat(timespec="seconds")

    def check_history(self) -> None:
        """Check that the subject's past leads here. Raises ``ConfigError`` at the lines of the parameters."""
        try:
            self.task.check_history(self.params, self.carried_over)
        except ConfigError as error:
            raise ConfigError(*(add_location(mistake, self.layered) for mistake in error.mistakes)) from None


def _about(task: type[AnyTask]) -> str:
    """Return the first paragraph of a protocol's class, as one line."""
    return " ".join(cleandoc(task.__doc__ or "").partition("\n\n")[0].split())


def _described(row: type[Row]) -> dict[str, RecordedColumn]:
    return convert(describe_columns(row), dict[str, RecordedColumn])


def _model(word: str | None) -> tuple[str | None, dict[str, str]]:
    """Return the name of a virtual subject, and of one from a file the hash of its code."""
    if word is None or not is_file_reference(word):
        return word, {}
    # The hash and not the path: the journal holds no facts of the machine.
    path, name = split_reference(word)
    return (f"{path.name}:{name}" if name else path.name), dict(code_hashes(path))

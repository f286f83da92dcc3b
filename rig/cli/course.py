"""What the sessions of a command run: always one protocol, or the stages of a curriculum."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rig.config import find
from rig.core.errors import ConfigError
from rig.records.past import Past, past_sessions
from rig.session.curriculum import Curriculum
from rig.session.setup import Prepared, prepare
from rig.session.stages import Decision, Override
from rig.session.subject import check_name, subjects_folder


@dataclass(frozen=True)
class Assigned:
    """What a subject does next; ``decision`` is why, where a curriculum chose it."""

    prepared: Prepared
    decision: Decision | None = None
    by_hand: str = ""
    from_records: str | None = None
    """The real session after which a simulated one begins."""

    def facts(self) -> dict[str, Any]:
        """Give what belongs into the journal's header."""
        return {} if self.decision is None else {"curriculum": self.decision.facts()}


@dataclass(frozen=True)
class Records:
    """Where a subject's sessions lie that decide what it does next, and whether they are simulated ones."""

    folder: Path
    simulated: bool
    newest: str | None = None
    """The newest session of a real subject, by its name, where a simulated one is to begin from these records."""

    @classmethod
    def of(cls, data: Path, name: str, *, simulated: bool, from_records: bool = False) -> Records:
        """Find them below the data folder; ``from_records``: for a simulated subject those of the real one.

        Raises ``ConfigError`` for what cannot be a subject's name, and where there is nothing to begin from.
        """
        check_name(name)
        if not from_records:
            return cls(subjects_folder(data, simulated=simulated) / name, simulated)
        if not simulated:
            raise ConfigError("--from-records: a real session begins from its subject's records anyhow: leave it out")
        folder = subjects_folder(data, simulated=False) / name
        newest = next((past for past in past_sessions(folder) if isinstance(past, Past)), None)
        if newest is None:
            raise ConfigError(f"--from-records: {folder} has no real session to begin from")
        return cls(folder, False, newest.name)


@dataclass(frozen=True)
class Course:
    """What was asked for; plain values, so that it can travel."""

    protocol: str | None
    curriculum: str | None
    rig: str | None
    sets: tuple[str, ...]
    driver: str | None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Course:
        """Read the command line. Raises ``ConfigError``."""
        protocol, curriculum = arguments.protocol, arguments.curriculum
        if protocol is None and curriculum is None:
            raise ConfigError("which protocol? Give its name or its file, or --curriculum NAME")
        if protocol is not None and curriculum is not None:
            raise ConfigError(f"--curriculum {curriculum} chooses the protocol by itself: leave {protocol} out")
        return cls(protocol, curriculum, arguments.rig, tuple(arguments.set), arguments.board)


class Assigner:
    """Tells what each subject does next. Raises ``ConfigError`` when a file is wrong."""

    def __init__(self, course: Course, *, today: datetime.date | None = None) -> None:
        self._always: Assigned | None = None
        self.curriculum: Curriculum | None = None
        rig, sets, driver = course.rig, course.sets, course.driver
        if course.curriculum is not None:
            self.curriculum = Curriculum(find("curricula", course.curriculum), rig, sets, driver, today=today)
        elif course.protocol is not None:
            self._always = Assigned(prepare(course.protocol, rig, sets, driver, today=today))

    def example(self) -> Prepared:
        """Give something that it may assign. Raises ``ConfigError``."""
        if self.curriculum is not None:
            return self.curriculum.prepared(self.curriculum.file.first)
        return next(self.everything())

    def everything(self) -> Iterator[Prepared]:
        """Give all that it may assign. Raises ``ConfigError`` with the mistakes of all stages."""
        if self._always is not None:
            yield self._always.prepared
        if self.curriculum is not None:
            self.curriculum.check()
            yield from map(self.curriculum.prepared, self.curriculum.file.stages)

    def assign(self, records: Records, override: Override | None = None) -> Assigned | None:
        """Tell what a subject does next by its records, None when it has been through all.

        Raises ``ConfigError`` or ``RecordError``.
        """
        if self.curriculum is None:
            return None if self._always is None else replace(self._always, from_records=records.newest)
        decision = self.curriculum.decide(records.folder, override, simulated=records.simulated)
        if decision.over:
            return None
        by_hand = self.curriculum.file.stages[decision.stage].by_hand
        return Assigned(self.curriculum.prepared(decision.stage), decision, by_hand, records.newest)

    def assign_today(self, records: Records, stage: str | None = None, reason: str | None = None) -> Assigned:
        """Tell what a subject does today; a person may choose the stage, and has to say why.

        Raises ``ConfigError``, also when the curriculum is over for the subject, or ``RecordError``.
        """
        assigned = self.assign(records, self._override(stage, reason))
        if assigned is None:
            raise ConfigError(self.over_said(records))
        return assigned

    def over_said(self, records: Records) -> str:
        """Say that a subject has been through all of its curriculum."""
        said = "all"
        if self.curriculum is not None:
            decision = self.curriculum.decide(records.folder, simulated=records.simulated)
            said = f"{self.curriculum.name} ({decision.why})"
        return f"{records.folder.name} has been through {said}: `rig run` goes on with --stage NAME --reason WHY"

    def _override(self, stage: str | None, reason: str | None) -> Override | None:
        given = [name for name, value in (("stage", stage), ("reason", reason)) if value is not None]
        if given and self.curriculum is None:
            raise ConfigError(f"--{given[0]}: there are stages in a curriculum only: give --curriculum NAME")
        if len(given) == 1 or not (reason is None or reason.strip()):
            raise ConfigError("a stage is chosen by hand with --stage NAME and --reason WHY, both of them")
        if stage is None or reason is None or self.curriculum is None:
            return None
        return self.curriculum.override(stage, reason)

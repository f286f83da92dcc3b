"""What the sessions of a command run: always one protocol, or the stages of a curriculum."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.config import find
from rig.core.errors import ConfigError
from rig.session.curriculum import Curriculum
from rig.session.setup import Prepared, prepare
from rig.session.stages import Decision, Override


@dataclass(frozen=True)
class Assigned:
    """What a subject does next; ``decision`` is why, where a curriculum chose it."""

    prepared: Prepared
    decision: Decision | None = None
    by_hand: str = ""

    def facts(self) -> dict[str, Any]:
        """Give what belongs into the journal's header."""
        return {} if self.decision is None else {"curriculum": self.decision.facts()}


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

    def everything(self) -> Iterator[Prepared]:
        """Give all that it may assign. Raises ``ConfigError`` with the mistakes of all stages."""
        if self._always is not None:
            yield self._always.prepared
        if self.curriculum is not None:
            self.curriculum.check()
            yield from map(self.curriculum.prepared, self.curriculum.file.stages)

    def assign(self, folder: Path, override: Override | None = None) -> Assigned | None:
        """Tell what a subject does next, None when it has been through all; ``folder`` is the subject's.

        Raises ``ConfigError`` or ``RecordError``.
        """
        if self.curriculum is None:
            return self._always
        decision = self.curriculum.decide(folder, override)
        if decision.over:
            return None
        by_hand = self.curriculum.file.stages[decision.stage].by_hand
        return Assigned(self.curriculum.prepared(decision.stage), decision, by_hand)

    def assign_today(self, folder: Path, stage: str | None = None, reason: str | None = None) -> Assigned:
        """Tell what a subject does today; a person may choose the stage, and has to say why.

        Raises ``ConfigError``, also when the curriculum is over for the subject, or ``RecordError``.
        """
        assigned = self.assign(folder, self._override(stage, reason))
        if assigned is None:
            raise ConfigError(self.over_said(folder))
        return assigned

    def over_said(self, folder: Path) -> str:
        """Say that a subject has been through all of its curriculum."""
        said = "all" if self.curriculum is None else f"{self.curriculum.name} ({self.curriculum.decide(folder).why})"
        return f"{folder.name} has been through {said}: `rig run` goes on with --stage NAME --reason WHY"

    def _override(self, stage: str | None, reason: str | None) -> Override | None:
        given = [name for name, value in (("stage", stage), ("reason", reason)) if value is not None]
        if given and self.curriculum is None:
            raise ConfigError(f"--{given[0]}: there are stages in a curriculum only: give --curriculum NAME")
        if len(given) == 1 or not (reason is None or reason.strip()):
            raise ConfigError("a stage is chosen by hand with --stage NAME and --reason WHY, both of them")
        if stage is None or reason is None or self.curriculum is None:
            return None
        return self.curriculum.override(stage, reason)

"""Select what a session runs: one protocol, or a stage of a curriculum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rig.config import find
from rig.core.errors import ConfigError
from rig.records.session.history import past_sessions
from rig.session.curriculum.curriculum import Curriculum
from rig.session.select_stage import StageOverride
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import check_name, subjects_folder


@dataclass(frozen=True)
class Records:
    """The folder of the past sessions that select a subject's next stage, and whether they are simulated."""

    folder: Path
    simulated: bool
    newest: str | None = None
    """The newest real session by its name, when a simulated session starts from these records."""

    @classmethod
    def of(cls, data: Path, name: str, *, simulated: bool, from_records: bool = False) -> Records:
        """Return the records below the data folder; ``from_records``: for a simulated subject those of the real one.

        Raises ``ConfigError`` for what cannot be a subject's name, and where there is nothing to begin from.
        """
        check_name(name)
        if not from_records:
            return cls(subjects_folder(data, simulated=simulated) / name, simulated)
        if not simulated:
            raise ConfigError("--from-records: a real session begins from its subject's records anyhow: leave it out")
        folder = subjects_folder(data, simulated=False) / name
        newest = next(past_sessions(folder), None)
        if newest is None:
            raise ConfigError(f"--from-records: {folder} has no real session to begin from")
        return cls(folder, False, newest.name)


class StagePlanner:
    """Select the next session of each subject. Raises ``ConfigError`` when a file is invalid."""

    def __init__(self, request: SessionRequest) -> None:
        self._always: SessionSpec | None = None
        self.curriculum: Curriculum | None = None
        if request.curriculum is None:
            self._always = build_spec(request)
        else:
            self.curriculum = Curriculum(find("curricula", request.curriculum), request)

    def example(self) -> SessionSpec:
        """Return one session that it may assign. Raises ``ConfigError``."""
        if self.curriculum is not None:
            return self.curriculum.spec(self.curriculum.file.first)
        return next(self.everything())

    def everything(self) -> Iterator[SessionSpec]:
        """Yield every session that it may assign. Raises ``ConfigError`` with the mistakes of all stages."""
        if self._always is not None:
            yield self._always
        if self.curriculum is not None:
            self.curriculum.check()
            yield from map(self.curriculum.spec, self.curriculum.file.stages)

    def assign(self, records: Records, override: StageOverride | None = None) -> SessionSpec | None:
        """Return a subject's next session by its records; None when the curriculum is complete.

        Raises ``ConfigError`` or ``RecordError``.
        """
        if self.curriculum is None:
            return None if self._always is None else replace(self._always, from_records=records.newest)
        decision = self.curriculum.decide(records.folder, override, simulated=records.simulated)
        if decision.finished:
            return None
        manual_steps = self.curriculum.file.stages[decision.stage].manual_steps
        spec = self.curriculum.spec(decision.stage)
        return replace(spec, decision=decision, manual_steps=manual_steps, from_records=records.newest)

    def assign_today(self, records: Records, stage: str | None = None, reason: str | None = None) -> SessionSpec:
        """Return a subject's session of today; a stage chosen by a person needs a reason.

        Raises ``ConfigError``, also when the curriculum is over for the subject, or ``RecordError``.
        """
        spec = self.assign(records, self._override(stage, reason))
        if spec is None:
            raise ConfigError(self.over_said(records))
        return spec

    def over_said(self, records: Records) -> str:
        """Return the message that a subject has completed its curriculum."""
        said = "all"
        if self.curriculum is not None:
            decision = self.curriculum.decide(records.folder, simulated=records.simulated)
            said = f"{self.curriculum.name} ({decision.explanation})"
        how = "--stage NAME --override stage='reason'"
        return f"{records.folder.name} has been through {said}: `rig run` goes on with {how}"

    def _override(self, stage: str | None, reason: str | None) -> StageOverride | None:
        options = [name for name, value in (("stage", stage), ("override stage", reason)) if value is not None]
        if options and self.curriculum is None:
            raise ConfigError(f"--{options[0]}: there are stages in a curriculum only: give --curriculum NAME")
        if len(options) == 1 or not (reason is None or reason.strip()):
            raise ConfigError("a stage is chosen by hand with --stage NAME and --override stage='reason', both of them")
        if stage is None or reason is None or self.curriculum is None:
            return None
        return self.curriculum.override(stage, reason)

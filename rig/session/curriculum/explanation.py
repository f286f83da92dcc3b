"""Which rule selected a subject's stage, with its sessions and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.config import find, load_config, names, validate
from rig.config.models.curriculum import CurriculumFile
from rig.core.errors import ConfigError
from rig.core.journal.header import RecordedStage
from rig.records.session.brief import SessionBrief
from rig.records.session.history import past_journals
from rig.session.select_stage import StageDecision, select_stage
from rig.session.subject_folder import SubjectFolder
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class StageExplanation:
    """The explanation of a subject's stage."""

    subject: str
    decision: StageDecision
    file: CurriculumFile
    past: Sequence[SessionBrief]
    """The sessions of the curriculum, oldest first."""
    outside: int
    unreadable: Sequence[Path]
    copied: Path | None
    """The curriculum's file, where it is a copy in a session's folder."""


def explain_stage(subject: SubjectFolder, curriculum: str | None) -> StageExplanation:
    """Return the explanation of a subject's stage in a curriculum, by default that of its newest session.

    Raises ``ConfigError`` and ``RecordError``.
    """
    found = list(past_journals(subject.folder, simulated=subject.simulated))
    every = [session for session in found if isinstance(session, SessionBrief)]
    past = [session for session in every if session.voided is None]
    path = find("curricula", curriculum) if curriculum is not None else _newest(subject.name, past)
    file = validate(CurriculumFile, load_config(path))
    inside = [
        session
        for session in reversed(every)
        if session.header.curriculum is not None and session.header.curriculum.name == path.stem
    ]
    unreadable = [path for path in reversed(found) if isinstance(path, Path)]
    decision = select_stage(path.stem, file, past, subject=subject.name)
    copied = path if path.is_relative_to(subject.folder) else None
    return StageExplanation(subject.name, decision, file, inside, len(every) - len(inside), unreadable, copied)


def _newest(subject: str, newest_first: Sequence[SessionBrief]) -> Path:
    """Return the curriculum of the newest session that has one: by its name, or the session's own copy of its file.

    Raises ``ConfigError``.
    """
    session = next((past for past in newest_first if past.header.curriculum is not None), None)
    if session is None or session.header.curriculum is None:
        raise ConfigError(f"no session of {subject} belongs to a curriculum: give --curriculum NAME")
    name = session.header.curriculum.name
    if name in names("curricula"):  # a journal must not choose a path
        return find("curricula", name)
    copies = (path for path in sorted((session.folder / "config").glob("*/*.y*ml")) if path.stem == name)
    if (copy := next((path for path in copies if "stages" in load_config(path).data), None)) is not None:
        return copy
    raise ConfigError(f"the curriculum {name!r} of {session.name} is not found by its name: give --curriculum PATH")


def stage_visits(past: Sequence[SessionBrief]) -> Iterator[tuple[str, str, list[SessionBrief]]]:
    """Yield the visited stages in order, each with the reason and its sessions."""
    visits: list[tuple[RecordedStage, list[SessionBrief]]] = []
    for session in past:
        recorded = session.header.curriculum
        if recorded is None:
            continue
        if not visits or recorded.override is not None or recorded.stage != visits[-1][0].stage:
            visits.append((recorded, []))
        visits[-1][1].append(session)
    for first, sessions in visits:
        yield first.stage, first.why, sessions


def why_not_counted(session: SessionBrief) -> str:
    """Return why a session of a curriculum does not count for its stages."""
    if session.voided is not None:
        return f"it is voided, {session.voided}"
    if session.reason is None:
        return f"it has no end; `rig recover {session.folder}`"
    if session.reason in ("operator", "idle"):
        return f"ended by {session.reason} after {pluralize(session.sums.trials, 'trial')}, fewer than min_trials"
    if session.reason == "participant_left":
        return "the participant declined or withdrew"
    return f"it ended by a {session.reason}"

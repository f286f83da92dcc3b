"""A past session in a few numbers: the ends of its journal and its small files, as a subject may have hundreds."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from rig.core.journal.header import Footer, Header
from rig.core.model.line import Line, kind_of
from rig.records.journal.read import JournalEnds, read_ends
from rig.records.session.read_environment import read_environment
from rig.records.session.summary import SUMMARY, Summary
from rig.records.session.sums import SessionSums, session_sums
from rig.records.session.void import void_text
from rig.system.atomic_files import read_errors
from rig.system.file_stamp import Stamp, stamp_of

ADVANCING_REASONS = ("time_limit", "reward_limit", "trial_limit", "task_finished")
"""Reasons of an end after which a session counts."""
ADVANCING_WITH_MIN_TRIALS = ("operator", "idle")
"""After these it counts when it had the protocol's ``min_trials``."""
_MOST_BYTES = 1 << 20
"""A larger summary is not read: the program writes a few kilobytes."""


def advances_state(reason: str, trials: int, min_trials: int) -> bool:
    """Whether a session that ended so counts for those that come after it."""
    return reason in ADVANCING_REASONS or (reason in ADVANCING_WITH_MIN_TRIALS and trials >= min_trials)


@dataclass(frozen=True)
class SessionBrief:
    """A session by header and footer; ``footer`` is None without an end, as after a crash or while it runs.

    Its small files are read when they are first asked for.
    """

    journal: Path
    header: Header
    footer: Footer | None
    stamp: Stamp
    """That of the journal when it was read: another one may stand there another day."""

    @property
    def folder(self) -> Path:
        """Return the session's folder."""
        return self.journal.parent

    @property
    def name(self) -> str:
        """Return the name of its folder below the subject's: ``2026-11-21/001``."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def day(self) -> datetime.date:
        """Return the day of its folder."""
        return datetime.date.fromisoformat(self.folder.parent.name)

    @property
    def began(self) -> datetime.datetime | None:
        """Return when it began, in naive local time, so that any two can be compared; None if that is unknown."""
        start = self.header.start_time
        return None if start is None else local(start)

    @property
    def stage(self) -> str | None:
        """Return the stage of its curriculum; None outside of one."""
        return None if self.header.curriculum is None else self.header.curriculum.stage

    @property
    def reason(self) -> str | None:
        """Return why it ended; None without an end."""
        return None if self.footer is None else self.footer.reason

    @property
    def duration_s(self) -> float | None:
        """Return its length; None without an end."""
        return None if self.footer is None else self.footer.t_us / 1e6

    @property
    def ended_to_count(self) -> bool:
        """Whether it ended so that it counts for the sessions that come after it, unless it is voided."""
        footer = self.footer
        return footer is not None and advances_state(footer.reason, footer.trials, self.header.min_trials)

    @property
    def advances_state(self) -> bool:
        """Whether it counts for the sessions that come after it. Raises ``RecordError``."""
        return self.ended_to_count and self.voided is None

    @cached_property
    def sums(self) -> SessionSums:
        """Return what it came to; without an end so far, by all lines of its journal. Raises ``RecordError``."""
        return session_sums(self.journal, self.footer)

    @cached_property
    def voided(self) -> str | None:
        """Return who voided it, and why; it then counts nowhere but in what was given. Raises ``RecordError``."""
        return void_text(self.folder)

    @cached_property
    def environment(self) -> Mapping[str, object]:
        """Return the facts about its computer."""
        return read_environment(self.folder)

    @property
    def experimenter(self) -> str:
        """Return who ran it; empty if no one is recorded."""
        name = self.environment.get("experimenter")
        return name if isinstance(name, str) else ""

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Return the shares in its summary; none if that is missing or none of ours."""
        path = self.folder / SUMMARY
        with suppress(OSError, ValueError, RecursionError):
            if path.is_file() and path.stat().st_size <= _MOST_BYTES:
                return Summary.model_validate(json.loads(path.read_bytes())).shares
        return {}

    def count(self, *kinds: type[Line]) -> int:
        """Return how many lines of some kinds its journal has, by its footer."""
        counts = {} if self.footer is None else self.footer.counts
        return sum(counts.get(kind_of(kind), 0) for kind in kinds)


def read_brief(journal: Path) -> SessionBrief | None:
    """Read the ends of a journal; None if its header cannot be read.

    Raises ``RecordError`` for one that cannot be read at all, or is of another format.
    """
    with read_errors(journal):
        stamp = stamp_of(journal)
    ends = cached_ends(journal, stamp)
    return None if ends.header is None else SessionBrief(journal, ends.header, ends.footer, stamp)


@lru_cache(maxsize=512)  # the lines of a session take 40 KB
def cached_ends(journal: Path, stamp: Stamp) -> JournalEnds:
    """Read the ends of a journal of this stamp once: a session's start asks for the same ones several times."""
    return read_ends(journal)


def local(moment: datetime.datetime) -> datetime.datetime:
    """Convert a moment to naive local time, so that any two can be compared."""
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)

"""A session that broke off: whether it can go on, and how much of its journal is from before its end."""

from __future__ import annotations

import datetime
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.codec import encode
from rig.core.journal.header import Footer, Header
from rig.core.journal.journal import MAX_BREAKS
from rig.core.journal.kinds import (
    AllOff,
    AllowanceLine,
    Correction,
    Note,
    Openings,
    PositionsLine,
    SamplesLine,
    SessionLine,
    StateLine,
)
from rig.core.model.events import Continued, Fault, Panic
from rig.core.model.line import Line, kind_of
from rig.records.journal.digest import plain_ends
from rig.records.journal.read import DamagedLine, TornLine, iter_lines, journal_of, tells_time
from rig.records.recover import CRASH
from rig.records.sampled.samples import samples_path
from rig.records.session.power_loss import may_have_rebooted
from rig.records.session.void import void_text
from rig.records.track.positions import POSITIONS
from rig.session.replay_comparison import RecordedDecisions

BOARD_LOST = ("link_lost", "reset")
"""The faults after which a session can go on."""
NOTES = (Note, AllowanceLine)
"""The kinds of lines that the task leads to and no replay compares."""


@dataclass(frozen=True)
class BrokenSession:
    """What is left of a session that broke off, up to its end.

    ``why`` is ``crash`` or the fault of its board. Its end, if it has one, is decided anew.
    """

    folder: Path
    why: str
    recorded: RecordedDecisions
    notes: Counter[bytes]
    counts: Counter[str]
    indexed: Mapping[str, int]
    """How many records of each file beside the journal its lines name, by the file's name."""
    kept: bytes
    """The bytes of the journal before its end."""
    last_us: int
    """When it broke off: the time of the last line that is kept."""
    end_us: int
    """The latest time of a line, of its end too."""
    uid: str | None
    """The id of its board, if the journal names one."""

    @property
    def header(self) -> Header:
        """Return the journal's header."""
        return self.recorded.header

    @property
    def lines(self) -> int:
        """Return the number of lines that are kept."""
        return self.counts.total()

    @property
    def crc(self) -> int:
        """Return the checksum of the bytes that are kept."""
        return zlib.crc32(self.kept)

    @property
    def start(self) -> datetime.datetime:
        """Return the start of the session. Raises ``RecordError`` if it is not known."""
        if (start := self.header.start_time) is None:
            raise RecordError(f"{self.folder}: cannot go on: its header does not say when it began")
        return start

    def elapsed_us(self, now: datetime.datetime) -> int:
        """Return the time since the start of the session."""
        return round((now.astimezone() - self.start.astimezone()) / datetime.timedelta(microseconds=1))

    def gap_min(self, now: datetime.datetime) -> float:
        """Return how many minutes ago it broke off; not below 0, whatever the clock says."""
        return max(0.0, (self.elapsed_us(now) - self.last_us) / 60e6)

    def check_time(self, now: datetime.datetime) -> None:
        """Check that it broke off only a short time ago. Raises ``RecordError``."""
        most_min = self.header.stop.get("resume_within_min") or 0
        gap_min = self.gap_min(now)
        if not most_min:
            raise RecordError(f"{self.folder}: is never resumed, because stop.resume_within_min is 0: start a new one")
        if gap_min > most_min:
            raise RecordError(
                f"{self.folder}: broke off {gap_min:.0f} minutes ago, and stop.resume_within_min is {most_min:g}: "
                "start a new session"
            )


def read_broken(session: Path) -> BrokenSession:
    """Read a session that broke off. Raises ``RecordError`` that says why it cannot go on."""
    path = journal_of(session)
    end = _End(path)
    length = end.checked_length()
    kept = islice(_whole_lines(path), length)
    notes, counts = Counter[bytes](), Counter[str]()
    indexed: dict[str, int] = {}
    last_us = 0

    def followed() -> Iterator[SessionLine]:
        nonlocal last_us
        for line in kept:
            counts[kind_of(line)] += 1
            last_us = max(last_us, line.t_us if tells_time(line) else 0)
            if isinstance(line, NOTES):
                notes[encode(line)] += 1
            if isinstance(line, PositionsLine | SamplesLine):
                name = POSITIONS if isinstance(line, PositionsLine) else samples_path(path.parent, line.source).name
                indexed[name] = max(indexed.get(name, 0), line.first + line.samples)
            yield line

    recorded = RecordedDecisions(followed())
    with path.open("rb") as file:
        raw = plain_ends(b"".join(islice(file, length)))  # they begin a new file
    return BrokenSession(path.parent, end.why, recorded, notes, counts, indexed, raw, last_us, end.end_us, end.uid)


def _whole_lines(path: Path) -> Iterator[SessionLine]:
    return (line for line in iter_lines(path) if not isinstance(line, DamagedLine))


class _End:
    """The end of a journal, and where it begins. Raises ``RecordError``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.uid: str | None = None
        self.end_us = 0
        self.why = CRASH
        self._lines = 0
        self._first: SessionLine | None = None
        self._footer: Footer | None = None
        self._footer_at: int | None = None
        self._lost_at: int | None = None
        self._has_all_off = False
        self._seen: Counter[type[Line]] = Counter()
        for line in iter_lines(path):
            if isinstance(line, TornLine):
                break
            if isinstance(line, DamagedLine):
                raise self._refusal(f"line {line.line} is damaged ({line.why}), so what it did is not known")
            self._take(line)

    def _take(self, line: SessionLine) -> None:
        self._first = self._first or line
        self._seen[type(line)] += 1
        self.end_us = max(self.end_us, line.t_us if tells_time(line) else 0)
        match line:
            case Openings():
                self.uid = line.uid
            case Footer():
                self._footer, self._footer_at = line, self._lines
            case AllOff():
                self._has_all_off = True
            case Fault() if line.what in BOARD_LOST and not self._has_all_off:
                self._lost_at, self.why = self._lines, line.what
        self._lines += 1

    def checked_length(self) -> int:
        """Return the number of lines before the end. Raises ``RecordError`` when the session cannot go on."""
        if not isinstance(self._first, Header):
            raise self._refusal("it has no header line that can be read")
        if (voided := void_text(self.path.parent)) is not None:
            raise self._refusal(f"it is voided ({voided}), and `rig session void --undo` lets it count again")
        self._check_end()
        if not self._seen[StateLine]:
            raise self._refusal("it broke off before its first state, so there is nothing to go on with")
        if self._seen[Continued] >= MAX_BREAKS:
            raise self._refusal(f"it has broken off {MAX_BREAKS + 1} times: look at cable and computer")
        if not self._first.simulated and may_have_rebooted(self.path.parent):
            raise self._refusal(
                "the computer may have restarted since, and the last lines may be lost, with what they gave"
            )
        ends = [at for at in (self._lost_at, self._footer_at) if at is not None]
        return min(ends, default=self._lines)

    def _check_end(self) -> None:
        reason = CRASH if self._footer is None else self._footer.reason
        if self._seen[Panic] or reason == "panic":
            raise self._refusal("it was ended by the panic button")
        if self._seen[Correction]:
            raise self._refusal("its board has already said what it gave, and the journal was corrected")
        if reason not in (CRASH, "fault"):
            raise self._refusal(f"it has ended: {reason.replace('_', ' ')}")
        if self._lost_at is None and reason == "fault" and self._footer is not None:
            raise self._refusal(f"it has ended with a fault that stays: {self._footer.detail}")
        if self._lost_at is None and self._has_all_off:
            raise self._refusal("its end had begun, and all outputs were off")

    def _refusal(self, why: str) -> RecordError:
        return RecordError(
            f"{self.path.parent}: cannot go on: {why}. A session goes on after a crash of the program, a lost link or "
            "a reset of the board; otherwise start a new one"
        )

"""A session that broke off: whether it can go on, and how much of its journal is from before its end."""

from __future__ import annotations

import datetime
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal.journal import MAX_BREAKS
from rig.core.journal.lines import Line
from rig.records.journal.read import DamagedLine, PartialLine, iter_lines, journal_of
from rig.records.recover import CRASH
from rig.records.session.power_loss import may_have_rebooted
from rig.records.session.void import void_text
from rig.session.recorded import RecordedSession, decision_text

BOARD_LOST = ("link_lost", "reset")
"""The faults after which a session can go on."""
NOTES = ("note", "allowance")
"""The kinds of lines that the task leads to and no replay compares."""


@dataclass(frozen=True)
class BrokenSession:
    """What is left of a session that broke off, up to its end.

    ``why`` is ``crash`` or the fault of its board. Its end, if it has one, is decided anew.
    """

    folder: Path
    why: str
    recorded: RecordedSession
    notes: Counter[str]
    counts: Counter[str]
    kept: bytes
    """The bytes of the journal before its end."""
    last_us: int
    """When it broke off: the time of the last line that is kept."""
    end_us: int
    """The latest time of a line, of its end too."""
    uid: str | None
    """The id of its board, if the journal names one."""

    @property
    def header(self) -> Line:
        """Return the journal's header."""
        return dict(self.recorded.header)

    @property
    def lines(self) -> int:
        """Return the number of lines that are kept."""
        return self.counts.total()

    @property
    def crc(self) -> int:
        """Return the checksum of the bytes that are kept."""
        return zlib.crc32(self.kept)

    def elapsed_us(self, now: datetime.datetime) -> int:
        """Return the time since the start of the session."""
        start = datetime.datetime.fromisoformat(self.header["start"]).astimezone()
        return round((now.astimezone() - start) / datetime.timedelta(microseconds=1))

    def gap_min(self, now: datetime.datetime) -> float:
        """Return how many minutes ago it broke off; not below 0, whatever the clock says."""
        return max(0.0, (self.elapsed_us(now) - self.last_us) / 60e6)

    def check_time(self, now: datetime.datetime) -> None:
        """Check that it broke off only a short time ago. Raises ``RecordError``."""
        most_min = self.header["stop"].get("resume_within_min", 0)
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
    notes, counts = Counter[str](), Counter[str]()
    last_us = 0

    def followed() -> Iterator[Line]:
        nonlocal last_us
        for line in kept:
            counts[line["k"]] += 1
            last_us = max(last_us, line["t"] if line["k"] != "reward" else 0)
            if line["k"] in NOTES and line["src"] == "host":
                notes[note_text(line)] += 1
            yield line

    recorded = RecordedSession(followed())
    with path.open("rb") as file:
        raw = b"".join(islice(file, length))
    return BrokenSession(path.parent, end.why, recorded, notes, counts, raw, last_us, end.end_us, end.uid)


def note_text(line: Line) -> str:
    """Return a note as a text that is equal for equal notes."""
    return decision_text({key: value for key, value in line.items() if key not in ("seq", "crc")})


def _whole_lines(path: Path) -> Iterator[Line]:
    return (line for line in iter_lines(path) if not isinstance(line, DamagedLine))


class _End:
    """The end of a journal, and where it begins. Raises ``RecordError``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.uid: str | None = None
        self.end_us = 0
        self.why = CRASH
        self._lines = 0
        self._first: Line = {}
        self._footer: Line | None = None
        self._footer_at = self._all_off_at = self._lost_at = None
        self._seen: Counter[str] = Counter()
        for line in iter_lines(path):
            if isinstance(line, PartialLine):
                break
            if isinstance(line, DamagedLine):
                raise self._refusal(f"line {line.line} is damaged ({line.why}), so what it did is not known")
            self._take(line)

    _footer_at: int | None
    _all_off_at: int | None
    _lost_at: int | None

    def _take(self, line: dict[str, Any]) -> None:
        kind = line["k"]
        self._first = self._first or line
        self._seen[kind] += 1
        self.end_us = max(self.end_us, line["t"] if kind != "reward" else 0)
        if kind == "openings":
            self.uid = line["uid"]
        elif kind == "footer":
            self._footer, self._footer_at = line, self._lines
        elif kind == "all_off":
            self._all_off_at = self._all_off_at if self._all_off_at is not None else self._lines
        elif kind == "fault" and line["what"] == "panic":
            self._seen["panic"] += 1
        elif kind == "fault" and line["what"] in BOARD_LOST and self._all_off_at is None:
            self._lost_at, self.why = self._lines, line["what"]
        self._lines += 1

    def checked_length(self) -> int:
        """Return the number of lines before the end. Raises ``RecordError`` when the session cannot go on."""
        if self._first.get("k") != "header":
            raise self._refusal("it has no header line that can be read")
        if (voided := void_text(self.path.parent)) is not None:
            raise self._refusal(f"it is voided ({voided}), and `rig session void --undo` lets it count again")
        self._check_end()
        if not self._seen["state"]:
            raise self._refusal("it broke off before its first state, so there is nothing to go on with")
        if self._seen["continued"] >= MAX_BREAKS:
            raise self._refusal(f"it has broken off {MAX_BREAKS + 1} times: look at cable and computer")
        if not self._first["simulated"] and may_have_rebooted(self.path.parent):
            raise self._refusal(
                "the computer may have restarted since, and the last lines may be lost, with what they gave"
            )
        ends = [at for at in (self._lost_at, self._footer_at) if at is not None]
        return min(ends, default=self._lines)

    def _check_end(self) -> None:
        reason = CRASH if self._footer is None else self._footer["reason"]
        if self._seen["panic"] or reason == "panic":
            raise self._refusal("it was ended by the panic button")
        if self._seen["correction"]:
            raise self._refusal("its board has already said what it gave, and the journal was corrected")
        if reason not in (CRASH, "fault"):
            raise self._refusal(f"it has ended: {reason.replace('_', ' ')}")
        if self._lost_at is None and reason == "fault" and self._footer is not None:
            raise self._refusal(f"it has ended with a fault that stays: {self._footer['detail']}")
        if self._lost_at is None and self._all_off_at is not None:
            raise self._refusal("its end had begun, and all outputs were off")

    def _refusal(self, why: str) -> RecordError:
        return RecordError(
            f"{self.path.parent}: cannot go on: {why}. A session goes on after a crash of the program, a lost link or "
            "a reset of the board; otherwise start a new one"
        )

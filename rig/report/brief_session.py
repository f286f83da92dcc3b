"""A session in a few numbers, from the ends of its journal and its small files: a subject may have hundreds."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header
from rig.core.model.line import Line, kind_of
from rig.live.reasons import FAILURES
from rig.records.journal.read import read_ends
from rig.records.session.environment import read_environment
from rig.records.session.history import journals
from rig.records.session.summary import SUMMARY, Summary
from rig.records.session.sums import SessionSums, session_sums
from rig.records.session.void import void_text
from rig.report.session_records import fact
from rig.terminal.format import amounts_text

_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class BriefSession:
    """What header, footer, summary and environment say of a session; ``footer`` is None for one without an end."""

    journal: Path
    header: Header
    footer: Footer | None
    running: bool
    sums: SessionSums
    summary: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return its date and number."""
        return f"{self.journal.parent.parent.name}/{self.journal.parent.name}"

    @cached_property
    def voided(self) -> str | None:
        """Return who voided it, and why; None if it counts. Raises ``RecordError``."""
        return void_text(self.journal.parent)

    @property
    def start(self) -> datetime.datetime | None:
        """Return when it began, in the local time of the session."""
        start = self.header.start
        return None if start is None else datetime.datetime.fromisoformat(start)

    @property
    def day(self) -> datetime.date:
        """Return the day of its folder."""
        return datetime.date.fromisoformat(self.journal.parent.parent.name)

    @property
    def protocol(self) -> str:
        """Return the protocol."""
        return self.header.protocol_name

    @property
    def stage(self) -> str:
        """Return the stage; empty outside of a curriculum."""
        return "" if self.header.curriculum is None else self.header.curriculum.stage

    @property
    def by(self) -> str:
        """Return who ran it; empty if no one is recorded."""
        who = fact(self.environment, "experimenter")
        return who if isinstance(who, str) else ""

    @property
    def weight_g(self) -> float | None:
        """Return the weight of the header; None if there is none."""
        weight = self.header.facts.get("weight_g")
        return float(weight) if isinstance(weight, int | float) else None

    @property
    def duration_s(self) -> float | None:
        """Return its length; None without an end."""
        return None if self.footer is None else self.footer.t_us / 1e6

    def count(self, *kinds: type[Line]) -> int:
        """Return how many lines of some kinds its journal has, by its footer."""
        counts = {} if self.footer is None else self.footer.counts
        return sum(counts.get(kind_of(kind), 0) for kind in kinds)

    @property
    def given(self) -> str:
        """Return what was given, or may have been, with units; of a session without an end so far."""
        amount = self.sums.amount
        return amounts_text(amount.ul, amount.pellets, amount.access_s)

    @property
    def shares(self) -> Mapping[str, float]:
        """Return the shares that its protocol counts."""
        counted: Mapping[str, float] = self.summary.get("shares", {})
        return counted

    def share_label(self, name: str) -> str:
        """Return what its protocol calls a share."""
        return label_of_share(self.header, name)

    @property
    def is_failed(self) -> bool:
        """Whether it broke off, or ended by a failure."""
        return not self.running and (self.footer is None or self.footer.reason in FAILURES)


def label_of_share(header: Header, name: str) -> str:
    """Return what a protocol calls a share; its name if the header has no label for it."""
    share = header.shares.get(name)
    return name if share is None else share.label or name


def read_brief_session(journal: Path, running: frozenset[Path]) -> BriefSession:
    """Read the ends of a session; all of it if it has no end. ``running`` are the folders of those that run.

    Raises ``RecordError`` for one without a header.
    """
    ends = read_ends(journal)
    if ends.header is None:
        raise RecordError(f"{journal}: has no header line that can be read")
    runs = ends.footer is None and journal.parent.resolve() in running
    return BriefSession(
        journal,
        ends.header,
        ends.footer,
        runs,
        session_sums(journal, ends.footer),
        _summary(journal.parent),
        read_environment(journal.parent),
    )


def sessions_of(folder: Path, running: frozenset[Path], *, simulated: bool) -> Iterator[BriefSession | Path]:
    """Yield a subject's sessions, the newest first; a journal without a header is given as its path.

    Raises ``RecordError``.
    """
    for journal in journals(folder):
        try:
            session = read_brief_session(journal, running)
        except RecordError:
            yield journal
            continue
        if session.header.simulated == simulated:
            yield session


def _summary(folder: Path) -> dict[str, Any]:
    """Return the summary of a session; empty if it is missing or none of ours."""
    path = folder / SUMMARY
    with suppress(OSError, ValueError, RecursionError):
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            return Summary.model_validate(json.loads(path.read_bytes())).model_dump()
    return {}

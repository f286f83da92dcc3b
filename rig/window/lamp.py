"""The lamp of a session: how its board and its records are, as a level, a word and a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from rig.expectations.finding import Finding, Severity
from rig.live.end_reasons import FAILURES, ended_text
from rig.live.warnings import fault_counts
from rig.terminal.format import clock, pluralize
from rig.window.session_feed import SessionFeed

QUIET_S = 30.0
"""A running session whose journal has had no new line for so long gets a warning."""
RECENT_S = 300.0
"""A warning keeps the lamp on for so long."""


class Level(Enum):
    """How bad it is; each level has its own word, and the window draws each in its own shape and color."""

    OK = "OK"
    WARNING = "warning"
    FAILURE = "FAILURE"
    WAITING = "waiting"
    ENDED = "ended"


SIGNS = {Level.OK: "✓", Level.WARNING: "!", Level.FAILURE: "✕", Level.WAITING: "…", Level.ENDED: "■"}


@dataclass(frozen=True)
class Lamp:
    """What the lamp shows."""

    level: Level
    text: str

    @property
    def words(self) -> str:
        """Return the level and the sentence."""
        return f"{self.level.value}: {self.text}"


def newest_first(feed: SessionFeed) -> Iterator[Finding]:
    """Yield the findings that are more than a note, the newest first, each text once."""
    shown = set()
    for finding in reversed(feed.findings):
        if finding.severity is not Severity.NOTE and finding.text not in shown:
            shown.add(finding.text)
            yield finding


def lamp_of(feed: SessionFeed, *, is_silent: bool = False) -> Lamp:
    """Return the lamp of a session; ``is_silent`` says that its program runs and does not answer."""
    return _failure(feed) or _warning(feed, is_silent=is_silent) or _rest(feed)


def _failure(feed: SessionFeed) -> Lamp | None:
    progress = feed.progress
    if feed.error:
        return Lamp(Level.FAILURE, f"the journal cannot be shown: {feed.error}")
    footer = progress.footer
    if footer is not None and footer.reason in FAILURES:
        return Lamp(Level.FAILURE, ended_text(footer.reason, footer.detail))
    if progress.faults["panic"]:
        return Lamp(Level.FAILURE, ended_text("panic"))
    if lost := feed.now().lost_text:
        return Lamp(Level.FAILURE, lost)
    if progress.lines and not feed.is_there:
        return Lamp(Level.FAILURE, "the journal is not in its place any more")
    return None


def _warning(feed: SessionFeed, *, is_silent: bool) -> Lamp | None:
    progress, now = feed.progress, feed.now()
    troubles = list(fault_counts(progress.faults))
    if feed.damaged:
        troubles.append(pluralize(feed.damaged, "line of the journal left out", "lines of the journal left out"))
    if progress.footer is None:
        if is_silent:
            troubles.append("its program does not answer")
        if now.quiet_s >= QUIET_S and feed.is_caught_up and progress.state:
            troubles.append(f"nothing new for {clock(now.quiet_s)}")
        newest = next(newest_first(feed), None)
        if newest is not None and feed.now_us - newest.t_us < 1e6 * RECENT_S:
            troubles.append("see below")
    return Lamp(Level.WARNING, ", ".join(troubles)) if troubles else None


def _rest(feed: SessionFeed) -> Lamp:
    footer = feed.progress.footer
    if footer is not None:
        verdict = feed.progress.expectations.verdict
        return Lamp(Level.ENDED, f"{ended_text(footer.reason, footer.detail)}; verdict: {verdict}")
    if not feed.progress.state:
        return Lamp(Level.WAITING, "no line of the session yet" if not feed.progress.lines else "opening the board")
    return Lamp(Level.OK, "board and journal")

"""Follow a journal and display it until the session ends or the display is closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from rig.live.warnings import lost_board_text

EVERY_S = 0.25
UNRESPONSIVE_S = 4.0
"""Time without a report after which the session's program counts as unresponsive: it reports once a second."""


class SessionStatus(NamedTuple):
    """The present of a session: how long it has run, how long its journal has been quiet, what of it was damaged.

    ``held_s`` is for how long the program that runs it has given no sign of life. ``reconnect_s`` is the time that is
    left to plug in a board that is lost; None while it is there.
    """

    elapsed_s: float
    quiet_s: float
    damaged: int = 0
    held_s: float = 0.0
    reconnect_s: float | None = None

    @property
    def lost_text(self) -> str:
        """Return the text of a lost board; else an empty text."""
        return "" if self.reconnect_s is None else lost_board_text(self.reconnect_s)

    @property
    def unresponsive_text(self) -> str:
        """Return the warning that the protocol has not returned for ``UNRESPONSIVE_S``; else an empty text."""
        if self.held_s < UNRESPONSIVE_S:
            return ""
        return f"the protocol has not come back for {self.held_s:.0f} s: does it sleep for real, or loop without await?"


class Renderer(Protocol):
    """Whatever draws: told of every line, and a few times a second of the time."""

    def update(self, progress: Progress) -> None:
        """Handle one more journal line."""

    def render(self, progress: Progress, now: SessionStatus) -> None:
        """Draw the present."""


def run_display(
    follower: JournalFollower,
    view: Renderer,
    wait: Callable[[float], object],
    *,
    real_time: bool | None = None,
    held_s: Callable[[], float] = lambda: 0.0,
) -> Progress:
    """Draw until the footer has come, or ``wait(seconds)`` has returned something true.

    ``real_time`` says whether time passes between two lines; None: where a person or an animal does the task.
    """
    progress = Progress()
    changed_s = last_change_s(follower)
    _take(follower, view, progress)
    over: object = False
    while True:
        quiet_s = time.monotonic() - changed_s
        now = session_status(progress, quiet_s, follower.damaged, real_time)._replace(held_s=held_s())
        progress.pass_time(now.elapsed_s)
        view.render(progress, now)
        if over or progress.footer is not None:
            return progress
        over = wait(EVERY_S)
        if _take(follower, view, progress):
            changed_s = time.monotonic()


def _take(follower: JournalFollower, view: Renderer, progress: Progress) -> bool:
    """Read all lines that are new, and hand them on; return whether there was any."""
    before = progress.lines
    while lines := follower.read():
        for line in lines:
            progress.take(line)
            view.update(progress)
    return progress.lines > before


def last_change_s(follower: JournalFollower) -> float:
    """Return when the journal last grew, on the monotonic clock: a session may have been quiet before we came."""
    written_s = follower.written_s()
    return time.monotonic() - (0.0 if written_s is None else max(0.0, time.time() - written_s))


def session_status(progress: Progress, quiet_s: float, damaged: int, real_time: bool | None) -> SessionStatus:
    """Return the present of a session whose journal has been quiet for so long."""
    runs = progress.footer is None and progress.state != ""
    passes = progress.runs_in_real_time if real_time is None else real_time
    now_s = progress.t_us / 1e6 + (quiet_s if runs and passes else 0.0)
    left_s = None
    if progress.board_lost_us is not None:
        left_s = max(0.0, progress.board_lost_us / 1e6 + (progress.stop.get("reconnect_within_s") or 0.0) - now_s)
    elapsed_s = progress.clock.running_us(round(now_s * 1e6)) / 1e6
    return SessionStatus(elapsed_s, quiet_s, damaged, reconnect_s=left_s)

"""The running display on a terminal: a few lines that are redrawn in their place."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.live import Live
from rich.panel import Panel as Frame
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from rig.live.display_loop import SessionStatus
from rig.live.progress import Progress
from rig.live.warnings import fault_counts
from rig.terminal.console import SafeConsole
from rig.terminal.format import clock, outcomes, param_texts, pluralize, prefixed, time_text

WIDEST = 100
RIGHT_MARGIN = 4
"""Columns left free at the right: a terminal that writes ^C there must not begin a new line, twice."""
NARROWEST = 60
"""A narrower terminal has no room for bars."""
NAME_WIDTH = len("warning")
FRAME_WIDTH = 6
"""Columns of the frame, and of the spaces between it, the names and what they name."""
QUIET_S = 30.0
"""A journal that has been quiet for so long is worth a word."""


class RichDisplay:
    """Draws a session on a terminal: ``with Panel(console) as panel:``; the last picture stays if ``kept``.

    ``hint`` returns which keys do what.
    """

    def __init__(self, console: SafeConsole, hint: Callable[[], str] = lambda: "", *, kept: bool) -> None:
        self._console = console
        self._hint = hint
        self._live = Live(console=console, auto_refresh=False, transient=not kept)

    def update(self, progress: Progress) -> None:
        """Handle one more line by doing nothing: ``render`` draws the whole session."""

    def render(self, progress: Progress, now: SessionStatus) -> None:
        """Draw the session as it is now."""
        if progress.header is not None:
            self._live.update(session_panel(progress, now, self._console.width, self._hint()), refresh=True)

    def __enter__(self) -> RichDisplay:
        self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._live.stop()


def session_panel(progress: Progress, now: SessionStatus, columns: int, hint: str = "") -> RenderableType:
    """Draw a session for a terminal of so many columns."""
    width = min(columns - RIGHT_MARGIN, WIDEST)
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(style="dim", width=NAME_WIDTH)
    rows.add_column(width=width - NAME_WIDTH - FRAME_WIDTH)
    bar = width // 3 if width >= NARROWEST else 0
    rows.add_row("state", _state(progress))
    rows.add_row("time", _bar(bar, now.elapsed_s, progress.stop.get("session_s"), _time(progress, now)))
    rows.add_row("given", _bar(bar, *progress.nearest_limit, _given(progress)))
    rows.add_row("trials", _line(f"{progress.trials}{prefixed(outcomes(progress.outcomes))}"))
    rows.add_row("last", _strip(progress, width - NAME_WIDTH - FRAME_WIDTH))
    rows.add_row("board", _health(progress, now))
    rows.add_row("warning", _warning(progress))
    if progress.set:
        rows.add_row("set", _line(", ".join(param_texts(progress.set))))
    if progress.operator is not None:
        rows.add_row("by hand", _line(f"{clock(progress.operator.t_us / 1e6)}  {progress.operator.text}"))
    return Frame(
        rows,
        title=_title(progress, width - 2 * FRAME_WIDTH),
        title_align="left",
        subtitle=_shortened(hint, width - 2 * FRAME_WIDTH) if hint else None,
        subtitle_align="right",
        width=width,
        border_style="bold red" if progress.faults["panic"] or now.lost_text else "dim",
    )


def _title(progress: Progress, width: int) -> Text:
    header = progress.header
    if header is None:
        return Text()
    simulated = ", simulated" if header.simulated else ""
    return _shortened(f"{header.subject}, {header.protocol_name}{simulated}", width, "bold")


def _shortened(text: str, width: int, style: str = "") -> Text:
    short = Text(text, style=style)
    short.truncate(width, overflow="ellipsis")  # a frame makes room for its title beyond its own width
    return short


def _state(progress: Progress) -> Text:
    if progress.has_failed:
        return _line(progress.state_text, "bold red")
    is_paused = progress.footer is None and progress.clock.is_paused
    return _line(progress.state_text, "bold yellow" if is_paused else "")


def _line(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def _bar(width: int, done: float, whole: float | None, text: Text) -> RenderableType:
    if not (whole and width):
        return text
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(width=width)
    row.add_column(no_wrap=True, overflow="ellipsis")
    row.add_row(ProgressBar(whole, min(done, whole), width, complete_style="cyan", finished_style="cyan"), text)
    return row


def _time(progress: Progress, now: SessionStatus) -> Text:
    return _line(time_text(now.elapsed_s, progress.stop.get("session_s")))


def _given(progress: Progress) -> Text:
    return _line(f"{progress.given}, {progress.rewards_text}")


def _strip(progress: Progress, length: int) -> Text:
    """Draw the last trials: a letter is the choice, a capital was paid, a dot is no choice."""
    text = Text(no_wrap=True, overflow="crop")
    for glyph in list(progress.strip)[-max(1, length) :]:
        text.append(glyph, style="green" if glyph.isupper() else "dim" if glyph == "." else "")
    return text


def _health(progress: Progress, now: SessionStatus) -> Text:
    troubles = list(fault_counts(progress.faults))
    if now.damaged:
        troubles.append(pluralize(now.damaged, "damaged line"))
    if now.lost_text:
        return Text(now.lost_text, "bold red", no_wrap=False, overflow="fold")
    text = Text(", ".join(troubles) or "OK", "bold yellow" if troubles else "green", no_wrap=False, overflow="fold")
    if now.quiet_s >= QUIET_S and progress.footer is None:
        text.append(f", nothing new for {clock(now.quiet_s)}", style="yellow")
    if now.unresponsive_text and progress.footer is None:
        text.append(f", {now.unresponsive_text}", style="bold yellow")
    return text


def _warning(progress: Progress) -> RenderableType:
    if not progress.warnings:
        return _line("none", "dim")
    last = progress.warnings[-1]
    more = len(progress.warnings) - 1
    text = Text(f"{clock(last.t_us / 1e6)}  {last.text}", style="bold yellow", no_wrap=False, overflow="fold")
    return text if not more else Group(text, _line(f"and {more} before", "dim"))

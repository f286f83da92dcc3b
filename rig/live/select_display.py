"""Which display suits the place: a panel on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from rig.live.display_loop import run_display
from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from rig.live.rich_display import RichDisplay
from rig.live.text_display import TextDisplay
from rig.terminal.console import SafeConsole


def display(
    follower: JournalFollower,
    console: SafeConsole,
    wait: Callable[[float], object],
    *,
    real_time: bool | None = None,
    hint: Callable[[], str] = lambda: "",
    kept: bool = False,
    held_s: Callable[[], float] = lambda: 0.0,
) -> Progress:
    """Show a session until it has ended, or ``wait(seconds)`` has returned something true.

    On a terminal, ``hint`` returns which keys do what, and the last picture stays when it is ``kept``.
    """
    if console.file.isatty() and not console.is_dumb_terminal:
        with RichDisplay(console, hint, kept=kept) as panel:
            return run_display(follower, panel, wait, real_time=real_time, held_s=held_s)
    return run_display(
        follower, TextDisplay(lambda line: print_line(console, line)), wait, real_time=real_time, held_s=held_s
    )


def print_line(console: SafeConsole, line: str) -> None:
    """Write a line as it is, however long, and at once."""
    console.print(Text(line), soft_wrap=True)

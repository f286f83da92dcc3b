"""Show the boxes until the last of them has ended, or until the person leaves; the sessions do not depend on it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import FrameType

from rich.live import Live

from rig.live.select_display import print_line
from rig.platform.keys import keys_in_thread
from rig.supervisor.box import Box
from rig.supervisor.keys import HINT, BoxKeys
from rig.supervisor.lines import BoxLines
from rig.supervisor.table import boxes_table
from rig.system.signals import signal_handler
from rig.terminal.console import SafeConsole

EVERY_S = 0.25
"""How often each box is looked at; a failure is shown after at most twice this time."""

Wait = Callable[[float], object]


class Wakeup:
    """Waits, and is woken when something is to be drawn at once."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """End the wait of the moment."""
        self._event.set()

    def wait(self, seconds: float) -> None:
        """Wait for at most so long."""
        self._event.wait(seconds)
        self._event.clear()


def supervise(
    boxes: Sequence[Box], console: SafeConsole, wakeup: Wakeup, start: Callable[[Box], str] | None = None
) -> bool:
    """Show the boxes; return whether all of them have ended. Raises ``KeyboardInterrupt`` without a terminal."""
    try:
        if console.file.isatty() and not console.is_dumb_terminal:
            return _on_terminal(boxes, console, wakeup, BoxKeys(boxes, start))
        lines = BoxLines(boxes, lambda line: print_line(console, line))
        return watch(boxes, lines.render, wakeup.wait)
    finally:
        for box in boxes:
            box.close()


def watch(
    boxes: Sequence[Box], render: Callable[[], object], wait: Wait, left: Callable[[], bool] = lambda: False
) -> bool:
    """Update the boxes and draw them until all have ended, or ``left`` is true; return whether all have ended."""
    while True:
        for box in boxes:
            box.update()
        render()
        if not any(box.is_active for box in boxes):
            return True
        if left():
            return False
        wait(EVERY_S)


def _on_terminal(boxes: Sequence[Box], console: SafeConsole, wakeup: Wakeup, keys: BoxKeys) -> bool:
    with ExitStack() as stack:
        reads = stack.enter_context(keys_in_thread(lambda text: _press(keys, wakeup, text)))
        if reads:
            # Only where keys can answer the question: elsewhere Ctrl-C leaves the sessions running.
            stack.enter_context(signal_handler((signal.SIGINT,), _interrupting(keys, wakeup)))
        live = stack.enter_context(Live(console=console, auto_refresh=False))

        def render() -> None:
            hint = keys.hint if reads else "Ctrl-C leaves the sessions running"
            ended = not any(box.is_active for box in boxes)
            live.update(
                boxes_table(boxes, keys.chosen, console.width, "" if ended and hint == HINT else hint), refresh=True
            )

        return watch(boxes, render, wakeup.wait, lambda: keys.wants_leave)


def _press(keys: BoxKeys, wakeup: Wakeup, text: str) -> None:
    keys.press(text)
    wakeup.set()


def _interrupting(keys: BoxKeys, wakeup: Wakeup) -> Callable[[int, FrameType | None], None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            keys.interrupt()
            wakeup.set()

    return interrupt

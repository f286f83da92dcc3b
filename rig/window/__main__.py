"""``python -m rig.window``: the process of the window, which `rig.window.launch` starts."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence
from types import ModuleType

from rig.platform.processes import lower_priority
from rig.window.launch import WindowRequest


def main(arguments: Sequence[str]) -> int:
    """Show the window until it is closed."""
    # Ctrl-C ends it at once: while Qt loads or runs its loop, Python's own exception may be swallowed.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if not WindowRequest.parse(arguments[1]).boxes_file:
        # Not for the launcher: the sessions that it starts would have its priority.
        lower_priority()
    application = load()
    return int(application.run(arguments))


def load() -> ModuleType:
    """Load Qt and the window: half a second of processor time, which a session must not miss."""
    # What is loaded stays to the end: looking through it for garbage would take a tenth of the time.
    gc.disable()
    from rig.window import application

    gc.freeze()
    gc.enable()
    return application


if __name__ == "__main__":
    sys.exit(main(sys.argv))

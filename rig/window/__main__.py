"""``python -m rig.window``: the process of the window, which `rig.window.launch` starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

NICENESS = 10
"""The session goes first, also where there is one processor only."""


def main(arguments: Sequence[str]) -> int:
    """Show the window until it is closed."""
    with suppress(AttributeError, OSError):  # no such thing on Windows
        os.nice(NICENESS)
    # Imported here: loading Qt takes a second of processor time, which a session must not miss.
    from rig.window.application import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv))

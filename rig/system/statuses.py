"""Exit statuses, the same for every command."""

from __future__ import annotations

OK = 0
FAILED = 1
WRONG_INPUT = 2
NO_HARDWARE = 3
STOPPED = 130
"""What the operator has stopped: 128 and the number of Ctrl-C's signal."""

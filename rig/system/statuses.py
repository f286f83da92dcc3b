"""Exit statuses, the same for every command."""

from __future__ import annotations

OK = 0
FAILED = 1
WRONG_INPUT = 2
NO_HARDWARE = 3
STOPPED = 130
"""What the operator has stopped: 128 and the number of Ctrl-C's signal."""

MEANINGS = {
    OK: "done",
    FAILED: "the session failed after its first event (data kept), or a replay differs",
    WRONG_INPUT: "your input is wrong",
    NO_HARDWARE: "the hardware is missing or faulty",
    STOPPED: "stopped by the operator (data kept)",
}
"""What each means, in the words of ``rig --help``; docs/reference/exit-statuses.md has the cases."""

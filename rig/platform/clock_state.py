"""Whether this computer's clock follows the time of a server."""

from __future__ import annotations

import ctypes
import sys

_TIME_ERROR = 5
"""What adjtimex(2) returns while the kernel's clock is not synchronized."""
_TIMEX_BYTES = 512
"""More than the structure of any version of Linux has."""

if sys.platform == "linux":

    def is_clock_synchronized() -> bool | None:
        """Whether a time service has set the clock; None where the system does not say."""
        buffer = ctypes.create_string_buffer(_TIMEX_BYTES)  # zeros: modes = 0 only reads
        try:
            state = int(ctypes.CDLL(None).adjtimex(buffer))
        except (OSError, AttributeError):
            return None
        return None if state < 0 else state != _TIME_ERROR
else:

    def is_clock_synchronized() -> bool | None:
        """Return None: this system does not say."""
        return None

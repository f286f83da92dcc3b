"""The error of a recording that cannot be aligned with certainty."""

from __future__ import annotations

from rig.core.errors import RecordError


class NotAlignedError(RecordError):
    """No alignment is certain: none fits, or more than one does. The lines say what would help."""

"""How many processes run jobs on this computer, if a person does not say it."""

from __future__ import annotations

from rig.platform.processes import usable_processors


def default_jobs() -> int:
    """Return the number of processes without ``--jobs``: one less than the processors, so that a person can work."""
    return max(1, usable_processors() - 1)

"""Check that a session can have the trials from which on it counts."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config import LayeredConfig, config_issue
from rig.config.errors.errors import ConfigIssue
from rig.config.models.protocol_file import SessionLimits


def check_min_trials(stop: SessionLimits, layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield a ``min_trials`` above ``max_trials``, unless that was laid over it, as for a short session of a trial."""
    loc = ("stop", "min_trials")
    if stop.max_trials is None or stop.min_trials <= stop.max_trials:
        return
    if layered.blamed(loc, ("stop", "max_trials")) == loc:
        text = (
            f"is {stop.min_trials}, and a session ends after {stop.max_trials} trials (max_trials): are they exchanged?"
        )
        yield config_issue(layered.location(loc), loc, text)

"""Check that the files of a session stay so small that they can be read."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rig.config import LayeredConfig, config_issue
from rig.config.errors.errors import ConfigIssue
from rig.config.models.protocol_file import SessionLimits
from rig.core.model.board import Source
from rig.records.sampled.samples import FORMAT
from rig.records.side_file.format import MAX_BYTES
from rig.session.spec.read_rig import Rig


def check_record_sizes(stop: SessionLimits, rig: Rig, layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield the sources of a rig whose values would make a file that is too large; ``layered`` is the protocol's file.

    Positions never do: a camera takes at most 240 frames a second.
    """
    loc = ("stop", "session_s")
    for device in rig.devices.values():
        for source in device.sources:
            if text := _excess(source, stop.session_s, stop.grace_s):
                yield config_issue(layered.location(loc), loc, text)


def _excess(source: Source, session_s: float, grace_s: float) -> str:
    """Return why the values of a source are too many for its file, and what would be right; empty if they are not."""
    total_s = session_s + grace_s
    most_s = (MAX_BYTES - len(FORMAT.header)) // FORMAT.size * source.period_us / 1e6
    if total_s <= most_s:
        return ""
    needed_ms = math.ceil(source.period_us * total_s / most_s / 10) / 100
    size_gb = FORMAT.size * total_s * 1e6 / source.period_us / 1e9
    return (
        f"'{source.name}' gives {FORMAT.size} bytes every {source.period_us / 1000:g} ms: {size_gb:.2f} GB in "
        f"{session_s:g} s and {grace_s:g} s of grace, and a file of more than {MAX_BYTES / 1e9:.2f} GB is never read: "
        f"take at most {math.floor(most_s)} s for both, or period_ms: {needed_ms:g} or more in the rig file"
    )

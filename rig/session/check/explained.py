"""The values of a file or of a session, each with its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rig.config import collect_errors, load_config, validate
from rig.config.explain import ExplainedValue, explain
from rig.session.check.check import KINDS, kind_of
from rig.session.spec.read_protocol import read_protocol
from rig.session.spec.read_rig import find_rig_file, read_rig_file


def explained_values(path: Path, sets: Sequence[str], rig: str | None) -> list[ExplainedValue]:
    """Return the values of a file, and of a protocol's file also those of its rig. Raises ``ConfigError``.

    ``sets`` are those of ``--set``; ``rig`` is the rig in place of the one that the file names.
    """
    layered = load_config(path, sets)
    kind = kind_of(path, layered)
    if kind == "rig":
        return _of_rig(path)
    if kind in ("curriculum", "calibration", "subject", "lab", "boxes", "study"):
        return explain({"": validate(KINDS[kind], layered)}, layered)
    (file, _, params), rig_file = collect_errors(
        lambda: read_protocol(layered),
        lambda: find_rig_file(rig, layered, path.parent.parent),
    )
    return _together(explain({"": file, "params": params}, layered), _of_rig(rig_file))


def _together(protocol: Sequence[ExplainedValue], rig: Sequence[ExplainedValue]) -> list[ExplainedValue]:
    """Return the values of both files; what is normal may stand in both, and the protocol's file goes first."""
    found = {one.key: one for one in protocol}
    for one in rig:
        first = found.get(one.key)
        if first is None or first.location is None:
            found[one.key] = one
        elif one.location is not None:
            found[one.key] = replace(first, overridden=(*first.overridden, (one.location, one.value)))
    return list(found.values())


def _of_rig(path: Path) -> list[ExplainedValue]:
    layered = load_config(path)
    return explain({"": read_rig_file(layered)}, layered)

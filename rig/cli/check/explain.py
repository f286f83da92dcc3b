"""``rig check --explain``: print the source of each value of a session."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rig.cli.terminal.printing import print_json
from rig.cli.terminal.table import print_table
from rig.config import collect_errors, load_config, validate
from rig.config.explain import ExplainedValue, explain, select_key, yaml_text
from rig.config.field_docs import FieldDoc
from rig.session.build.protocol_file import read_protocol
from rig.session.build.rig_file import find_rig_file, read_rig_file
from rig.session.check.check import KINDS, kind_of
from rig.system.statuses import OK


def explain_files(paths: Iterable[Path], key: str, arguments: argparse.Namespace) -> int:
    """Print the source of a key in some files; of all keys when it is empty."""
    found: list[ExplainedValue] = []
    for path in paths:
        everything = _everything(path, arguments)
        found += select_key(everything, key) if key else everything
    if arguments.json:
        print_json([_as_json(one) for one in found])
    elif key:
        print(*(line for one in found for line in _at_length(one)), sep="\n")
    else:
        print_table([(f"{one.key}: {yaml_text(one.value)}", _where(one)) for one in found])
    return OK


def _everything(path: Path, arguments: argparse.Namespace) -> list[ExplainedValue]:
    layered = load_config(path, arguments.set)
    kind = kind_of(path, layered)
    if kind == "rig":
        return _of_rig(path)
    if kind in ("curriculum", "calibration", "subject", "lab", "boxes", "study"):
        return explain({"": validate(KINDS[kind], layered)}, layered)
    (file, _, params), rig = collect_errors(
        lambda: read_protocol(layered),
        lambda: find_rig_file(arguments.rig, layered, path.parent.parent),
    )
    return _together(explain({"": file, "params": params}, layered), _of_rig(rig))


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


def _where(one: ExplainedValue) -> str:
    return "default" if one.location is None else str(one.location)


def _at_length(one: ExplainedValue) -> list[str]:
    lines = [f"{one.key}: {yaml_text(one.value)}", f"    {_where(one)}"]
    lines += [f"    overrides {yaml_text(value)} in {mark}" for mark, value in one.overridden]
    return lines if one.doc is None else [*lines, *(f"    {line}" for line in _about(one.doc))]


def _about(key: FieldDoc) -> Iterator[str]:
    if key.description:
        yield key.description
    yield f"accepted: {key.accepted}" + (f" ({key.unit})" if key.unit else "")
    if not key.required:
        yield f"default: {yaml_text(key.default)}" + (f"; source: {key.source}" if key.source else "")


def _as_json(one: ExplainedValue) -> dict[str, Any]:
    return {
        "key": one.key,
        "value": one.value if one.value is None or isinstance(one.value, bool | int | float) else yaml_text(one.value),
        "file": None if one.location is None else one.location.file,
        "line": None if one.location is None else one.location.line,
        "overrides": [{"file": mark.file, "line": mark.line, "value": yaml_text(v)} for mark, v in one.overridden],
        "default": yaml_text(one.doc.default) if one.doc is not None and not one.doc.required else None,
        "description": one.doc.description if one.doc is not None else None,
        "source": one.doc.source if one.doc is not None else None,
    }

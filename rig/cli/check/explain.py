"""``rig check --explain``: print the source of each value of a session."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from rig.cli.terminal.printing import print_json, print_table
from rig.config.explain import ExplainedValue, select_key, yaml_text
from rig.config.field_docs import FieldDoc
from rig.session.check.explained import explained_values
from rig.system.statuses import OK


def explain_files(paths: Iterable[Path], key: str, arguments: argparse.Namespace) -> int:
    """Print the source of a key in some files; of all keys when it is empty."""
    found: list[ExplainedValue] = []
    for path in paths:
        everything = explained_values(path, arguments.set, arguments.rig)
        found += select_key(everything, key) if key else everything
    if arguments.json:
        print_json([_as_json(one) for one in found])
    elif key:
        print(*(line for one in found for line in _at_length(one)), sep="\n")
    else:
        print_table([(f"{one.key}: {yaml_text(one.value)}", _where(one)) for one in found])
    return OK


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


def _as_json(one: ExplainedValue) -> dict[str, object]:
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

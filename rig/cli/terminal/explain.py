"""``rig check --explain``: where each value of a session came from."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rig.cli.terminal.printing import print_json
from rig.config import collect, load, validate
from rig.config.explain import Explained, explain, pick, written
from rig.config.field_docs import Described
from rig.session.build.protocol_file import read_protocol
from rig.session.build.rig_file import read_rig_file, rig_of
from rig.session.check.check import KINDS, kind_of
from rig.system.statuses import OK


def explain_files(paths: Iterable[Path], key: str, arguments: argparse.Namespace) -> int:
    """Explain a key of some files, all keys when it is empty."""
    found: list[Explained] = []
    for path in paths:
        everything = _everything(path, arguments)
        found += pick(everything, key) if key else everything
    if arguments.json:
        print_json([_as_json(one) for one in found])
    elif key:
        print(*(line for one in found for line in _at_length(one)), sep="\n")
    else:
        width = max(len(f"{one.key}: {written(one.value)}") for one in found)
        print(*(f"{one.key}: {written(one.value)}".ljust(width) + f"  {_where(one)}" for one in found), sep="\n")
    return OK


def _everything(path: Path, arguments: argparse.Namespace) -> list[Explained]:
    layered = load(path, arguments.set)
    kind = kind_of(path, layered)
    if kind == "rig":
        return _of_rig(path)
    if kind in ("curriculum", "calibration", "subject", "lab"):
        return explain({"": validate(KINDS[kind], layered)}, layered)
    (file, _, params), rig = collect(
        lambda: read_protocol(layered),
        lambda: rig_of(arguments.rig, layered, path.parent.parent),
    )
    return [*explain({"": file, "params": params}, layered), *_of_rig(rig)]


def _of_rig(path: Path) -> list[Explained]:
    layered = load(path)
    return explain({"": read_rig_file(layered)}, layered)


def _where(one: Explained) -> str:
    return "default" if one.mark is None else str(one.mark)


def _at_length(one: Explained) -> list[str]:
    lines = [f"{one.key}: {written(one.value)}", f"    {_where(one)}"]
    lines += [f"    overrides {written(value)} in {mark}" for mark, value in one.overridden]
    return lines if one.about is None else [*lines, *(f"    {line}" for line in _about(one.about))]


def _about(key: Described) -> Iterator[str]:
    if key.description:
        yield key.description
    yield f"accepted: {key.accepted}" + (f" ({key.unit})" if key.unit else "")
    if not key.required:
        yield f"default: {written(key.default)}" + (f"; source: {key.source}" if key.source else "")


def _as_json(one: Explained) -> dict[str, Any]:
    return {
        "key": one.key,
        "value": one.value if one.value is None or isinstance(one.value, bool | int | float) else written(one.value),
        "file": None if one.mark is None else one.mark.file,
        "line": None if one.mark is None else one.mark.line,
        "overrides": [{"file": mark.file, "line": mark.line, "value": written(v)} for mark, v in one.overridden],
        "default": written(one.about.default) if one.about is not None and not one.about.required else None,
        "description": one.about.description if one.about is not None else None,
        "source": one.about.source if one.about is not None else None,
    }

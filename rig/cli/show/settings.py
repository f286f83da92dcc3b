"""``rig show settings``: what this computer is set to, and where each value comes from."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from rig.cli.terminal.printing import print_json, print_lines
from rig.config.limits import LAB_FILE
from rig.system.config_paths import SETTINGS, user_settings
from rig.system.settings import VARIABLES, Settings, load_settings
from rig.system.statuses import OK

LABELS = {
    "data": "folder of the records",
    "default_rig": "rig of `rig run` without --rig",
    "experimenters": "experimenters",
    "lab": "laboratory, in exported files",
    "institution": "institution, in exported files",
    "boxes": "boxes",
}
_NONE = {"default_rig": "none: --rig is needed", "experimenters": "anyone", "boxes": "none"}


def run(arguments: argparse.Namespace) -> int:
    """Print every setting with its source."""
    settings = load_settings()
    if arguments.json:
        print_json({key: {"value": value, "source": source} for key, value, source in _values(settings)})
        return OK
    lines = [f"{label:32}{text}" for label, text in said_settings(settings)]
    limits = os.path.join(settings.data.value, LAB_FILE)
    has = "" if os.path.exists(limits) else ", which does not exist"
    lines += [
        "",
        "The first of these that sets a value counts: a command's option; the variable",
        f"{', '.join(f'${each}' for each in VARIABLES.values())};",
        f"{os.path.abspath(SETTINGS)}; {user_settings()}.",
        f"Limits of the animals are in {limits}{has}.",
    ]
    print_lines("\n".join(lines))
    return OK


def said_settings(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield what each setting is called, and its value with its source; not those that only exports use, if unset."""
    for key, value, source in _values(settings):
        if value or key in ("data", *_NONE):
            yield LABELS[key], f"{_said(key, value)} ({source})"


def _values(settings: Settings) -> Iterator[tuple[str, Any, str]]:
    for each in fields(settings):
        setting = getattr(settings, each.name)
        yield each.name, setting.value, setting.source


def _said(key: str, value: Any) -> str:
    if not value:
        return _NONE[key]
    if key == "data":
        return os.path.abspath(str(value))
    if isinstance(value, dict):
        return ", ".join(f"{box} = {rig}" for box, rig in value.items())
    words: tuple[str, ...] = (value,) if isinstance(value, str) else value
    return ", ".join(words)

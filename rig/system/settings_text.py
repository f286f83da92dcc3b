"""The computer's settings as text, each with the place that sets it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TypeAlias

from rig.system.settings import Settings

_Value: TypeAlias = str | tuple[str, ...] | Mapping[str, str] | None

LABELS = {
    "data": "folder of the records",
    "default_rig": "rig of `rig run` without --rig",
    "experimenters": "experimenters",
    "lab": "laboratory, in exported files",
    "institution": "institution, in exported files",
    "boxes": "boxes",
}


_NONE = {"default_rig": "none: --rig is needed", "experimenters": "anyone", "boxes": "none"}


def settings_texts(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield what each setting is called, and its value with its source; not those that only exports use, if unset."""
    for key, value, source in setting_values(settings):
        if value or key in ("data", *_NONE):
            yield LABELS[key], f"{_value_text(key, value)} ({source})"


def setting_values(settings: Settings) -> Iterator[tuple[str, _Value, str]]:
    """Yield key, value and source of each setting."""
    for field in fields(settings):
        setting = getattr(settings, field.name)
        yield field.name, setting.value, setting.source


def _value_text(key: str, value: _Value) -> str:
    if not value:
        return _NONE[key]
    if key == "data":
        return os.path.abspath(str(value))
    if isinstance(value, dict):
        return ", ".join(f"{box} = {rig}" for box, rig in value.items())
    words: Iterable[str] = (value,) if isinstance(value, str) else value
    return ", ".join(words)

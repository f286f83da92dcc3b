"""Explain each value: the file and line that set it, those that it overrides, or the default and its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from rig.config.errors.closest_names import did_you_mean
from rig.config.errors.errors import Loc, SourceLocation
from rig.config.errors.formatting import key_text, value_text
from rig.config.field_docs import FieldDoc, field_docs
from rig.config.inheritance import LayeredConfig
from rig.config.yaml.document import read_yaml, value_at
from rig.core.errors import ConfigError


@dataclass(frozen=True)
class ExplainedValue:
    """One value: what it is, where it was written (None: nowhere, it is the default), and what that overrides."""

    key: str
    value: object
    location: SourceLocation | None
    overridden: tuple[tuple[SourceLocation, object], ...] = ()
    doc: FieldDoc | None = None


def explain(models: Mapping[str, BaseModel], layered: LayeredConfig) -> list[ExplainedValue]:
    """Return every value of a file explained; ``models`` are its validated parts by key, the whole under ``""``."""
    explained: dict[str, ExplainedValue] = {}
    for at, model in models.items():
        for loc, value, about in _leaves(model, (at,) if at else ()):
            if at or loc[0] not in models:  # what has a model of its own is explained there
                explained[key_text(loc)] = _explained(loc, value, about, layered)
    return list(explained.values())


def select_key(explained: Sequence[ExplainedValue], key: str) -> list[ExplainedValue]:
    """Return the values of a key, or of all keys below it. Raises ``ConfigError`` if there is none."""
    whole = [value for value in explained if value.key == key or value.key.startswith((f"{key}.", f"{key}["))]
    last = [value for value in explained if value.key.rpartition(".")[2] == key]
    if not whole and not last:
        keys = [value.key for value in explained]
        near = did_you_mean(key, [*keys, *(name.rpartition(".")[2] for name in keys)])
        raise ConfigError(f"--explain {key}: there is no such key; {near}leave KEY out to see all")
    return whole or last


def _leaves(value: object, loc: Loc, about: FieldDoc | None = None) -> Iterator[tuple[Loc, object, FieldDoc | None]]:
    if isinstance(value, BaseModel):
        for key in field_docs(type(value)):
            yield from _leaves(getattr(value, key.name), (*loc, key.name), key)
    elif isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, (*loc, str(name)))
    elif isinstance(value, list) and value and isinstance(value[0], BaseModel):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*loc, index))
    else:
        yield loc, value, about


def _explained(loc: Loc, value: object, about: FieldDoc | None, layered: LayeredConfig) -> ExplainedValue:
    places = (loc, loc[:-1]) if about is not None and about.shorthand else (loc,)
    mark = next((layered.locations[place] for place in places if place in layered.locations), None)
    return ExplainedValue(key_text(loc), value, mark, tuple(_overridden(places, mark, layered)), about)


def _overridden(
    places: Sequence[Loc], winner: SourceLocation | None, layered: LayeredConfig
) -> Iterator[tuple[SourceLocation, object]]:
    for path in layered.sources:
        document = read_yaml(path)
        place = next((place for place in places if place in document.locations), None)
        if place is not None and document.locations[place] != winner:
            yield document.locations[place], value_at(document.data, place)


def yaml_text(value: object) -> str:
    """Write a value as YAML would."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(yaml_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {yaml_text(inner)}' for key, inner in value.items())}}}"
    return "null" if value is None else value_text(value).strip("'")

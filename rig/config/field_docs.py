"""What there is to say of the keys that a model accepts: for tables, editors and explanations.

Where a default comes from stands in the model itself, by the field's name:
``sources: ClassVar = {"q_stay": "Beron et al. 2022, Methods"}``.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rig.config.errors.formatting import value_text
from rig.core.model.live import live_names
from rig.core.model.reward_types import RewardSize, units_of
from rig.core.model.unit_names import unit_of_name
from rig.core.task.task import TaskParams

_NAMES: Mapping[object, str] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    datetime.date: "date, YYYY-MM-DD",
    Path: "file",
    Any: "anything",
}
_SIGNS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
_SIDES = {sign: {sign, f"{sign[0]}{'t' if sign[1] == 'e' else 'e'}"} for sign in _SIGNS}


@dataclass(frozen=True)
class FieldDoc:
    """One key: ``default`` is None when nothing is the default, and also when the key is ``required``."""

    name: str
    type: str
    default: object = None
    required: bool = False
    optional: bool = False
    unit: str = ""
    bounds: dict[str, float] = field(default_factory=dict)
    choices: tuple[object, ...] = ()
    description: str = ""
    live: bool = False
    """Whether an operator may change it during a session."""
    source: str = ""
    shorthand: bool = False
    """Whether a plain value in the place of its mapping is this key's value."""

    @property
    def accepted(self) -> str:
        """Return in words which values are accepted."""
        words = ", ".join(map(value_text, self.choices)).replace("'", "") or self.range or self.type
        return f"{words}, or null" if self.optional else words

    @property
    def range(self) -> str:
        """Write the bounds as ``0.1 to 30`` or ``> 0``."""
        if set(self.bounds) == {"ge", "le"}:
            return f"{value_text(self.bounds['ge'])} to {value_text(self.bounds['le'])}"
        return ", ".join(f"{_SIGNS[sign]} {value_text(bound)}" for sign, bound in self.bounds.items())


def field_docs(model: type[BaseModel]) -> list[FieldDoc]:
    """Return the keys of a model, in its order."""
    sources, rewards, live = default_sources(model), units_of(model), live_names(model)
    return [
        FieldDoc(
            name=name,
            type=_type(info.annotation),
            default=None if info.is_required() else _plain(info.get_default(call_default_factory=True)),
            required=info.is_required(),
            optional=NoneType in _members(info.annotation),
            unit=rewards.get(name) or _unit(name, model),
            bounds=_bounds(info),
            choices=tuple(_choices(info.annotation)),
            description=info.description or "",
            live=name in live,
            source=sources.get(name, ""),
            shorthand=name == getattr(model, "shorthand", None),
        )
        for name, info in model.model_fields.items()
    ]


def param_groups(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Return the keys of a model that hold a group of keys, and the group's model."""
    return {
        name: member
        for name, info in model.model_fields.items()
        for member in _members(info.annotation)
        if isinstance(member, type) and issubclass(member, TaskParams)
    }


def default_sources(model: type[BaseModel]) -> dict[str, str]:
    """Return where defaults come from, by the key's name; what a class says goes before what its bases say."""
    sources: dict[str, str] = {}
    for base in reversed(model.__mro__):
        sources |= vars(base).get("sources", {})
    return sources


def _plain(value: object) -> object:
    """Return a default as YAML has it."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def _unit(name: str, model: type[BaseModel]) -> str:
    """Return the unit that a name ends with: 1/s for ``pokes_per_s``.

    ``block_rewards_min`` beside ``block_rewards_max`` is no time.
    """
    if not {"number", "whole number"} & {
        _NAMES.get(member, "") for member in _members(model.model_fields[name].annotation)
    }:
        return ""
    if name.endswith("_min") and f"{name.removesuffix('_min')}_max" in model.model_fields:
        return ""
    return unit_of_name(name)


def _bounds(info: FieldInfo) -> dict[str, float]:
    """Return the bounds of a field; its own go before those of a reward's type."""
    entries = (*_inner_metadata(info.annotation), *info.metadata)
    bounds: dict[str, float] = {}
    for entry in sorted(entries, key=lambda entry: isinstance(entry, RewardSize)):
        for sign, ends in _SIDES.items():
            bound = getattr(entry, sign, None)
            if bound is not None and not bounds.keys() & ends:
                bounds[sign] = bound
    return bounds


def _inner_metadata(annotation: object) -> Iterator[object]:
    """Yield the metadata inside a union, such as that of ``Annotated[float, Gt(0)] | None``."""
    if get_origin(annotation) is Annotated:
        yield from get_args(annotation)[1:]
    elif get_origin(annotation) in (Union, UnionType):
        for member in get_args(annotation):
            yield from _inner_metadata(member)


def _members(annotation: object) -> tuple[object, ...]:
    """Return what an annotation accepts: the members of its union, or itself alone."""
    if get_origin(annotation) is Annotated:
        return _members(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return tuple(inner for member in get_args(annotation) for inner in _members(member))
    return (annotation,)


def _choices(annotation: object) -> Iterator[object]:
    for member in _members(annotation):
        if get_origin(member) is Literal:
            yield from get_args(member)
        elif member is bool:
            yield from (True, False)


def _type(annotation: object) -> str:
    return " or ".join(dict.fromkeys(_word(member) for member in _members(annotation) if member is not NoneType))


def _plural(words: str) -> str:
    return words if words == "text" else words.replace("list of", "lists of", 1) if " of " in words else f"{words}s"


def _word(member: object) -> str:
    origin, args = get_origin(member), get_args(member)
    if origin is Literal:
        return "word"
    if origin in (list, tuple, set, frozenset):
        return f"list of {_plural(_type(args[0]))}" if args else "list"
    if member is dict or origin in (dict, Mapping) or (isinstance(member, type) and issubclass(member, BaseModel)):
        return getattr(member, "written_as", "mapping")
    return _NAMES.get(member) or str(getattr(member, "__name__", member))

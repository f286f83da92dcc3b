"""Which keys a pydantic model accepts at a place inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag


def accepted_keys(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """Return the keys that are allowed at a pydantic error location, which also names members of unions."""
    names = (name for found in _models(model, tuple(loc)) for name in _fields(found))
    return list(dict.fromkeys(names))


def _fields(model: type[BaseModel]) -> dict[str, object]:
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _models(annotation: object, loc: tuple[str | int, ...]) -> Iterator[type[BaseModel]]:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        # A union of one tagged kind is no union any more, but its tag is still in the location.
        yield from _models(args[0], loc[1:] if loc and loc[0] in _tags(annotation) else loc)
    elif origin in (Union, UnionType):
        yield from _in_union(args, loc)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from _in_model(annotation, loc)
    elif loc:  # the values of a mapping, the entries of a list
        for arg in args:
            yield from _models(arg, loc[1:])


def _in_model(model: type[BaseModel], loc: tuple[str | int, ...]) -> Iterator[type[BaseModel]]:
    if not loc:
        yield model
    else:
        yield from _models(_fields(model).get(str(loc[0])), loc[1:])


def _in_union(members: Sequence[object], loc: tuple[str | int, ...]) -> Iterator[type[BaseModel]]:
    named = [member for member in members if loc and loc[0] in _labels(member)]
    for member in named or members:
        yield from _models(member, loc[1:] if named else loc)


def _labels(member: object) -> list[object]:
    """Return what pydantic may call a member of a union in an error location: a tag, a kind, or its name."""
    fields = member.model_fields.values() if isinstance(member, type) and issubclass(member, BaseModel) else ()
    kinds = [word for field in fields if get_origin(field.annotation) is Literal for word in get_args(field.annotation)]
    return [*_tags(member), *kinds, getattr(member, "__name__", None)]


def _tags(annotation: object) -> list[str]:
    return [extra.tag for extra in getattr(annotation, "__metadata__", ()) if isinstance(extra, Tag)]

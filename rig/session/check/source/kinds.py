"""What is known of an expression: its type, the object itself, or the method that it names."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from rig.core.task.states import StateInfo
from rig.core.task.task import Task
from rig.core.task.waits import Block, Wait
from rig.devices.base import Device

NoneType = type(None)


@dataclass(frozen=True)
class Value:
    """A value of a type; ``hint`` is a class, or an annotation such as ``list[Port]`` or ``Edge | None``."""

    hint: Any


@dataclass(frozen=True, eq=False)  # a constant of a user may refuse to be compared
class Thing:
    """A known object of a module: a class, a function, a constant, another module."""

    thing: Any


@dataclass(frozen=True)
class Method:
    """A function of a class that is named and not called; ``owner`` is the class."""

    function: Any
    owner: type[Any]


Kind: TypeAlias = Value | Thing | Method | None
"""None: nothing is known."""


class StateCall:
    """The result of ``self.iti()``: a state that nothing runs."""


class Unawaited:
    """The result of an async function that nothing awaits."""


class Entered:
    """The result of a context manager's function, before its ``with``."""


def united(kinds: Iterable[Kind]) -> Kind:
    """Return the kind of what is one of several; None when one of them is unknown."""
    distinct: list[Value | Thing] = []
    for kind in kinds:
        if kind is None or isinstance(kind, Method):
            return None
        if kind not in distinct:
            distinct.append(kind)
    if len(distinct) <= 1:
        return distinct[0] if distinct else None
    if any(isinstance(kind, Thing) and callable(kind.thing) for kind in distinct):
        return None
    hints = tuple(kind.hint if isinstance(kind, Value) else type(kind.thing) for kind in distinct)
    try:
        return Value(Union[hints])  # noqa: UP007 (the number of types is known at run time only)
    except TypeError:
        return None


def options(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the type alone."""
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def class_of(hint: Any) -> type[Any] | None:
    """Return the class of a type that is no union."""
    origin = get_origin(hint) or hint
    return origin if isinstance(origin, type) else None


def classes_of(kind: Kind) -> tuple[type[Any], ...]:
    """Return the classes that a value may have; empty when one of them is unknown."""
    if isinstance(kind, Thing):
        return (type(kind.thing),)
    if isinstance(kind, Method):
        return (types.MethodType,)
    classes = () if kind is None else tuple(class_of(hint) for hint in options(kind.hint))
    return () if None in classes else classes  # type: ignore[return-value]


def element_of(kind: Kind) -> Kind:
    """Return the kind of the elements of an iterable."""
    if not isinstance(kind, Value):
        return None
    arguments = get_args(kind.hint)
    if class_of(kind.hint) is tuple and Ellipsis not in arguments:
        return united(map(known, arguments)) if arguments else None
    owner = class_of(kind.hint)
    if owner is None or not arguments or not issubclass(owner, Iterable):
        return None
    return known(arguments[0])


def known(hint: Any) -> Kind:
    """Return the kind of an annotation; None for one that says nothing."""
    if hint is None:
        return Value(NoneType)
    says_nothing = hint in (Any, object, inspect.Parameter.empty) or isinstance(hint, TypeVar | str)
    return None if says_nothing else Value(hint)


def member(owner: type[Any], name: str, task: type[Task[Any, Any, Any]] | None) -> tuple[bool, Any]:
    """Return whether a class has a member by its annotations or code, and the member or its type."""
    typed = _task_members(concrete(owner, task)) if issubclass(owner, Task) else {}
    if name in typed:
        return True, known(typed[name])
    found = inspect.getattr_static(owner, name, None)
    if isinstance(found, property):
        return True, known(hints_of(found.fget).get("return", Any))
    if isinstance(found, classmethod | staticmethod):
        return True, Method(found.__func__, owner)
    if inspect.isfunction(found):
        return True, Method(found, owner)
    hints = hints_of(owner)
    if name in hints:
        return True, known(hints[name])
    wrapped = getattr(found, "func", None)  # such as a cached_property
    if wrapped is not None:
        return True, known(hints_of(wrapped).get("return", Any))
    return found is not None, None if found is None else Value(type(found))


def concrete(owner: type[Any], task: type[Task[Any, Any, Any]] | None) -> type[Any]:
    """Return the class that a session runs where its code belongs to a base of it, or else the class itself."""
    return task if task is not None and issubclass(task, owner) else owner


def is_box(owner: type[Any]) -> bool:
    """Whether a class is the box of a task: a dataclass of devices."""
    devices = (option for hint in hints_of(owner).values() for option in options(hint))
    return is_dataclass(owner) and any(issubclass(class_of(device) or object, Device) for device in devices)


def _task_members(task: type[Task[Any, Any, Any]]) -> Mapping[str, Any]:
    row = task.row_type
    return {
        "box": task.box_type,
        "params": task.params_type,
        "row": row,
        "trial": row | None,
        "carried_over": dict[str, Any],
        "drawn": dict[str, Any],
        "trial_number": int,
    }


def hints_of(thing: Any) -> Mapping[str, Any]:
    """Return the annotations of a class or a function; empty when they cannot be read."""
    return _read_hints(thing)


@lru_cache(maxsize=4096)
def _read_hints(thing: Any) -> Mapping[str, Any]:
    try:
        return get_type_hints(thing)
    except Exception:  # a name that only a type checker imports, in a user's file
        return {}


def result_of(function: Any) -> Any:
    """Return the type of what a call of a function returns; None when it says nothing."""
    if isinstance(getattr(function, "__state__", None), StateInfo):
        return StateCall
    inner = inspect.unwrap(function)
    returned = hints_of(inner).get("return", Any)
    if inspect.iscoroutinefunction(inner):
        return types.GenericAlias(Wait, (returned,)) if inner is not function else Unawaited
    if get_origin(returned) is Block or (inner is not function and inspect.isgeneratorfunction(inner)):
        return Entered
    return NoneType if returned is None else returned


def awaited(kind: Kind) -> Kind:
    """Return the kind of what an ``await`` of a value returns."""
    arguments = get_args(kind.hint) if isinstance(kind, Value) and class_of(kind.hint) is Wait else ()
    return known(arguments[0]) if arguments else None


def without_none(hints: Iterable[Any]) -> Iterator[Any]:
    """Yield the types but None."""
    yield from (hint for hint in hints if hint is not NoneType)

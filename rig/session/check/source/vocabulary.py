"""The names of the vocabulary by what they are: actions, patterns, verbs, waits, blocks; and the units they want."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import rig.devices
from rig.core.model.microseconds import exact_s, to_s, to_us
from rig.core.task.argument_forms import ACTIONS, PATTERNS, is_kind_of, typed_members
from rig.core.task.sequence import LoadedSequence
from rig.core.task.task import Task
from rig.core.task.waits import Block, Wait
from rig.devices.base import HOOKS, Device
from rig.session.check.source.units_of_names import unit_of

CONSTRUCTORS = {kind.__name__ for kind in ACTIONS} | {"NOTHING", "CANCEL"}


@dataclass(frozen=True)
class Vocabulary:
    """The kind of each name, and the units of the arguments of functions."""

    kinds: Mapping[str, str]
    """``action``, ``pattern``, ``wait``, ``block``, ``light``, ``sequence``, ``verb``; ``task`` has those of a task."""
    task: frozenset[str]
    units: Mapping[str, tuple[str, ...]]


@cache
def vocabulary(devices: tuple[type[object], ...]) -> Vocabulary:
    """Return the names of the vocabulary, with those of further classes of devices."""
    kinds: dict[str, str] = {}
    shipped = (getattr(rig.devices, name) for name in rig.devices.__all__)
    owners = [kind for kind in shipped if isinstance(kind, type)]
    owners += [base for device in devices for base in device.__mro__]
    for owner in (*owners, LoadedSequence):
        kinds |= {name: kind for name, kind in members(owner) if kinds.get(name) != "action"}
    task = {name: kind for base in Task.__mro__ for name, kind in members(base)}
    return Vocabulary({**kinds, **task}, frozenset(task), _units([*owners, LoadedSequence, *Task.__mro__]))


def members(owner: type[object]) -> Iterator[tuple[str, str]]:
    """Yield the names of a class itself, each with its kind."""
    for name, hint, called in typed_members(owner):
        member = getattr(owner, name, None)
        inner = inspect.unwrap(member) if callable(member) else None
        if name.startswith("_") or (name in HOOKS and issubclass(owner, Device)):
            continue
        if is_kind_of(hint, ACTIONS):
            yield name, "action"
        elif is_kind_of(hint, PATTERNS) and not called:
            yield name, "pattern"
        elif hasattr(hint, "__enter__") and not called:
            yield name, "light"
        elif hint is LoadedSequence:
            yield name, "sequence"
        elif is_kind_of(hint, (Wait,)):
            yield name, "wait"
        elif is_kind_of(hint, (Block,)) or (inner is not member and inspect.isgeneratorfunction(inner)):
            yield name, "block"
        elif called:
            yield name, "verb"


def _units(owners: Iterable[type[object]]) -> dict[str, tuple[str, ...]]:
    units_of_name: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    methods = (item for owner in owners for item in vars(owner).items() if inspect.isfunction(item[1]))
    functions = [(function.__name__, function) for function in (exact_s, to_s, to_us)]
    for name, function in (*methods, *functions):
        parameters = [
            parameter for parameter in inspect.signature(function).parameters.values() if parameter.name != "self"
        ]
        positional = [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
        units_of_name[name].add(tuple(unit_of(name, alone=True) for name in positional))
    # Methods of one name with different arguments say nothing.
    return {name: units.pop() for name, units in units_of_name.items() if len(units) == 1}

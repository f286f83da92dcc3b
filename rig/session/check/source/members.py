"""Find names that an object does not have, in every state: devices, parameters, columns, and the task itself."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from rig.config.errors.formatting import did_you_mean
from rig.core.model.events import TASK_EVENTS
from rig.core.model.rows import Row
from rig.core.task.random_streams import Stream
from rig.core.task.sequence import LoadedSequence
from rig.core.task.task import Task
from rig.devices.base import Device
from rig.session.check.source.expressions import Expressions
from rig.session.check.source.files import Function
from rig.session.check.source.kinds import NoneType, Value, classes_of, hints_of, is_box
from rig.session.check.source.lost_values import Problem, source_text

_JUDGED = (Task, Device, BaseModel, Row, Stream, LoadedSequence, *TASK_EVENTS)
_MOST_LISTED = 12


def unknown_members(function: Function, expressions: Expressions) -> Iterator[Problem]:
    """Yield the names that are asked of an object which has no such name."""
    # `self.count += 1` asks for the old value.
    changed = {id(node.target) for node in function.nodes if isinstance(node, ast.AugAssign)}
    for node in function.nodes:
        if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
            continue
        kind = expressions.kind(node.value, function)
        owners: list[Any] = (
            [owner for owner in classes_of(kind) if owner is not NoneType] if isinstance(kind, Value) else []
        )
        # What gets a value is made by it, but for a column: a row has only those of its class.
        is_row = all(issubclass(owner, Row) for owner in owners)
        is_made = isinstance(node.ctx, ast.Store) and id(node) not in changed and not is_row
        if not owners or is_made or any(_may_have(owner, node.attr, expressions) for owner in owners):
            continue
        known = _names(owners[0]) | expressions.attributes_of(owners[0])
        names = sorted(name for name in known if not name.startswith("_"))
        text = f"{source_text(node.value)} has no '{node.attr}': {did_you_mean(node.attr, names)}"
        yield node, text + (f"it has {', '.join(names)}" if len(names) <= _MOST_LISTED else "").strip()


def _may_have(owner: Any, name: str, expressions: Expressions) -> bool:
    if not issubclass(owner, _JUDGED) and not is_box(owner):
        return True
    if hasattr(owner, "__getattr__") and not issubclass(owner, BaseModel):
        return True
    return name in _names(owner) or (not issubclass(owner, Row) and expressions.gives_attribute(owner, name))


@lru_cache(maxsize=1024)
def _names(owner: Any) -> frozenset[str]:
    """Return the names of a class, and all that its objects may get when they are made."""
    made = (base.__dict__["__init__"] for base in owner.__mro__ if "__init__" in base.__dict__)
    codes = (code for function in made if (code := getattr(inspect.unwrap(function), "__code__", None)) is not None)
    return frozenset((*dir(owner), *hints_of(owner), *(name for code in codes for name in code.co_names)))

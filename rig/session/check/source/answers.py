"""Calls that only return a value: draws, facts of a task or an edge, and some functions of Python."""

from __future__ import annotations

import ast

from rig.core.model.events import Edge, Touch
from rig.core.task.argument_forms import typed_members
from rig.core.task.random_streams import Stream
from rig.core.task.waiting import Waiting
from rig.session.check.source.code import Code
from rig.session.check.source.files import name_of

_PURE = {"sorted", "reversed", "len", "min", "max", "sum", "abs", "round"}


def _answering(*owners: type[object]) -> set[str]:
    """Return the methods of classes that return a number, a text, a list or one of the given values."""
    members = ((name, hint) for owner in owners for name, hint, called in typed_members(owner) if called)
    return {name for name, hint in members if not name.startswith("_") and _is_value(hint)}


def _is_value(hint: object) -> bool:
    return hint in (bool, int, float, str, float | None, int | None) or hint in _OF_STREAMS


_OF_STREAMS = [hint for name, hint, _ in typed_members(Stream) if name in ("choice", "shuffled")]
# Not `random`: a protocol may pass over a number of a stream.
_METHODS = _answering(Stream, Edge, Touch, Waiting)


def is_answer(node: ast.expr, code: Code) -> bool:
    """Whether an expression is a call that does nothing but return a value."""
    if not isinstance(node, ast.Call) or name_of(node.func) in code.own:
        return False
    return name_of(node.func) in (_METHODS if isinstance(node.func, ast.Attribute) else _PURE)

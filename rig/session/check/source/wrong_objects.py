"""Find wrong objects where a protocol waits, answers, orders, compares, asks, and returns the next state."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from rig.core.model.comparisons import HOW_TO_ASK, HOW_TO_COMPARE
from rig.core.model.events import TASK_EVENTS
from rig.core.task.argument_forms import (
    ACTION,
    ACTIONS,
    DEVICE,
    EDGE,
    LEVEL,
    NOT_TIME_FIRST,
    PATTERNS,
    Form,
    not_a_pair,
    not_timed,
    problem,
)
from rig.core.task.sequence import LoadedSequence
from rig.core.task.task import Task
from rig.core.task.waits import Wait
from rig.devices.base import Device
from rig.devices.detector import Detector
from rig.session.check.source.expressions import Expressions
from rig.session.check.source.files import Function
from rig.session.check.source.kinds import (
    Entered,
    Kind,
    Method,
    NoneType,
    StateCall,
    Thing,
    Unawaited,
    Value,
    class_of,
    classes_of,
    element_of,
    known,
)
from rig.session.check.source.lost_values import Problem, source_text

_FORMS = {
    "first": EDGE,
    "whenever": EDGE,
    "until": LEVEL,
    "holds": LEVEL,
    "do": ACTION,
    "quiet": DEVICE,
    "wait_clear": DEVICE,
}
_FORMS |= {"require_clear": DEVICE, "entries": DEVICE, "last_entry_s": DEVICE}
_SPANS = ("within", "seconds", "until_s", "since_s")


def wrong_objects(function: Function, expressions: Expressions) -> Iterator[Problem]:
    """Yield the wrong objects in the calls, comparisons and questions of a function."""

    def kind(node: ast.expr) -> Kind:
        return expressions.kind(node, function)

    for node in function.nodes:
        if isinstance(node, ast.Call):
            called = kind(node.func)
            if isinstance(called, Method) and isinstance(called.owner, type):
                yield from _of_call(called, node, function, expressions)
        elif isinstance(node, ast.Compare):
            yield from _of_comparison(node, kind)
        elif isinstance(node, ast.Await):
            yield from _of_await(node, kind(node.value))
        elif isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            yield from _of_question(node.test, kind)
        elif isinstance(node, ast.BoolOp):
            for value in node.values[:-1]:
                yield from _of_question(value, kind)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from _of_question(node.operand, kind)
        elif isinstance(node, ast.withitem):
            yield from _of_with(node, kind(node.context_expr))


# --- arguments ------------------------------------------------------------------------------------------------


def _of_call(called: Method, node: ast.Call, function: Function, expressions: Expressions) -> Iterator[Problem]:
    name = called.function.__name__
    what = source_text(node.func)
    is_task, is_sequence = (issubclass(called.owner, kind) for kind in (Task, LoadedSequence))
    if not is_task and not is_sequence:
        return
    arguments = [_argument(each, function, expressions) for each in node.args]
    if is_task and name in ("sleep", "quiet") and arguments:
        yield from _of_span(what, node.args[0], arguments[0][1])
        arguments = arguments[1:]
    for keyword in node.keywords:
        if keyword.arg in _SPANS and is_task:
            yield from _of_span(f"{what}: {keyword.arg}", keyword.value, expressions.kind(keyword.value, function))
    if is_task and name in _FORMS:
        for argument, kind in arguments:
            yield from _of_argument(what, argument, kind, _FORMS[name])
    elif is_task and name in ("react", "reflex"):
        for argument, kind in arguments:
            yield from _of_answer(what, argument, kind)
    elif name == ("sequence" if is_task else "load"):
        for argument, kind in arguments:
            yield from _of_entry(what, argument, kind)


def _argument(node: ast.expr, function: Function, expressions: Expressions) -> tuple[ast.expr, Kind]:
    """Return an argument with its kind; what a star gives is of the kind of its elements."""
    if isinstance(node, ast.Starred):
        return node.value, element_of(expressions.kind(node.value, function))
    return node, expressions.kind(node, function)


def _of_span(what: str, node: ast.expr, kind: Kind) -> Iterator[Problem]:
    classes = classes_of(kind)
    text = source_text(node)
    if classes and not any(issubclass(each, int | float | NoneType) and each is not bool for each in classes):
        if not any(hasattr(each, "__float__") for each in classes):
            yield node, f"{what}: {text} is not a number: wanted a number of seconds"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield node, f"{what}: {text} s: wanted 0 or more"


def _of_argument(what: str, node: ast.expr, kind: Kind, form: Form) -> Iterator[Problem]:
    wrong = _wrong_class(kind, form)
    if wrong is not None:
        yield node, f"{what}: {problem(wrong, source_text(node), form)}"


def _wrong_class(kind: Kind, form: Form) -> type[Any] | None:
    """Return the class of an object that cannot be right; None for one that may be."""
    classes = classes_of(kind)
    if not classes or any(_fits(each, form) for each in classes):
        return None
    return classes[0]


def _fits(kind: type[Any], form: Form) -> bool:
    if getattr(kind, "_is_protocol", False):
        return True
    if form is DEVICE:
        return issubclass(kind, Detector) or issubclass(Detector, kind)
    # A class of a user may be a base of what is right.
    return issubclass(kind, form.kinds) or any(issubclass(right, kind) for right in form.kinds if kind is not tuple)


def _of_answer(what: str, node: ast.expr, kind: Kind) -> Iterator[Problem]:
    wrong, parts = _parts(kind)
    if wrong is not None:
        yield node, f"{what}: {not_a_pair(wrong, source_text(node))}"
    elif parts:
        nodes = node.elts if isinstance(node, ast.Tuple) and len(node.elts) == 2 else [node, node]
        yield from _of_argument(what, nodes[0], parts[0], EDGE)
        yield from _of_argument(what, nodes[1], parts[1], ACTION)


def _of_entry(what: str, node: ast.expr, kind: Kind) -> Iterator[Problem]:
    wrong, parts = _parts(kind)
    if wrong is not None:
        yield node, f"{what}: {not_timed(wrong, source_text(node))}"
    elif parts:
        nodes = node.elts if isinstance(node, ast.Tuple) and len(node.elts) == 2 else [node, node]
        if any(each in ACTIONS for each in classes_of(parts[0])):
            yield node, f"{what}: {NOT_TIME_FIRST}"
            return
        yield from _of_span(what, nodes[0], parts[0])
        yield from _of_argument(what, nodes[1], parts[1], ACTION)


def _parts(kind: Kind) -> tuple[type[Any] | None, Sequence[Kind]]:
    """Return the class of what is no pair, and the kinds of the two parts of a pair; none of it when unknown."""
    if not isinstance(kind, Value | Thing | Method) or len(classes_of(kind)) != 1:
        return None, ()
    (only,) = classes_of(kind)
    if only is list:
        return (list, ()) if isinstance(kind, Value) and element_of(kind) is not None else (None, ())
    if only is not tuple:
        return only, ()
    arguments = getattr(kind.hint, "__args__", ()) if isinstance(kind, Value) else ()
    if not arguments or Ellipsis in arguments:
        return None, ()
    return (None, [known(each) for each in arguments]) if len(arguments) == 2 else (tuple, ())


# --- comparisons and questions --------------------------------------------------------------------------------


def _of_comparison(node: ast.Compare, kind: Any) -> Iterator[Problem]:
    sides = [node.left, *node.comparators]
    for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
        if isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            pairs = [(left, right)]
        elif isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set):
            pairs = [(left, each) for each in right.elts]
        else:
            continue
        for one, other in pairs:
            groups = [_group(kind(one)), _group(kind(other))]
            if "" not in groups and groups[0] != groups[1]:
                said = f"compares {groups[0]} with {groups[1]}, which are never equal"
                yield node, f"{source_text(node)} {said}: {HOW_TO_COMPARE}"


_GROUPS = {"an event": TASK_EVENTS, "a pattern": PATTERNS, "a device": (Device,), "a name": (str,)}


def _group(kind: Kind) -> str:
    """Return what a value is in a comparison; empty for what may be anything else."""
    classes = [each for each in classes_of(kind) if each is not NoneType]
    groups = {next((name for name, kinds in _GROUPS.items() if issubclass(each, kinds)), "") for each in classes}
    return groups.pop() if len(groups) == 1 else ""


def _of_question(node: ast.expr, kind: Any) -> Iterator[Problem]:
    found = kind(node)
    if isinstance(found, Method):
        text = source_text(node)
        yield node, f"{text} is not called, and is always true: write {text}(...)"
    elif classes_of(found) and all(each in PATTERNS for each in classes_of(found)):
        yield node, f"{source_text(node)} is a pattern, neither true nor false: {HOW_TO_ASK}"


# --- waits, blocks and states ---------------------------------------------------------------------------------


def _of_await(node: ast.Await, kind: Kind) -> Iterator[Problem]:
    text = source_text(node.value)
    if isinstance(kind, Method):
        yield node, f"await {text}: it is not called: write await {text}(...)"
        return
    classes = classes_of(kind)
    if len(classes) != 1 or hasattr(classes[0], "__await__") or classes[0] is Unawaited:
        return
    if classes[0] is StateCall:
        yield node, f"await {text}: a state is returned, not awaited: write return {text.removesuffix('()')}"
    elif classes[0] in ACTIONS:
        yield node, f"await {text}: an action takes no time of the task: write self.do({text})"
    elif classes[0] in PATTERNS:
        yield node, f"await {text}: a pattern is waited for with await self.first({text}), or self.until for a level"
    else:
        yield node, f"await {text}: it does not wait: leave out await"


def _of_with(node: ast.withitem, kind: Kind) -> Iterator[Problem]:
    classes = classes_of(kind)
    if len(classes) != 1 or classes[0] is Entered or hasattr(classes[0], "__enter__"):
        return
    text = source_text(node.context_expr)
    if isinstance(kind, Method):
        yield node.context_expr, f"with {text}: it is not called: write with {text}(...):"
    elif issubclass(classes[0], Device) or classes[0] in (*ACTIONS, *PATTERNS, LoadedSequence, NoneType):
        yield node.context_expr, f"with {text}: it has no block; a light has one, and self.reflex(...)"


def wrong_returns(function: Function, expressions: Expressions) -> Iterator[Problem]:
    """Yield what a state returns that is no state."""
    owner = function.owner
    states = getattr(owner, "states", {}) if owner is not None and issubclass(owner, Task) else {}
    if function.node.name not in states:
        return
    for node in function.returns:
        if not isinstance(node, ast.Return):
            continue
        value, text = node.value, "None" if node.value is None else source_text(node.value)
        kind = Value(NoneType) if value is None else expressions.kind(value, function)
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value in states:
            yield node, f"return {text}: a state returns the next state, not its name: write return self.{value.value}"
        elif class_of(getattr(kind, "hint", None)) is StateCall:
            yield node, f"return {text}: a state is returned and not called: write return {text.removesuffix('()')}"
        elif isinstance(kind, Value) and len(classes_of(kind)) == 1 and _is_no_state(classes_of(kind)[0]):
            yield node, f"return {text}: wanted the next state, such as return self.{next(iter(states))}"


def _is_no_state(kind: type[Any]) -> bool:
    plain = (str, int, float, bool, tuple, list, dict, NoneType, Device, Wait)
    return issubclass(kind, plain) or kind in (*ACTIONS, *PATTERNS)

"""Find what a protocol makes and throws away: actions, patterns, waits, rows; and sequences that it never starts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

import rig.devices
from rig.core.model.rows import Row
from rig.core.model.scene import Scene
from rig.core.task.argument_forms import ACTIONS, PATTERNS, is_kind_of
from rig.core.task.sequence import LoadedSequence
from rig.core.task.waits import Wait
from rig.session.check.source.expressions import Expressions
from rig.session.check.source.files import Function
from rig.session.check.source.kinds import Entered, Kind, Method, StateCall, Unawaited, Value, classes_of, hints_of

Problem: TypeAlias = tuple[ast.AST, str]
"""Where something is wrong, and what."""

_LONGEST = 60


def source_text(node: ast.expr) -> str:
    """Return an expression as it is written, a long one cut."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def lost_values(function: Function, expressions: Expressions) -> Iterator[Problem]:
    """Yield what is alone on a line and does nothing there, and what gets a name that is never used."""
    # What is alone in a block of `try` is there for its error: whether the hopper can be up for so long.
    tries = (node for node in function.nodes if isinstance(node, ast.Try) and node.handlers)
    tried = {id(node.body[0]) for node in tries if len(node.body) == 1}
    for node in function.nodes:
        if isinstance(node, ast.Expr) and id(node) not in tried:
            for value in _alone(node.value):
                text = _lost(value, expressions.kind(value, function), expressions)
                if text:
                    yield value, text
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if all(isinstance(target, ast.Name) and _is_unused(target.id, function) for target in targets):
                text = _unused(node.value, targets[0], expressions.kind(node.value, function))
                if text:
                    yield node, text


def _alone(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the values that a line throws away."""
    if isinstance(node, ast.IfExp):
        yield from (*_alone(node.body), *_alone(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from _alone(node.values[-1])
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for inner in node.elts:
            yield from _alone(inner)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        yield from _alone(node.elt)
    elif not isinstance(node, ast.Constant | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
        yield node


def _is_unused(name: str, function: Function) -> bool:
    return not name.startswith("_") and name not in function.loaded


def _lost(node: ast.expr, kind: Kind, expressions: Expressions) -> str:
    """Return what is wrong with a value alone on a line; empty if nothing is."""
    text = source_text(node)
    if isinstance(kind, Method) and not isinstance(node, ast.Call):
        return f"{text} is not called, so it does nothing: write {text}()"
    if classes := classes_of(kind):
        if remedy := _remedy(text, kind, classes):
            return remedy
    elif isinstance(node, ast.Call) and _is_noun(node, expressions):
        return _THROWN.format(text=text)
    if isinstance(node, ast.Compare):
        hint = f"; `=` assigns: {source_text(node.left)} = ..." if isinstance(node.ops[0], ast.Eq) else ""
        return f"{text} compares and does nothing with the answer{hint}"
    # A property of the protocol's own may do something.
    is_own = isinstance(node, ast.Attribute) and node.attr in expressions.function_names
    if isinstance(node, ast.Attribute | ast.Name | ast.Subscript | ast.BinOp | ast.Lambda) and kind and not is_own:
        return f"{text} alone on a line does nothing"
    return ""


_THROWN = (
    "{text} only makes an action, and it is thrown away: write self.do({text}), or give it to self.react, "
    "self.reflex or self.sequence"
)


def _remedy(text: str, kind: Kind, classes: Sequence[type[Any]]) -> str:
    if any(each in ACTIONS for each in classes):
        return _THROWN.format(text=text)
    (first, *others) = classes
    if others:
        return ""
    if first in PATTERNS:
        return f"{text} is a pattern, and nothing waits for it: await self.first(...), or await self.until(...)"
    if issubclass(first, StateCall):
        return f"{text} does not go to the state: write return {text.removesuffix('()')}"
    if issubclass(first, Wait | Unawaited):
        return f"{text} is not awaited, so it waits for nothing: write await {text}"
    if issubclass(first, Entered | AbstractContextManager) and text.endswith(")"):
        return f"{text} does nothing without its block: write with {text}:"
    if issubclass(first, LoadedSequence):
        return f"{text} loads a sequence that nothing can start: give it a name, and start() it"
    if issubclass(first, Row) and not _is_begun(text):
        return f"{text} makes a row that no table gets: write self.begin_trial({text}), or self.record({text})"
    if issubclass(first, Scene):
        return f"{text} makes a scene that is not shown: write box.screen.show({text})"
    if issubclass(first, BaseException):
        return f"{text} is not raised: write raise {text}"
    return ""


def _is_begun(text: str) -> bool:
    return ".begin_trial(" in text


def _unused(node: ast.expr, target: ast.expr, kind: Kind) -> str:
    """Return what is wrong with a value whose name is never used; empty if nothing is."""
    classes, text, name = classes_of(kind), source_text(node), source_text(target)
    if not isinstance(kind, Value) or not classes or isinstance(node, ast.Await):
        return ""
    if all(each in ACTIONS for each in classes):
        return f"the action {name} is never used, so it is not done: write self.do({text})"
    if issubclass(classes[0], StateCall):
        return f"{text} does not go to the state: write return {text.removesuffix('()')}"
    if issubclass(classes[0], Wait | Unawaited):
        return f"{text} is not awaited, so it waits for nothing: write {name} = await {text}"
    if issubclass(classes[0], Entered):
        return f"{name} is never used, and {text} does nothing without its block: write with {text}:"
    if issubclass(classes[0], Row) and isinstance(node, ast.Call) and not _is_begun(text):
        return f"the row {name} is never used, and no table gets it: write {name} = self.begin_trial({text})"
    return ""


def _nouns() -> frozenset[str]:
    """Return the names of the devices' methods that make an action."""
    kinds = (getattr(rig.devices, name) for name in rig.devices.__all__)
    members = (item for kind in kinds if isinstance(kind, type) for item in vars(kind).items())
    return frozenset(
        name
        for name, member in members
        if callable(member) and not isinstance(member, type) and is_kind_of(hints_of(member).get("return"), ACTIONS)
    )


_NOUNS = _nouns()


def _is_noun(node: ast.Call, expressions: Expressions) -> bool:
    """Whether a call of an unknown object's method is one that makes an action, by its name alone."""
    # An object of the protocol's own may have a method of that name, which acts.
    return isinstance(node.func, ast.Attribute) and node.func.attr in _NOUNS - expressions.function_names


def unstarted_sequences(expressions: Expressions) -> Iterator[tuple[Function, Problem]]:
    """Yield the sequences that are loaded, and that nothing in the protocol's files starts."""
    functions = [function for file in expressions.files for function in file.functions]
    uses = _attribute_uses(functions)
    by_name = any(_gets_by_name(node) for function in functions for node in function.nodes)
    for function in functions:
        for node in function.nodes:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            (target,) = node.targets
            if LoadedSequence not in classes_of(expressions.kind(node.value, function)):
                continue
            if isinstance(target, ast.Name) and _is_unused(target.id, function):
                yield function, (node, _NEVER_STARTED.format(name=target.id))
            elif isinstance(target, ast.Attribute) and not by_name and uses.get(target.attr, set()) <= _NOT_STARTING:
                yield function, (node, _NEVER_STARTED.format(name=source_text(target)))


_NOT_STARTING = {"load", "stop", "stop_action"}
_NEVER_STARTED = "the sequence {name} is loaded and never started: write {name}.start(), or use {name}.start_action"


def _gets_by_name(node: ast.AST) -> bool:
    """Whether any attribute may be read here, as in ``getattr(self, f"{side}_train")``."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return called and not isinstance(node.args[0], ast.Attribute) and not isinstance(node.args[1], ast.Constant)  # type: ignore[attr-defined]


def _attribute_uses(functions: Sequence[Function]) -> dict[str, set[str]]:
    """Return for each attribute that is read what is read of it; an empty name where it is used as a whole."""
    uses: dict[str, set[str]] = {}
    for function in functions:
        inner = {id(node.value): node.attr for node in function.nodes if isinstance(node, ast.Attribute)}
        for node in function.nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                uses.setdefault(node.attr, set()).add(inner.get(id(node), ""))
    return uses

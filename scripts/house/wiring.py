"""Objects are wired by their constructors: no callback is assigned to an attribute from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every assignment of a callback to another object, and every attribute left open to one."""
    wired = [source for source in sources if source.is_python_in("rig/", "protocols/", "sim_hardware/")]
    aliases = _aliases(wired)
    callbacks = {name for source in wired for name in _callbacks(source, aliases)}
    for source in wired:
        for target, value in _from_outside(source, callbacks):
            text = f"{ast.unparse(target)} = {ast.unparse(value)}: a callback set late: give it to the constructor"
            yield Finding(source.path, target.lineno, text)


def _is_callback(annotation: ast.expr | None, aliases: set[str]) -> bool:
    """Whether an annotation is a callable's, by itself or by a name that a module gives to one."""
    if annotation is None:
        return False
    return next((node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)), None) in aliases


def _aliases(sources: Sequence[Source]) -> set[str]:
    """Return the names of callables' types: ``Callable``, and every ``Name = Callable[...]`` of a module."""
    aliases = {"Callable"}
    for node in (node for source in sources for node in source.tree.body):
        value = getattr(node, "value", None)
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.Subscript) and _is_callback(value, {"Callable"}):
            aliases.add(target.id)
    return aliases


def _is_own(target: ast.Attribute) -> bool:
    """Whether an attribute is assigned by the object that has it."""
    return isinstance(target.value, ast.Name) and target.value.id == "self"


def _callbacks(source: Source, aliases: set[str]) -> Iterator[str]:
    """Yield the attributes of a module's classes that hold callables."""
    for kind in source.nodes(ast.ClassDef):
        nodes = list(ast.walk(kind))
        arguments = {node.arg for node in nodes if isinstance(node, ast.arg) and _is_callback(node.annotation, aliases)}
        for node in nodes:
            if isinstance(node, ast.AnnAssign) and _is_callback(node.annotation, aliases):
                yield node.target.attr if isinstance(node.target, ast.Attribute) else ast.unparse(node.target)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in arguments:
                yield from (target.attr for target in _attributes(node) if _is_own(target))


def _attributes(node: ast.Assign | ast.AnnAssign) -> Iterator[ast.Attribute]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Attribute):
            yield target


def _from_outside(source: Source, callbacks: set[str]) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    methods = {node.name for node in source.functions if not node.decorator_list and node.args.args[:1]}
    for node in source.assignments:
        if (value := node.value) is None:
            continue
        is_lambda = isinstance(value, ast.Lambda)
        is_method = isinstance(value, ast.Attribute) and value.attr in methods
        for target in _attributes(node):
            named = target.attr.startswith("on_") or target.attr in callbacks
            open_to_all = is_lambda and not target.attr.startswith("_")
            if open_to_all if _is_own(target) else (is_lambda or is_method or named):
                yield target, value

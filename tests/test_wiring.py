"""Objects are wired by their constructors: no callback is assigned to an attribute from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for folder in ("rig", "sim_hardware", "protocols") for path in (ROOT / folder).rglob("*.py"))


def is_callback(annotation: ast.expr | None, aliases: set[str]) -> bool:
    """Whether an annotation is a callable's, by itself or by a name that a module gives to one."""
    names = [] if annotation is None else [node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)]
    return bool(names) and names[0] in aliases


def aliases_of(trees: list[ast.Module]) -> set[str]:
    """The names of callables' types: ``Callable``, and every ``Name = Callable[...]`` of a module."""
    found = {"Callable"}
    for node in (node for tree in trees for node in tree.body):
        value = getattr(node, "value", None)
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.Subscript) and is_callback(value, {"Callable"}):
            found.add(target.id)
    return found


def is_own(target: ast.expr) -> bool:
    """Whether an attribute is assigned by the object that has it."""
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"


def callbacks_of(tree: ast.Module, aliases: set[str]) -> set[str]:
    """The attributes of a module's classes that hold callables."""
    found: set[str] = set()
    for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        given: set[str] = set()
        for node in ast.walk(kind):
            if isinstance(node, ast.arg) and is_callback(node.annotation, aliases):
                given.add(node.arg)
            elif isinstance(node, ast.AnnAssign) and is_callback(node.annotation, aliases):
                found.add(node.target.attr if isinstance(node.target, ast.Attribute) else ast.unparse(node.target))
        for node in ast.walk(kind):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in given:
                found |= {target.attr for target in node.targets if is_own(target)}
    return found


def assigned(tree: ast.Module) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """Every attribute that is assigned, and its value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute):
                    yield target, node.value


def is_function(value: ast.expr, methods: set[str]) -> bool:
    """Whether a value is a lambda, or a method of the module's classes."""
    return isinstance(value, ast.Lambda) or (isinstance(value, ast.Attribute) and value.attr in methods)


def wired_from_outside(tree: ast.Module, callbacks: set[str]) -> list[str]:
    """The lines at which a module assigns a callback to another object, or leaves one open to it."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    methods = {node.name for node in functions if not node.decorator_list and node.args.args[:1]}
    found = []
    for target, value in assigned(tree):
        late = is_function(value, methods) or target.attr.startswith("on_") or target.attr in callbacks
        open_to_all = isinstance(value, ast.Lambda) and not target.attr.startswith("_")
        if open_to_all if is_own(target) else late:
            found.append(f"{target.lineno}: {ast.unparse(target)} = {ast.unparse(value)}")
    return found


def test_no_callback_is_assigned_from_outside() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    aliases = aliases_of(list(trees.values()))
    callbacks = set().union(*(callbacks_of(tree, aliases) for tree in trees.values()))
    assert {"on_open", "deliver"} <= callbacks
    found = [f"{path}:{line}" for path, tree in trees.items() for line in wired_from_outside(tree, callbacks)]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "session.on_opened = begin",
        "self._cable.deliver = self.receive",
        "world.light = lambda on: None",
        "class A:\n    def hear(self): ...\n    def begin(self, inbox):\n        inbox.wake = self.hear",
        "class A:\n    def __init__(self):\n        self.done = lambda: None",
    ],
)
def test_a_callback_that_is_assigned_from_outside_is_found(code: str) -> None:
    assert wired_from_outside(ast.parse(code), {"deliver"})


@pytest.mark.parametrize("code", ["self._done = lambda: None", "self.deliver = deliver", "row.outcome = 'win'"])
def test_an_object_s_own_callbacks_and_values_are_not(code: str) -> None:
    assert not wired_from_outside(ast.parse(code), {"deliver"})

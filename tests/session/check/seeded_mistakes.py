"""Seeds a mistake into one state of a task: at its beginning, before its returns, or in place of one of them."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rig.session.spec.session_spec import SessionSpec

Seed = Callable[[ast.AsyncFunctionDef], None]


def seeded(spec: SessionSpec, state: str, seed: Seed) -> SessionSpec:
    """Return a specification whose task has a mistake in one state."""
    method = getattr(spec.task, state)
    tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    (function,) = tree.body
    assert isinstance(function, ast.AsyncFunctionDef)
    function.decorator_list = []
    seed(function)
    ast.increment_lineno(tree, method.__code__.co_firstlineno - 1)
    scope: dict[str, Any] = {}
    code = compile(ast.fix_missing_locations(tree), method.__code__.co_filename, "exec")
    exec(code, method.__globals__, scope)
    scope[state].__state__ = method.__state__
    task = type(spec.task.__name__, (spec.task,), {state: scope[state], "__module__": spec.task.__module__})
    return replace(spec, found=replace(spec.found, task=task))


def first(text: str) -> Seed:
    """Return a seed that puts a statement before all others."""

    def seed(function: ast.AsyncFunctionDef) -> None:
        function.body.insert(0, _statement(text, function))

    return seed


def last(text: str) -> Seed:
    """Return a seed that puts a statement before each return of a state, also in its branches."""

    def seed(function: ast.AsyncFunctionDef) -> None:
        for node in ast.walk(function):
            for block in (getattr(node, name, None) for name in ("body", "orelse")):
                if isinstance(block, list) and block and isinstance(block[-1], ast.Return):
                    block.insert(-1, _statement(text, block[-1]))

    return seed


def returns(text: str) -> Seed:
    """Return a seed that replaces what a state returns."""

    def seed(function: ast.AsyncFunctionDef) -> None:
        for node in ast.walk(function):
            if isinstance(node, ast.Return):
                node.value = ast.copy_location(ast.parse(text, mode="eval").body, node)

    return seed


def _statement(text: str, place: ast.AST) -> ast.stmt:
    (statement,) = ast.parse(text).body
    for node in ast.walk(statement):
        ast.copy_location(node, place)
    return statement

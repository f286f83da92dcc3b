"""Seeds a mistake into one state of a task: at its beginning, in one of its branches, or at its end."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rig.session.build.spec import SessionSpec

Seed = Callable[[ast.AsyncFunctionDef], None]


def seeded(spec: SessionSpec, state: str, seed: Seed) -> SessionSpec:
    """Return a specification whose task has a mistake in one state."""
    method = getattr(spec.task, state)
    tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    (function,) = tree.body
    assert isinstance(function, ast.AsyncFunctionDef)
    seed(function)
    function.decorator_list = []
    ast.increment_lineno(tree, method.__code__.co_firstlineno - 1)
    scope: dict[str, Any] = {}
    code = compile(ast.fix_missing_locations(tree), method.__code__.co_filename, "exec")
    exec(code, method.__globals__, scope)  # noqa: S102 - the task's own source
    scope[state].__state__ = method.__state__
    scope[state].__module__ = method.__module__
    # No subclass: `check` reads the states and the name of the class that the file defines.
    task = type(spec.task.__name__, (spec.task,), {state: scope[state], "__module__": spec.task.__module__})
    return replace(spec, found=replace(spec.found, task=task))


def bodies(function: ast.AsyncFunctionDef) -> Iterator[list[ast.stmt]]:
    """Yield the bodies of a function: its own, then those of its branches and loops."""
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and not isinstance(node, ast.Lambda):
                yield block


def insert(text: str, place: int = 0) -> Seed:
    """Return a seed that inserts a statement at the beginning of a body; 0 is the function's own."""

    def seed(function: ast.AsyncFunctionDef) -> None:
        block = list(bodies(function))[place]
        (statement,) = ast.parse(text).body
        at = 1 if place == 0 and ast.get_docstring(function) else 0
        ast.copy_location(statement, block[min(at, len(block) - 1)])
        block.insert(at, statement)

    return seed

"""Find assignments that would replace what every task has, such as ``self.row = ...``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rig.core.task.task import OVERRIDABLE, SET_AT_CONSTRUCTION, Task
from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile
from rig.session.check.source.lost_values import Problem

# A task may assign `carried_over`: `carry_over` returns it.
_OF_EVERY_TASK = (set(dir(Task)) | SET_AT_CONSTRUCTION) - OVERRIDABLE - {"carried_over"}


def hidden_names(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    """Yield the assignments to names of the base class in the task's own classes.

    Python accepts them: the task would then count its trials wrongly, or fail at a later wait.
    """
    classes = {base.__name__ for base in code.task.__mro__ if not issubclass(Task, base)}
    for file in code.files:
        owners = (node for node in file.nodes if isinstance(node, ast.ClassDef) and node.name in classes)
        for node in (inner for owner in owners for inner in _code_of_task(owner)):
            name = _assigned(node)
            if name in _OF_EVERY_TASK:
                yield file, (node, f"self.{name} = ... replaces what every task has: choose another name")


def _code_of_task(node: ast.AST, *, in_method: bool = False) -> Iterator[ast.AST]:
    """Yield the nodes in which ``self`` is the task: without classes, and without functions in a method with a self."""
    for inner in ast.iter_child_nodes(node):
        binds_self = _binds_self(inner)
        if not isinstance(inner, ast.ClassDef) and not (in_method and binds_self):
            yield inner
            yield from _code_of_task(inner, in_method=in_method or binds_self)


def _binds_self(node: ast.AST) -> bool:
    match node:
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments) | ast.Lambda(args=arguments):
            return any(argument.arg == "self" for argument in (*arguments.posonlyargs, *arguments.args))
    return False


def _assigned(node: ast.AST) -> str:
    """Return the name of an attribute of ``self`` that is assigned here; empty for all else."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            return name
    return ""

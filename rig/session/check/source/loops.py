"""Find loops that end in their first pass, and loop variables that are used after their loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rig.session.check.source.code import Code
from rig.session.check.source.files import Function, SourceFile, source_text
from rig.session.check.source.lost_values import Problem

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_INNER = (Function, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def doubtful_loops(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield the loops that return in their first pass, and the uses of their variables after them."""
    if not isinstance(node, ast.For | ast.AsyncFor) or not file.functions_around(node):
        return
    inner = [child for statement in node.body for child in ast.walk(statement)]
    ends = [statement for statement in node.body if isinstance(statement, ast.Return)]
    # A body that only returns is a way to ask for the first of several.
    if ends and len(node.body) > 1 and not any(isinstance(child, ast.Continue) for child in inner):
        what = source_text(node.iter)
        yield ends[0], f"the loop over {what} returns in its first pass: move this line behind the loop, or under an if"
    if not any(isinstance(child, ast.Break) for child in inner):
        names = {child.id for child in ast.walk(node.target) if isinstance(child, ast.Name)}
        for name in sorted(names):
            if (use := _use_after(node, name, file)) is not None:
                text = f"after its loop, {name} is the last of {source_text(node.iter)}"
                yield use, f"{text}: use it in the loop, or leave the loop with break where it is right"


def _use_after(loop: ast.AST, name: str, file: SourceFile) -> ast.Name | None:
    """Return where a name is used after a loop, unless it is something else by then."""
    names = [node for statement in _following(loop, file) for node in _names(statement, name)]
    first = min(names, key=lambda node: (node.lineno, node.col_offset), default=None)
    return first if first is not None and isinstance(first.ctx, ast.Load) else None


def _following(node: ast.AST, file: SourceFile) -> Iterator[ast.stmt]:
    """Yield the statements of the same function that follow one, in its block and in those around it."""
    for outer in file.around(node):
        for block in (getattr(outer, field, None) for field in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and node in block:
                for statement in block[block.index(node) + 1 :]:
                    yield statement
                    if isinstance(statement, _LEAVING):
                        return
        if isinstance(outer, Function):
            return
        node = outer


def _names(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Yield where a name stands, but not where an inner function or comprehension has its own of this name."""
    if isinstance(node, _INNER) and any(_binds(inner, name) for inner in ast.walk(node)):
        return
    if isinstance(node, ast.Name) and node.id == name:
        yield node
    for inner in ast.iter_child_nodes(node):
        yield from _names(inner, name)


def _binds(node: ast.AST, name: str) -> bool:
    is_stored = isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    return is_stored or (isinstance(node, ast.arg) and node.arg == name)

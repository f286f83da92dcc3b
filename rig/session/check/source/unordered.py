"""Find draws from sets: the order of a set of texts differs from process to process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile, name_of, source_text
from rig.session.check.source.lost_values import Problem

_SETS = ("set", "frozenset")
_SET_METHODS = ("difference", "union", "intersection", "symmetric_difference")
_KEEPING = ("list", "tuple", "iter", "enumerate", "reversed")
"""Functions that keep the order, or the want of one."""
_DRAWS = ("choice", "shuffled")
_OPERATIONS = (ast.Sub, ast.BitOr, ast.BitAnd, ast.BitXor)


def unordered_draws(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield the draws from a set, or from a list that was made of one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DRAWS:
        for options in node.args:
            if _is_unordered(options, file, depth=0):
                text = f"{source_text(options)} has the order of a set, which differs from process to process"
                yield node, f"{text}, so the same seed draws otherwise: write {source_text(node.func)}(sorted(...))"


def _is_unordered(node: ast.expr, file: SourceFile, depth: int) -> bool:
    """Whether an expression is a set, or has the order of one; names are looked up to a depth."""
    if isinstance(node, ast.Call):
        is_keeping = name_of(node.func) in _KEEPING and bool(node.args)
        return (is_keeping and _is_unordered(node.args[0], file, depth)) or _is_set(node, file, depth)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _is_unordered(node.generators[0].iter, file, depth)
    return _is_set(node, file, depth)


def _is_set(node: ast.expr, file: SourceFile, depth: int) -> bool:
    if isinstance(node, ast.Call):
        return name_of(node.func) in (*_SETS, *_SET_METHODS)
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATIONS):
        sides = (node.left, node.right)
        return any(_is_set(side, file, depth) or _is_keys(side) for side in sides)
    if name_of(node) and depth < 2:
        return any(_is_unordered(value, file, depth + 1) for value in _values(node, file))
    return isinstance(node, ast.Set | ast.SetComp)


def _is_keys(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) == "keys"


def _values(node: ast.expr, file: SourceFile) -> Iterator[ast.expr]:
    """Yield what a name is assigned in its function, or an attribute anywhere in its file."""
    around = file.functions_around(node)
    scope = ast.walk(around[-1]) if isinstance(node, ast.Name) and around else iter(file.nodes)
    text = ast.unparse(node)
    for statement in scope:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", statement)]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value and text in map(ast.unparse, targets):
            yield statement.value

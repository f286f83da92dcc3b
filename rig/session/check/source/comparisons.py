"""Find comparisons whose answer is not what is asked: is it one object, is a sum of fractions equal."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile, name_of, names_in, source_text
from rig.session.check.source.lost_values import Problem
from rig.session.check.source.wrong_units import parameter_of

_TEXTS = ("source", "name", "channel")
_VALUES = {"float", "int", "str", "RewardVolume", "Pellets"}
"""Types of parameters of which equal ones may be different objects."""


def identities(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield where ``is`` stands between two texts or numbers; of one that is written there, ruff tells it."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return
    sides = (node.left, node.comparators[0])
    kinds = [_value_kind(side, code) for side in sides]
    if any(kinds) and not any(isinstance(side, ast.Constant) for side in sides):
        sign = "==" if isinstance(node.ops[0], ast.Is) else "!="
        text = f"{source_text(node)} asks whether two {next(filter(None, kinds))} are the same object"
        yield (
            node,
            f"{text}, which differs by computer: write {source_text(sides[0])} {sign} {source_text(sides[1])}",
        )


def _value_kind(node: ast.expr, code: Code) -> str:
    """Return ``texts`` or ``values`` for what is compared by its value; empty for all else."""
    if isinstance(node, ast.Attribute) and node.attr in _TEXTS:
        return "texts"
    name = parameter_of(node, code)
    return "values" if name and names_in(code.params[name][1].annotation) & _VALUES else ""


def equal_sums(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield where a number to which fractions are added is compared with ``==`` or ``!=``."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return
    # Two stamps of one edge are equal, and 0 is set and not reached by sums.
    sides = (node.left, node.comparators[0])
    is_zero = any(isinstance(side, ast.Constant) and not side.value for side in sides)
    sums = [source_text(side) for side in sides if name_of(side) in code.sums_of_fractions]
    if sums and not is_zero:
        text = f"{source_text(node)}: {sums[0]} is a sum of fractions, which is seldom exactly equal to a number"
        yield node, f"{text}: write >= or <="

"""Find names of devices that no rig has, where a protocol compares them with the source of an edge."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from rig.config.errors.formatting import did_you_mean
from rig.core.model.events import Edge
from rig.session.check.source.expressions import Expressions
from rig.session.check.source.files import Function
from rig.session.check.source.kinds import classes_of
from rig.session.check.source.lost_values import Problem, source_text


def unknown_sources(function: Function, expressions: Expressions, names: Collection[str]) -> Iterator[Problem]:
    """Yield the comparisons of an edge's ``source`` with a name that is none of ``names``."""
    for node in function.nodes:
        for left, right in _compared(node):
            word = _word(right)
            if word is None or word in names or not _is_source(left, function, expressions):
                continue
            hint = did_you_mean(word, names)
            text = f"{source_text(left)} is never '{word}': no device has this name; {hint}there are: "
            yield right, text + ", ".join(sorted(names))


def _compared(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Match):
        patterns = [inner for case in node.cases for inner in ast.walk(case.pattern)]
        yield from ((node.subject, inner.value) for inner in patterns if isinstance(inner, ast.MatchValue))
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        (right,) = node.comparators
        if isinstance(node.ops[0], ast.Eq | ast.NotEq):
            yield from ((node.left, right), (right, node.left))
        elif isinstance(right, ast.Tuple | ast.List | ast.Set):
            yield from ((node.left, each) for each in right.elts)


def _word(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_source(node: ast.expr, function: Function, expressions: Expressions) -> bool:
    if not isinstance(node, ast.Attribute) or node.attr != "source":
        return False
    # An edge whose type is unknown, such as a parameter without one, counts too.
    classes = classes_of(expressions.kind(node.value, function))
    return not classes or Edge in classes

"""A function is short enough to be read at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source

MAX_LINES = 40
"""Lines of code: a docstring, a comment that says why, and an empty line cost nothing."""
FOLDERS = ("rig/", "sim_hardware/", "protocols/", "scripts/", "benchmarks/")


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every function that is too long."""
    for source in sources:
        if not source.is_python_in(*FOLDERS):
            continue
        code = _code_lines(source)
        for node in source.functions:
            count = len(code.intersection(range(node.lineno, (node.end_lineno or node.lineno) + 1)))
            if count > MAX_LINES:
                right = f"split it into functions of at most {MAX_LINES}"
                yield Finding(source.path, node.lineno, f"{node.name} has {count} lines of code: {right}")


def _code_lines(source: Source) -> set[int]:
    """Return the numbers of the lines that are neither empty, nor a comment, nor part of a docstring."""
    lines = (line.strip() for line in source.text.splitlines())
    code = {number for number, line in enumerate(lines, 1) if line and not line.startswith("#")}
    for statement in source.nodes(ast.Expr):
        if isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str):
            code -= set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return code

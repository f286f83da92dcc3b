"""Find keys that a protocol reads from its former session, and that no session writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rig.config.errors.closest_names import did_you_mean
from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile, name_of
from rig.session.check.source.lost_values import Problem

_BY_NAME = (ast.DictComp, ast.Yield)


def unwritten_keys(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    """Yield the keys of ``carried_over`` that are read, and that no dict of the protocol has."""
    writers = [node for node in code.functions if node.name == "carry_over"]
    written = {key for node in code.nodes for key in _written(node)}
    if not writers or any(isinstance(inner, _BY_NAME) for node in writers for inner in ast.walk(node)):
        return
    own = {key for writer in writers for node in ast.walk(writer) for key in _written(node)}
    for file in code.files:
        for node in file.nodes:
            key = _read(node)
            if key and key not in written:
                text = f"carried_over never has '{key}': carry_over does not write it; {did_you_mean(key, own)}"
                yield file, (node, text.rstrip("; "))


def _read(node: ast.AST) -> str:
    """Return the key that is read from ``carried_over`` here; empty if none is."""
    key: ast.AST | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and name_of(node.value) == "carried_over":
        key = node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        is_get = node.func.attr in ("get", "pop") and name_of(node.func.value) == "carried_over"
        key = node.args[0] if is_get else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""


def _written(node: ast.AST) -> Iterator[str]:
    """Yield the keys that a dict gets here, of whichever dict."""
    keys: list[ast.expr | None] = []
    if isinstance(node, ast.Dict):
        keys = node.keys
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        keys = [node.slice]
    elif isinstance(node, ast.Call):
        name = name_of(node.func)
        yield from (keyword.arg for keyword in node.keywords if keyword.arg and name in ("dict", "update"))
        keys = [*node.args[:1]] if name == "setdefault" else []
    yield from (key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))

"""Find sleeps of real time in the source of a protocol, since no dry run reaches every line."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from rig.config import config_issue
from rig.config.errors.errors import ConfigIssue, SourceLocation
from rig.config.errors.formatting import display_path

_MODULES = ("time", "asyncio")


def real_sleeps(files: Iterable[Path]) -> Iterator[ConfigIssue]:
    """Yield a mistake for each call of ``time.sleep`` or ``asyncio.sleep``, under any name of an import."""
    for file in files:
        tree = ast.parse(file.read_bytes())
        names = _names(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (called := names.get(ast.unparse(node.func))) is not None:
                text = f"{called} takes real time, in which the task hears nothing: await self.sleep(seconds)"
                yield config_issue(SourceLocation(display_path(file), node.lineno), (), text)


def _names(tree: ast.Module) -> dict[str, str]:
    """Return the names under which a file calls the sleep functions, mapped to their full names."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in _MODULES:
                    names[f"{alias.asname or alias.name}.sleep"] = f"{alias.name}.sleep"
        elif isinstance(node, ast.ImportFrom) and node.module in _MODULES:
            for alias in node.names:
                if alias.name == "sleep":
                    names[alias.asname or alias.name] = f"{node.module}.sleep"
    return names

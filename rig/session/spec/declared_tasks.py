"""List the tasks that a Python file defines, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.core.task.task import Task
from rig.system.plugins import syntax_error_text


def declared_tasks(file: Path) -> list[tuple[str, str]]:
    """Return the subclasses of Task in a file, each with its docstring. Raises ``ConfigError``."""
    try:
        # Bytes, so that Python itself reads the file's declaration of its encoding.
        return list(_tasks(ast.parse(file.read_bytes())))
    except SyntaxError as error:
        raise ConfigError(syntax_error_text(display_path(file), error)) from None
    except (OSError, ValueError, RecursionError, MemoryError) as error:  # such as a null byte, or endless brackets
        raise ConfigError(f"{display_path(file)}: cannot be read as Python: {error}") from None


def _tasks(module: ast.Module) -> Iterator[tuple[str, str]]:
    known = {Task.__name__}
    for node in module.body:
        if isinstance(node, ast.ClassDef) and any(_name(base) in known for base in node.bases):
            known.add(node.name)
            yield node.name, ast.get_docstring(node) or ""


def _name(base: ast.expr) -> str:
    """Return the last name of what a class is made from: ``rig.Task[Params, Box, Row]`` is Task."""
    if isinstance(base, ast.Subscript):
        return _name(base.value)
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""

"""The files of a protocol as syntax trees, and the names that they define."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_LONGEST = 60


@dataclass(eq=False)
class SourceFile:
    """A file of a protocol and its tree."""

    path: Path
    tree: ast.Module

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Return all nodes of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Return the node that each node stands in."""
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what a node stands in, from within."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def functions_around(self, node: ast.AST) -> list[Function]:
        """Return the functions that a node stands in, from within."""
        return [outer for outer in self.around(node) if isinstance(outer, Function)]

    @cached_property
    def imports(self) -> dict[str, str]:
        """Return the full names of what the file imports, by the names that it uses."""
        names: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                names |= {(alias.asname or alias.name): alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {(alias.asname or alias.name): f"{node.module}.{alias.name}" for alias in node.names}
        return names

    def full_name(self, node: ast.expr) -> str:
        """Return the full name of an imported object, such as ``numpy.random.rand``; empty for all others."""
        text = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Name) else ""
        text = text if text.replace(".", "").isidentifier() else ""
        root = max((name for name in self.imports if f"{text}.".startswith(f"{name}.")), key=len, default="")
        return self.imports[root] + text.removeprefix(root) if root else ""


def read_files(paths: Iterable[Path]) -> list[SourceFile]:
    """Return the files with their trees."""
    return [SourceFile(path, ast.parse(path.read_bytes())) for path in paths]


def source_text(node: ast.expr) -> str:
    """Return an expression as it is written, a long one cut."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def name_of(node: ast.AST) -> str:
    """Return the last name of an attribute, or a name; empty for what is neither."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def names_in(node: ast.AST) -> set[str]:
    """Return all names and attributes in an expression."""
    return {name_of(inner) for inner in ast.walk(node)}

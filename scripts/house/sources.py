"""Files of the repository, read once for all rules."""

from __future__ import annotations

import ast
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

Node = TypeVar("Node", bound=ast.AST)


class Finding(NamedTuple):
    """A place that breaks a rule: file, line, and what is wrong and would be right."""

    path: str
    line: int
    text: str


@dataclass(frozen=True)
class Source:
    """A file: its path from the root of the repository, and its text."""

    path: str
    text: str

    def is_python_in(self, *folders: str) -> bool:
        """Whether this is Python below one of some folders."""
        return self.path.endswith(".py") and self.path.startswith(folders)

    def line_at(self, offset: int) -> int:
        """Return the number of the line at an offset of the text."""
        return self.text.count("\n", 0, offset) + 1

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree."""
        return ast.parse(self.text, self.path)

    @cached_property
    def _nodes(self) -> dict[type[ast.AST], list[ast.AST]]:
        nodes: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in ast.walk(self.tree):
            nodes[type(node)].append(node)
        return nodes

    def nodes(self, kind: type[Node]) -> Sequence[Node]:
        """Return all nodes of a kind: the tree is walked once for all rules."""
        return self._nodes.get(kind, [])  # type: ignore[return-value]  # they are of this kind

    @property
    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Yield all functions."""
        yield from self.nodes(ast.FunctionDef)
        yield from self.nodes(ast.AsyncFunctionDef)

    @property
    def assignments(self) -> Iterator[ast.Assign | ast.AnnAssign]:
        """Yield all assignments."""
        yield from self.nodes(ast.Assign)
        yield from self.nodes(ast.AnnAssign)


def read_sources(root: Path) -> Iterator[Source]:
    """Read every text file that git has or would add."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    for path in sorted(filter(None, set(listed.split("\0")))):
        try:
            yield Source(path, (root / path).read_text(encoding="utf-8"))
        except (UnicodeDecodeError, FileNotFoundError):  # a picture, a damaged sample, a file that was removed
            continue


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` for a chain of names, else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (start := dotted(node.value)):
        return f"{start}.{node.attr}"
    return ""

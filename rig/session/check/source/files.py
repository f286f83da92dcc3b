"""The files of a protocol as syntax trees: their functions, the names bound in each, and the attributes of objects."""

from __future__ import annotations

import ast
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

AnyFunction: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Binding:
    """One place that gives a name its value: an expression, of which it is the whole, an element or a part."""

    value: ast.expr | None
    """None: it is bound to what the source does not say."""
    how: str = "whole"
    """``whole``, ``element`` of an iterable, or ``whole part 2``, ``element part 2`` of a tuple."""
    annotation: ast.expr | None = None
    """The type that the source gives it."""


@dataclass(eq=False)
class Function:
    """One function or method of a file, with the class that it belongs to."""

    file: SourceFile
    node: AnyFunction
    owner: type[Any] | None

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return all nodes of the function, those within it included."""
        return tuple(ast.walk(self.node))

    @cached_property
    def bindings(self) -> Mapping[str, list[Binding]]:
        """Return where each local name gets its values; parameters are not here."""
        found: dict[str, list[Binding]] = defaultdict(list)
        for node in self.nodes:
            for name, binding in _bindings(node) if node is not self.node else ():
                found[name].append(binding)
        return found

    @cached_property
    def parameters(self) -> dict[str, ast.arg]:
        """Return the parameters by name, of this function and of those within it."""
        arguments = [node for node in self.nodes if isinstance(node, ast.arguments)]
        return {name.arg: name for each in arguments for name in _parameters(each)}

    @cached_property
    def self_name(self) -> str:
        """Return the name of the first parameter of a method, usually ``self``; empty for other functions."""
        static = any(isinstance(mark, ast.Name) and mark.id in _NO_SELF for mark in self.node.decorator_list)
        first = [*self.node.args.posonlyargs, *self.node.args.args][:1]
        return first[0].arg if first and self.owner is not None and not static else ""

    @cached_property
    def loaded(self) -> frozenset[str]:
        """Return the local names that are used, and those that belong to another function."""
        names = (node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        outer = (name for node in self.nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names)
        return frozenset((*names, *outer))

    @cached_property
    def returns(self) -> list[ast.Return | ast.Yield | ast.YieldFrom]:
        """Return where the function itself returns; not where a function within it does."""
        found, waiting = [], list[ast.AST](self.node.body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
                found.append(node)
            elif not isinstance(node, AnyFunction | ast.Lambda | ast.ClassDef):
                waiting += ast.iter_child_nodes(node)
        return found


_NO_SELF = ("staticmethod", "classmethod")


@dataclass(eq=False)
class SourceFile:
    """A file of a protocol, its module, and its functions."""

    path: Path
    tree: ast.Module
    names: Mapping[str, Any] = field(repr=False)
    """The names of the module, as it was loaded."""

    @cached_property
    def functions(self) -> list[Function]:
        """Return the functions of the module and the methods of its classes."""
        found = []
        for node in self.tree.body:
            if isinstance(node, AnyFunction):
                found.append(Function(self, node, None))
            elif isinstance(node, ast.ClassDef):
                owner = self.names.get(node.name)
                methods = (each for each in node.body if isinstance(each, AnyFunction))
                found += [Function(self, each, owner if isinstance(owner, type) else None) for each in methods]
        return found


def read_files(files: Iterable[Path]) -> list[SourceFile]:
    """Return the files that are loaded as modules, with their trees."""
    wanted = {os.path.realpath(file): file for file in files}
    # By their names first: to look up the real paths of all modules takes longer than the checks.
    names = {os.path.basename(path) for path in wanted}
    modules = {
        os.path.realpath(path): module
        for module in tuple(sys.modules.values())
        if (path := _file_of(module)) and os.path.basename(path) in names
    }
    return [
        SourceFile(file, ast.parse(file.read_bytes()), vars(modules[real]))
        for real, file in wanted.items()
        if real in modules
    ]


def _file_of(module: ModuleType) -> str | None:
    # Not by getattr: some modules import others when they are asked for a name.
    path = getattr(module, "__dict__", {}).get("__file__")
    return path if isinstance(path, str) and path.endswith(".py") else None


def attribute_bindings(files: Iterable[SourceFile]) -> Mapping[tuple[type[Any], str], list[tuple[Function, Binding]]]:
    """Return where the methods of each class give their objects attributes."""
    found: dict[tuple[type[Any], str], list[tuple[Function, Binding]]] = defaultdict(list)
    for function in (function for file in files for function in file.functions):
        if function.owner is None or not function.self_name:
            continue
        for node in function.nodes:
            for target, binding in _targets(node):
                if isinstance(target, ast.Attribute) and _is_name(target.value, function.self_name):
                    found[function.owner, target.attr].append((function, binding))
    return found


def attributes_from_outside(files: Iterable[SourceFile]) -> frozenset[str]:
    """Return the names of attributes that some code gives to objects other than its own."""
    functions = [function for file in files for function in file.functions]
    return frozenset(
        target.attr
        for function in functions
        for node in function.nodes
        for target, _ in _targets(node)
        if isinstance(target, ast.Attribute) and not _is_name(target.value, function.self_name)
    )


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name != ""


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (more for more in (arguments.vararg, arguments.kwarg) if more is not None)


def _bindings(node: ast.AST) -> Iterator[tuple[str, Binding]]:
    for target, binding in _targets(node):
        if isinstance(target, ast.Name):
            yield target.id, binding
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name, Binding(None)
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name.partition(".")[0], Binding(None)) for alias in node.names)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, Binding(None)


def _targets(node: ast.AST) -> Iterator[tuple[ast.expr, Binding]]:
    """Yield what a statement or a comprehension gives values, with these values."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, Binding(node.value))
    elif isinstance(node, ast.AnnAssign):
        yield node.target, Binding(node.value, annotation=node.annotation)
    elif isinstance(node, ast.NamedExpr):
        yield node.target, Binding(node.value)
    elif isinstance(node, ast.AugAssign):
        yield node.target, Binding(None)
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield from _unpacked(node.target, Binding(node.iter, "element"))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from _unpacked(node.optional_vars, Binding(None))


def _unpacked(target: ast.expr, binding: Binding) -> Iterator[tuple[ast.expr, Binding]]:
    if isinstance(target, ast.Starred):
        yield from _unpacked(target.value, Binding(None))
    elif not isinstance(target, ast.Tuple | ast.List):
        yield target, binding
    else:
        values = binding.value
        pairs = isinstance(values, ast.Tuple | ast.List) and len(values.elts) == len(target.elts)
        for number, inner in enumerate(target.elts):
            if binding.how == "whole" and pairs:
                yield from _unpacked(inner, Binding(values.elts[number]))  # type: ignore[union-attr]
            else:
                part = f"{binding.how} part {number}" if " " not in binding.how else ""
                yield from _unpacked(inner, Binding(binding.value if part else None, part or "whole"))

"""Find names that lead nowhere: parameters and devices that no line uses, sources that no rig has, idle sequences."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from rig.config.errors.closest_names import did_you_mean
from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile, name_of, source_text
from rig.session.check.source.lost_values import Problem
from rig.session.check.source.vocabulary import members

_NOT_STARTING = {"load", "stop", "stop_action"}


def unused_names(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    """Yield the parameters and the devices that the protocol's files declare and never name again."""
    if code.reads_by_name:
        return
    for name, (file, field) in code.params.items():
        if name not in code.used_names:
            yield file, (field, f"no line uses the parameter {name}, so a change of it has no effect")
    for name, (file, field) in code.box.items():
        # An input that no line names is still recorded.
        acts = any(kind in ("action", "verb") for _, kind in members(code.devices[name][0]))
        if acts and name not in code.used_names:
            yield file, (field, f"no line uses the device box.{name}: use it, or leave it out of the box")


def idle_sequences(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    """Yield the sequences that are loaded and that nothing in the protocol's files starts."""
    if code.reads_by_name:
        return
    for file in code.files:
        for node in file.nodes:
            if not isinstance(node, ast.Assign) or code.kind_of(node.value) != "sequence":
                continue
            (target, *_) = node.targets
            around = file.functions_around(node)
            places = [file] if isinstance(target, ast.Name) else code.files
            uses = {
                getattr(place.parents[use], "attr", "")
                for place in places
                for use in place.nodes
                if isinstance(getattr(use, "ctx", None), ast.Load) and name_of(use) == name_of(target) != ""
                if type(use) is type(target)
                if isinstance(use, ast.Attribute) or around[-1:] == place.functions_around(use)[-1:]
            }
            if uses <= _NOT_STARTING and isinstance(target, ast.Name | ast.Attribute):
                name = source_text(target)
                remedy = f"write {name}.start(), or use {name}.start_action"
                yield file, (node, f"the sequence {name} is loaded and never started: {remedy}")


def unknown_sources(node: ast.AST, names: Collection[str]) -> Iterator[Problem]:
    """Yield the comparisons of an edge's ``source`` with a name that is none of ``names``."""
    for left, right in _compared(node):
        word = right.value if isinstance(right, ast.Constant) and isinstance(right.value, str) else None
        if word is not None and word not in names and isinstance(left, ast.Attribute) and left.attr == "source":
            text = f"{source_text(left)} is never '{word}': no device has this name; {did_you_mean(word, names)}"
            yield right, f"{text}there are: {', '.join(sorted(names))}"


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

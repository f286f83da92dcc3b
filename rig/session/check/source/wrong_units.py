"""Find names that end in another unit than is wanted, lengths for session times, and names without unit."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile, name_of, source_text
from rig.session.check.source.lost_values import Problem
from rig.session.check.source.units_of_names import difference, unit_in, unit_of

_SESSION_TIMES = ("until_s", "since_s", "at_s")
_POINTS = {"at", "until", "since", "start", "end", "from", "first", "last", "t"}
"""Words of a parameter that is a session time and not a length."""
_NUMBERS = {"float", "int", "RewardVolume"}


def wrong_units(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield where a name says another unit than the place where it is given or compared."""
    for wanted, value in _given(node, code):
        if text := difference(source_text(value), unit_in(value), wanted):
            yield value, text
    if isinstance(node, ast.Compare | ast.BinOp):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.left, node.right]
        if isinstance(node, ast.Compare) or isinstance(node.op, ast.Add | ast.Sub):
            for left, right in itertools.pairwise(sides):
                units = unit_in(left), unit_in(right)
                # A sum of rewards of different kinds is a way to ask whether there was any.
                if "pellets" not in units and (text := difference(source_text(right), units[1], units[0])):
                    yield node, text


def unclear_times(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield parameters that are lengths where a session time is wanted."""
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        name = parameter_of(keyword.value, code)
        if keyword.arg in _SESSION_TIMES and name and not _POINTS & set(name.split("_")):
            text = source_text(keyword.value)
            remedy = f"within={text}" if keyword.arg == "until_s" else f"{keyword.arg}=self.now_s + {text}"
            yield (
                keyword.value,
                f"{keyword.arg} is a session time, counted from the session's start, and {text} looks like a length: "
                f"write {remedy}, or name the parameter {name.removesuffix('_s')}_at_s",
            )


def names_without_unit(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    """Yield the parameters that are given where a unit is wanted, and whose names say none."""
    wanted_units: dict[str, tuple[str, str]] = {}
    for node in code.nodes:
        for wanted, value in _given(node, code):
            name = parameter_of(value, code)
            if wanted not in ("", "pellets") and name and not unit_of(name, alone=True):
                wanted_units.setdefault(name, (wanted, source_text(value)))
    for name, (wanted, text) in wanted_units.items():
        file, field = code.params[name]
        annotation = set(ast.unparse(field.annotation).replace("[", " ").replace(",", " ").split())
        if annotation & _NUMBERS:
            yield (
                file,
                (field, f"{text} is given in {wanted}, and its name has no unit: name it {name}_{wanted.lower()}"),
            )


def _given(node: ast.AST, code: Code) -> Iterator[tuple[str, ast.expr]]:
    """Yield the values that are given, each with the unit that its place wants."""
    if isinstance(node, ast.Call):
        name = name_of(node.func)
        is_known = isinstance(node.func, ast.Name) or code.kind_of(node)
        yield from zip(code.vocabulary.units.get(name, ()) if is_known else (), node.args, strict=False)
        yield from ((unit_of(keyword.arg or "", alone=True), keyword.value) for keyword in node.keywords)
        if name in ("sequence", "load"):
            entries = [inner for argument in node.args for inner in ast.walk(argument) if isinstance(inner, ast.Tuple)]
            yield from (("s", entry.elts[0]) for entry in entries if len(entry.elts) == 2)
    elif isinstance(node, ast.Assign):
        yield from ((unit_of(name_of(target)), node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.AugAssign) and node.value is not None:
        is_sum = isinstance(getattr(node, "op", ast.Add()), ast.Add | ast.Sub)
        yield unit_of(name_of(node.target)) if is_sum else "", node.value


def parameter_of(node: ast.expr, code: Code) -> str:
    """Return the name of a parameter that is asked of the parameters here, such as ``p.hold_s``; empty for all else."""
    if not isinstance(node, ast.Attribute) or name_of(node.value) not in ("params", "p"):
        return ""
    return node.attr if node.attr in code.params else ""

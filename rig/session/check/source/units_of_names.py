"""The units of expressions by the ends of their names: ``p.delay_ms`` is in milliseconds."""

from __future__ import annotations

import ast

from rig.core.model.unit_names import unit_of_name
from rig.session.check.source.files import name_of

_SIZES = {"us": ("s", 1.0), "ms": ("s", 1e3), "s": ("s", 1e6), "Hz": ("Hz", 1.0), "kHz": ("Hz", 1e3)}
_SIZES |= {"ul": ("ul", 1.0), "ml": ("ul", 1e3), "mm": ("cm", 1.0), "cm": ("cm", 10.0), "pellets": ("pellets", 1.0)}
"""The units that are compared: of the others, names such as ``x_min`` may mean something else."""
_ALONE = {"seconds": "s", "within": "s", "us": "us", "ms": "ms", "hz": "Hz", "ul": "ul", "count": "pellets"}
_PASSING = ("max", "min", "abs", "round", "float", "int")


def unit_of(name: str, alone: bool = False) -> str:
    """Return the unit of a name, empty without one; with ``alone`` also for the name of an argument, such as ``us``."""
    words = name.lower().split("_")
    if len(words) == 1:
        return _ALONE.get(name, "") if alone else ""
    unit = "pellets" if words[-1] == "pellets" else unit_of_name(name.lower())
    return unit if unit in _SIZES and "by" not in words else ""


def unit_in(node: ast.expr) -> str:
    """Return the unit of an expression by its names; empty if they say none."""
    if isinstance(node, ast.Attribute | ast.Name):
        return unit_of(name_of(node))
    if isinstance(node, ast.Subscript | ast.Starred | ast.NamedExpr):
        return unit_in(node.value)
    if isinstance(node, ast.UnaryOp):
        return unit_in(node.operand)
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        parts = [node.left, node.right]
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.BoolOp):
        parts = node.values
    elif isinstance(node, ast.Call) and name_of(node.func) not in _PASSING:
        return unit_of(name_of(node.func))
    elif isinstance(node, ast.Call):
        parts = node.args
    units = {unit_in(part) for part in parts} - {""}
    return units.pop() if len(units) == 1 else ""


def difference(text: str, unit: str, wanted: str) -> str:
    """Return what is wrong with a value of a unit where another is wanted; empty if nothing is."""
    if not unit or not wanted or unit == wanted:
        return ""
    (kind, size), (wanted_kind, wanted_size) = _SIZES[unit], _SIZES[wanted]
    if kind != wanted_kind:
        return f"{text} is in {unit}, wanted {wanted}"
    factor = f"* {size / wanted_size:.0f}" if size > wanted_size else f"/ {wanted_size / size:.0f}"
    return f"{text} is in {unit}, wanted {wanted}: write {text} {factor}"

"""Write the page of a journal's lines from their definitions.

`python -m scripts.pages journal_lines` writes it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields as fields_of

from rig.core.journal import header
from rig.core.journal.kinds import SessionLine, SubjectLine
from rig.core.model import actions
from rig.core.model.board import KeptOpening
from rig.core.model.line import MAX_INT, Line, kind_of
from rig.core.model.shares import Share

PAGE = Path(__file__).parents[1] / "docs/reference/journal-lines.md"
BEGIN = """# The lines of a journal

<!-- Written by scripts/journal_lines.py from rig/core/journal/kinds.py and the classes that it names. -->

Each line of `journal.jsonl` is a JSON object: `seq`, then `k` (the kind), `t` and the fields of its kind, and `crc`
last. [The journal](journal.md) says what the lines mean together. A line has no other fields than these. One that has
its default, which is usually empty, is left out.

`t` is the time in integer microseconds on the board's clock, not corrected for drift; 0 is the moment at which the
board opened the session.
"""
PARTS: tuple[type[object], ...] = (
    header.RecordedRig,
    header.RecordedChannel,
    header.RecordedKind,
    header.RecordedStage,
    header.RecordedColumn,
    header.DailyLimitOverride,
    header.RecordedExpectations,
    Share,
    KeptOpening,
)


def pages() -> Mapping[Path, str]:
    """Return the page."""
    lines = [BEGIN, "## A session", *_sections(SessionLine)]
    lines += ["## The events of a subject", _EVENTS, *_sections(SubjectLine)]
    lines += ["## Orders", _ORDERS, *(_order(kind) for kind in get_args(actions.JournaledOrder))]
    lines += ["## Parts of lines", *map(_part, PARTS)]
    return {PAGE: "\n\n".join(line.strip("\n") for line in lines) + "\n"}


_EVENTS = """A line of a subject's [`events.jsonl`](subject-events.md) has `seq` among its fields. Its `t` is the time
of day at which it happened, in microseconds since 1970."""
_ORDERS = """`orders` of a `command` is a list of these objects. `do` names the order."""


def _sections(union: object) -> Iterator[str]:
    for kind in get_args(union):
        yield f"### `{kind_of(kind)}`"
        source = f" Reported by the {kind.src}." if issubclass(kind, Line) else ""
        yield _text(kind) + source
        if table := _table(kind, leave_out=("t_us",)):
            yield table


def _order(kind: type[Struct]) -> str:
    return f"### `{kind.__struct_config__.tag}`\n\n{_text(kind)}\n\n{_table(kind)}"


def _part(kind: type[object]) -> str:
    return f"### {_anchor_name(kind)}\n\n{_text(kind)}\n\n{_table(kind)}"


def _anchor_name(kind: type[object]) -> str:
    return re.sub(r"(?<!^)([A-Z])", lambda found: f" {found[1].lower()}", kind.__name__)


def _text(kind: type[object]) -> str:
    """Return what a class says of itself, as Markdown, on one line for each paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in _markdown(cleandoc(kind.__doc__ or "")).split("\n\n"))


def _markdown(text: str) -> str:
    return text.replace("``", "`")


def _table(kind: type[object], leave_out: tuple[str, ...] = ()) -> str:
    hints = get_type_hints(kind, include_extras=True)
    cells = [
        (f"`{name}`", _type(hints[attribute]), _markdown(_doc(kind, attribute)))
        for attribute, name in _names(kind)
        if attribute not in leave_out
    ]
    width = 3 if any(meaning for *_, meaning in cells) else 2
    rows = [("field", "holds", "meaning"), ("---",) * 3, *cells]
    return "\n".join(f"| {' | '.join(row[:width])} |" for row in rows) if cells else ""


def _names(kind: type[Any]) -> list[tuple[str, str]]:
    """Return the fields of a class, and their names in JSON."""
    if issubclass(kind, Struct):
        return [(field.name, field.encode_name) for field in fields_of(kind)]
    return [(name, name) for name in kind.__dataclass_fields__]


@cache
def _docs(kind: type[object]) -> Mapping[str, str]:
    """Return the text under each field of a class."""
    (tree,) = ast.parse(cleandoc("\n" + inspect.getsource(kind))).body
    docs: dict[str, str] = {}
    name = ""
    for node in tree.body if isinstance(tree, ast.ClassDef) else ():
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docs[name] = " ".join(node.value.value.split())
    return docs


def _doc(kind: type[object], attribute: str) -> str:
    ours = (_docs(base) for base in kind.__mro__ if base.__module__.startswith("rig."))
    return next((docs[attribute] for docs in ours if attribute in docs), "")


def _type(hint: object) -> str:
    """Return what a field holds, in words."""
    if get_origin(hint) is Annotated:
        return _bounded(*get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        members = [member for member in get_args(hint) if member is not NoneType]
        if actions.Set in members:
            return "an [order](#orders)"
        words = dict.fromkeys(map(_type, members))
        return " or ".join(word for word in words if word.replace("whole ", "") not in words or "whole" not in word)
    if get_origin(hint) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(hint))
    return _collection(hint) if get_origin(hint) else _plain(hint)


def _bounded(kind: object, meta: object) -> str:
    low = getattr(meta, "ge", None)
    if not isinstance(meta, Meta) or kind is str or low == -MAX_INT:
        return _type(kind)
    if meta.gt == 0 or low == 1:
        return f"{_type(kind)} above 0"
    if (low, meta.le) == (0, 1):
        return "0 or 1"
    return f"{_type(kind)}, not below 0" if low == 0 else _type(kind)


def _collection(hint: object) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is dict:
        return "an object" if inner[1] is Any else f"names, each with {_type(inner[1])}"
    if origin is tuple and inner[-1] is not ...:
        return f"[{', '.join(map(_type, inner))}]"
    return f"a list: {_type(inner[0])}"


_WORDS: Mapping[object, str] = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _plain(kind: object) -> str:
    if kind in _WORDS:
        return _WORDS[kind]
    if kind in PARTS:
        name = _anchor_name(kind)
        return f"[{name}](#{name.lower().replace(' ', '-')})"
    values = getattr(kind, "__members__", None)
    return " or ".join(f"`{value}`" for value in values.values()) if values else "an object"

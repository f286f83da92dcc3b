"""The base of all lines of a journal, and the types of their fields.

A line is a `msgspec.Struct`: one definition writes it, reads it, and is what the program works with.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

MAX_INT = 1 << 63
LONGEST_US = 366 * 86_400_000_000
"""The longest session: a year."""

Whole: TypeAlias = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT - 1)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_INT - 1)]
Number: TypeAlias = Whole | float
AmountNumber: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)] | Annotated[float, Meta(ge=0, le=1e12)]
Sum: TypeAlias = Count | Annotated[float, Meta(ge=0, le=float(MAX_INT))]
"""The sum of many lines, each with an amount of at most 1e12."""
Level: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
SessionTime: TypeAlias = Annotated[int, Meta(ge=-LONGEST_US, le=LONGEST_US)]

Source: TypeAlias = Literal["board", "host", "touch", "camera", "operator"]


# Kinds that hold only texts and numbers say ``gc=False``: the garbage collector then passes over them, and a session
# has thousands. One that holds a list or an object must not.
class Line(Struct, frozen=True, tag_field="k", forbid_unknown_fields=True, omit_defaults=True, rename={"t_us": "t"}):
    """A line of a journal; its class is its kind. ``t_us`` are microseconds of the session."""

    src: ClassVar[Source] = "host"
    """Who reports it."""
    t_us: SessionTime
    """The time on the board's clock, not corrected for drift; 0 is the moment at which the board opened the session."""


def kind_of(line: Line | type[Line]) -> str:
    """Return the word of a line's kind."""
    return str(line.__struct_config__.tag)

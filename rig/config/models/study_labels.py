"""Names of a study's arms, subjects and analyses, and places of numbers."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from rig.system.file_names import name_problem

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def _label(text: str) -> str:
    # Arms and subjects are folders, and values of a column in the tables.
    if not _LABEL.fullmatch(text):
        raise ValueError("a name is up to 40 letters, digits, _ and -, a letter or digit first, such as 80-20")
    if problem := name_problem(text):
        raise ValueError(problem)
    return text


def _no_number(text: str) -> str:
    # The type of such a column is not written anywhere: readers infer it from the names.
    if text.isdecimal():
        raise ValueError(f"readers of the tables take digits alone for a number: add a letter, such as m{text:.8}")
    return text


def _text_of(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": f"^{pattern}$"})


Label = Annotated[str, AfterValidator(_label), _text_of(_LABEL.pattern)]
ColumnLabel = Annotated[
    str, AfterValidator(_label), AfterValidator(_no_number), _text_of(rf"(?![0-9]+$){_LABEL.pattern}")
]
Place = Annotated[str, Field(min_length=1, pattern=r"^[^/]+(/[^/]+)*$")]

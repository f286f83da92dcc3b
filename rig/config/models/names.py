"""Names and dates as files write them."""

from __future__ import annotations

import datetime
import re
from typing import Annotated

from pydantic import (
    AfterValidator,
    BeforeValidator,
    WithJsonSchema,
)

from rig.config.errors.formatting import value_text
from rig.system.file_names import name_problem

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("a name is small letters, digits and _, a letter first, such as left_port")
    if problem := name_problem(text):
        raise ValueError(problem)
    return text


def _iso_date(value: object) -> object:
    """Check that a value is a date, and not a number, which pydantic would take for seconds since 1970."""
    if isinstance(value, datetime.date) or (isinstance(value, str) and _DATE.fullmatch(value)):
        return value
    raise ValueError(f"must be a date, YYYY-MM-DD, got {value_text(value)}")


# pydantic cannot see into a validator, so its schema is written by hand.
_NAME_SCHEMA = {"type": "string", "pattern": f"^{_NAME.pattern}$"}
_DATE_SCHEMA = {"type": "string", "format": "date", "pattern": f"^{_DATE.pattern}$"}
Name = Annotated[str, AfterValidator(_name), WithJsonSchema(_NAME_SCHEMA)]
IsoDate = Annotated[datetime.date, BeforeValidator(_iso_date), WithJsonSchema(_DATE_SCHEMA)]

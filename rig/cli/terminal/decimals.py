"""Parse a number as people type it, with a decimal point or a decimal comma."""

from __future__ import annotations

import re

_THOUSANDS = re.compile(r"[0-9]{1,3},[0-9]{3}")


def parse_decimal(text: str) -> float:
    """Parse a number. Raises ``ValueError`` for one that can be read in two ways, such as ``1,200``."""
    if _THOUSANDS.fullmatch(text):
        whole, _, rest = text.partition(",")
        raise ValueError(f"can be read as {whole}{rest} or as {whole}.{rest}: wanted it without a comma")
    return float(text.replace(",", "."))

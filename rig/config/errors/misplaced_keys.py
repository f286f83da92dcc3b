"""Keys that are unknown where they stand, and known further out: they are indented too far."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from rig.config.errors.accepted_values import accepted_keys
from rig.config.errors.formatting import key_text


def misplaced(model: type[BaseModel], named: Sequence[str | int], loc: Sequence[str | int], value: object) -> str:
    """Return where an unknown key belongs, if it is an entry like the one that it stands in, or a section further out.

    ``named`` is pydantic's location of the key, ``loc`` the place in the document. Empty if it belongs nowhere.
    """
    *around, key = loc
    siblings = set(accepted_keys(model, named[:-1]))
    if around and isinstance(value, dict) and value and siblings.issuperset(value):
        return f"is an entry like {around[-1]}, and stands inside it: indent it as {around[-1]}"
    for length in range(len(around) - 1, -1, -1):
        if key in accepted_keys(model, named[:length]):
            home = f"`{key_text(around[:length])}`" if length else "the top of the file"
            return f"belongs to {home}: indent it less"
    return ""

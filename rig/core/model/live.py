"""The mark of a parameter that may change while a session runs."""

from __future__ import annotations

from pydantic import BaseModel


class Live:
    """A mark on a parameter's type: an operator may change it during a session, from the next trial on.

    ``iti_s: Annotated[float, Live] = 1.0``
    """


def live_names(params: type[BaseModel]) -> list[str]:
    """Return the parameters that may change during a session, in their order."""
    return [name for name, field in params.model_fields.items() if Live in field.metadata]

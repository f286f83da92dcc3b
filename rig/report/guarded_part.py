"""Parts of a page that a strange record may not break: such a part says so, and the others are made."""

from __future__ import annotations

from collections.abc import Callable

from rig.report.html import Html, element, notice

STRANGE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What a line raises that is checked, but holds what a protocol's own notes, orders and columns should not hold."""


def attempt(what: str, make: Callable[[], Html | None]) -> Html | None:
    """Return a part of a page, or a remark that it cannot be made of these records."""
    try:
        return make()
    except STRANGE as error:
        problem = f"{what} cannot be made of these records: {type(error).__name__}: {error}"
        return notice("suspicious", element("p", problem))

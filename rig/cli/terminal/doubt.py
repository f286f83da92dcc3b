"""Ask a person about an entry that does not suit the animal, before it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rig.cli.terminal import prompt
from rig.core.errors import ConfigError

Value = TypeVar("Value")


def settle_doubt(
    value: Value, doubt: Callable[[Value], str], parse: Callable[[str], Value], what: str, *, yes: bool
) -> Value:
    """Return the value if it suits, or if a person types the same one again; another one is checked in its place.

    ``doubt`` returns the question about a value, ``what`` names what is typed, such as "amount"; ``yes`` is ``--yes``.
    Raises ``ConfigError`` if it is left, or if there is no terminal.
    """
    while not yes and (question := doubt(value)):
        if not prompt.is_interactive():
            raise ConfigError(f"{question} Nothing was recorded: add --yes if it is right")
        answer = prompt.ask_now(f"{question} Type the {what} again, or Enter to leave it: ")
        if not answer:
            raise ConfigError("Left: nothing was recorded.")
        again = parse(answer)
        if again == value:
            return value
        value = again
    return value

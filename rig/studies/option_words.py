"""Values of YAML as the words of a command line: ``skip_first: 10`` means ``--skip-first 10``."""

from __future__ import annotations

from rig.analysis.common.plugin import Option
from rig.config.errors.formatting import value_text

# Above it a float is no exact whole number.
_EXACT = 1e15


def word_of(value: object) -> str:
    """Return the word that means a value. Raises ``ValueError`` for one that is no single word."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if isinstance(value, str | int | float):
        return str(value)
    raise ValueError(f"must be a word, a number, or true or false, got {value_text(value)}")


def option_value(option: Option, value: object) -> object:
    """Return the value of an option of an analysis; a list is its words with commas.

    Raises ``ValueError`` that says what is accepted.
    """
    if option.parse is None:
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, got {value_text(value)}")
        return option.value(value)
    if isinstance(value, bool):
        raise ValueError(f"must be a value ({option.metavar}), got {word_of(value)}")
    word = ",".join(map(word_of, value)) if isinstance(value, list) else word_of(value)
    try:
        return option.parse(word)
    except ValueError as error:
        raise ValueError(f"wanted {error}, got {value_text(value)}") from None

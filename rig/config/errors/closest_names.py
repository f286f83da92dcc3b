"""The name that was probably meant by one that is not accepted, and the names that are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rig.core.close_words import closest_word

_MAX_LISTED = 12
"""More words than this are not listed when one of them was probably meant."""


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """Return ``did you mean 'x'? `` for the closest option, or nothing when none is close."""
    close = closest_word(word, options)
    return "" if close is None else f"did you mean '{close}'? "


def unknown_name(what: str, word: str, options: Sequence[str]) -> str:
    """Return a message that a word is not accepted, which one was probably meant, and which are accepted."""
    guess = did_you_mean(word, options)
    if guess and len(options) > _MAX_LISTED:
        return f"{what}; {guess.strip()}"
    return f"{what}; {guess}accepted: {', '.join(options) or 'none'}"

"""Find the word that was probably meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

CLOSE = 0.7
"""How similar a suggestion is, from 0 to 1: a wrong letter in a word of four leaves 0.75; 'lever', 'valve' have 0.6."""
SWAPPED = 0.6
"""The same for a word with the same letters in another order: two swapped letters in a word of three leave 0.67."""

_LONGEST = 100


def closest_word(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is closest to another one; None where none is close."""
    # Cut: difflib takes quadratic time, and a file may hold a word of any length.
    word = word[:_LONGEST]
    close = get_close_matches(word, list(known), cutoff=SWAPPED)
    return next((other for other in close if _is_close(word, other)), None)


def _is_close(word: str, other: str) -> bool:
    # This order, as in `get_close_matches`: the ratio depends on it.
    return sorted(word) == sorted(other) or SequenceMatcher(None, other, word).ratio() >= CLOSE

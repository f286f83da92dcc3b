"""Find the word that was probably meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

CLOSE = 0.7
"""How similar a suggestion is, from 0 to 1: a wrong letter in a word of four leaves 0.75; 'lever', 'valve' have 0.6."""
SHORT = 0.6
"""The same for a word in which one letter is another one, or the letters are swapped: in three letters this leaves
0.67."""

_LONG_START = 4
"""So many letters at the start of a word are the word: 'pigeon' of 'pigeon_bandit'."""
_LONGEST = 100


def closest_word(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is closest to another one; None where none is close."""
    # Cut: difflib takes quadratic time, and a file may hold a word of any length.
    word = word[:_LONGEST]
    close = get_close_matches(word, list(known), cutoff=SHORT)
    return next((other for other in close if _is_close(word, other)), None)


def _is_close(word: str, other: str) -> bool:
    if sorted(word) == sorted(other) or (len(word) >= _LONG_START and other.startswith(word)):
        return True
    if len(word) == len(other) and sum(a != b for a, b in zip(word, other, strict=True)) == 1:
        return True
    # This order, as in `get_close_matches`: the ratio depends on it.
    return SequenceMatcher(None, other, word).ratio() >= CLOSE

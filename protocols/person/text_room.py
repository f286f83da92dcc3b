"""Check that the texts that a participant reads fit where they are shown.

The check is approximate, because the window's font is not known here.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable

from rig import Button, ConfigError, Scene, Text, Tile

LETTER, WIDE_LETTER, LINE = 0.52, 1.0, 1.17
"""Width of a letter and of a wide (Chinese) one, and height of a line, in letter heights of DejaVu Sans."""


def check_room(scenes: Iterable[tuple[str, Scene]]) -> None:
    """Check the texts of scenes, each with the text's key. Raises ``ConfigError`` with all that do not fit."""
    mistakes = [
        f"params.texts.{key}: has no room where it is shown: {said}"
        for key, scene in scenes
        for item in scene.items
        if isinstance(item, Text | Button | Tile) and (said := _too_long(item))
    ]
    if mistakes:
        raise ConfigError(*dict.fromkeys(mistakes))


def _too_long(item: Text | Button | Tile) -> str:
    """Return how a text exceeds its item; empty if it fits."""
    lines, widest_cm = 0, 0.0
    for paragraph in item.text.split("\n"):
        at_cm, lines = 0.0, lines + 1
        for word in paragraph.split():
            word_cm = _width_cm(word, item.text_cm)
            if _breaks_anywhere(word):
                at_cm += word_cm
                lines, at_cm = lines + int(at_cm // item.width_cm), math.fmod(at_cm, item.width_cm)
                continue
            widest_cm = max(widest_cm, word_cm)
            if at_cm and at_cm + word_cm > item.width_cm:
                lines, at_cm = lines + 1, 0.0
            at_cm += word_cm + LETTER * item.text_cm
    room = math.floor(item.height_cm / (LINE * item.text_cm))
    if widest_cm > item.width_cm:
        return f"a word of about {widest_cm:.1f} cm, where there are {item.width_cm:.1f} cm: make it shorter"
    if lines > room:
        return f"about {lines} lines, where there is room for {room}: make it shorter"
    return ""


def _width_cm(word: str, text_cm: float) -> float:
    return text_cm * sum(WIDE_LETTER if _is_wide(letter) else LETTER for letter in word)


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def _breaks_anywhere(word: str) -> bool:
    """Whether a line may break within a word, as between Chinese letters."""
    return any(map(_is_wide, word))

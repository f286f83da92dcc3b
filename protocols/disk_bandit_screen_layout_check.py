"""Check that all texts that a participant reads fit where they are shown."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator

from protocols.disk_bandit_human_params import HumanParams
from protocols.disk_bandit_instruction_pages import STOP, InstructionPages
from rig import Button, ConfigError, Scene, Text, Tile

LETTER, WIDE_LETTER, LINE = 0.52, 1.0, 1.17
"""Width of a letter and of a wide (Chinese) one, and height of a line, in letter heights of DejaVu Sans."""
MANY_POINTS = 9_999


def check_screen_layout(params: HumanParams, width_cm: float, height_cm: float) -> None:
    """Check the texts of all languages. Raises ``ConfigError`` with all texts that do not fit.

    The check is approximate, because the window's font is not known here.
    """
    mistakes = [
        f"params.texts.{language}.{name}: has no room where it is shown: {said}"
        for language in params.texts
        for name, scene in _scenes(params.model_copy(update={"language": language}), width_cm, height_cm)
        for item in scene.items
        if isinstance(item, Text | Button | Tile) and (said := _too_long(item))
    ]
    if mistakes:
        raise ConfigError(*dict.fromkeys(mistakes))


def _scenes(params: HumanParams, width_cm: float, height_cm: float) -> Iterator[tuple[str, Scene]]:
    """Yield each text's name and scene; pages first without buttons, so that errors name the right text."""
    pages, words = InstructionPages(params, width_cm, height_cm), params.words
    numbered = {"instructions": words.instructions, "questions": words.questions}
    lists = {f"{name}[{place}]": text for name, texts in numbered.items() for place, text in enumerate(texts)}
    read = {
        "consent": words.consent,
        "between": params.between(params.sessions, MANY_POINTS),
        "stop_question": words.stop_question,
        "debriefing": params.debriefing(MANY_POINTS),
        **{name: text for name, text in lists.items() if name.startswith("instructions")},
    }
    yield from ((name, pages.page(text)) for name, text in read.items())
    yield from ((name, _without_words(pages.question(lists[name], ""))) for name in lists if name not in read)
    for name in ("agree", "decline", "next_page", "next_session", "go_on", "stop", "finish"):
        yield name, pages.page("", (name, getattr(words, name)))
    counters = (0,) * params.sessions
    yield "stop", _only(pages.disks(counters, 1, lit=False), STOP)
    yield "box", _without_words(pages.disks(counters, 1, lit=True))
    yield "sample", _without_words(pages.disks(counters, 0, lit=False, hint=words.sample))


def _only(scene: Scene, name: str) -> Scene:
    return Scene(items=tuple(item for item in scene.items if item.name == name))


def _without_words(scene: Scene) -> Scene:
    """Return a scene without its buttons, whose texts are checked separately."""
    return Scene(items=tuple(item for item in scene.items if not isinstance(item, Button)))


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

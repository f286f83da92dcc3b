"""The texts of a search where they are shown, to check that they have room."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from protocols.searching.pages import SearchPages
from protocols.searching.params import SearchParams
from rig import Button, Scene, Text

MANY, LONG = 100, "88888"
PAGES = ("consent", "wrong", "ready", "ready_safe", "stop_question", "debriefing")
BUTTONS = ("agree", "decline", "next_page", "again", "begin", "go_on", "stop", "finish")
UNDER_TILES = ("example", "feedback", "lost", "guess")
FILLED = {
    "number": MANY,
    "count": MANY,
    "round": MANY,
    "clicks": MANY,
    "grids": MANY,
    "points": LONG,
    "bonus": "88.88",
    "total": "88.88",
}


def scenes_with_texts(
    params: SearchParams, build: Callable[[SearchParams], SearchPages]
) -> Iterator[tuple[str, Scene]]:
    """Yield the key of each text of each language, and a scene with it; ``build`` returns the pages of a language."""
    for language in params.texts:
        chosen = params.model_copy(update={"language": language})
        for key, scene in _scenes(chosen, build(chosen)):
            yield f"{language}.{key}", scene


def _scenes(params: SearchParams, pages: SearchPages) -> Iterator[tuple[str, Scene]]:
    words = params.words
    payment = params.filled(words.payment, amount="888.88")
    score = params.score_text(float(LONG), float(LONG))
    for key in PAGES:
        if text := getattr(words, key, ""):
            yield key, pages.page(params.filled(text, **{**FILLED, "payment": payment}))
    for place, text in enumerate(words.instructions):
        yield f"instructions[{place}]", pages.page(params.filled(text))
    for key in BUTTONS:
        yield key, pages.page("", (key, getattr(words, key)))
    yield "stop", pages.scene(pages.stop())
    for place, question in enumerate(words.questions):
        asked = pages.question(params.filled(question.question), [*map(params.filled, question.answers)])
        yield f"questions[{place}]", _without_stop(asked)
    for key in UNDER_TILES:
        if text := getattr(words, key, ""):
            said = params.filled(text, **{**FILLED, "points": score})
            yield key, pages.scene(*(item for item in pages.message(said) if isinstance(item, Text)))
    for key, text in pages.state_texts(score, MANY, MANY).items():
        yield key, pages.scene(*pages.in_line({key: text}))
    if getattr(words, "threshold", ""):
        yield "threshold", pages.scene(*pages.line_of(float(LONG)))


def _without_stop(scene: Scene) -> Scene:
    """Return a scene without the button in the corner, whose text is checked separately."""
    return Scene(items=tuple(item for item in scene.items if not (isinstance(item, Button) and item.name == "stop")))

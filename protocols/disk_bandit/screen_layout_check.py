"""Check that all texts that a participant reads fit where they are shown."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.disk_bandit.human_params import HumanParams
from protocols.disk_bandit.instruction_pages import InstructionPages
from protocols.person.pages import STOP
from protocols.person.text_room import check_room
from rig import Button, Scene

MANY_POINTS = 9_999


def check_screen_layout(params: HumanParams, width_cm: float, height_cm: float) -> None:
    """Check the texts of all languages. Raises ``ConfigError`` with all texts that do not fit."""
    check_room(
        (f"{language}.{name}", scene)
        for language in params.texts
        for name, scene in _scenes(params.model_copy(update={"language": language}), width_cm, height_cm)
    )


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

"""How a participant goes through pages: reads them, answers the questions, and goes on."""

from __future__ import annotations

from protocols.searching.subjects.seen import buttons_in, words_in
from rig.core.model.scene import Button, Item, Scene
from sim_hardware.models.base import lognormal
from sim_hardware.world.body import Body

GLANCE_S = 0.05
"""Period at which a participant looks whether the screen has changed."""
POINT_S = 0.15
"""Time from the arrival of the pointer to the click; a guess."""
PATIENCE_S = 1.0
"""Time after which a click that has changed nothing is made again."""
ANSWER = "answer"
"""Begins the names of the buttons of a question."""


async def press(body: Body, item: Item) -> bool:
    """Press an item near its middle; return whether the screen has changed soon after.

    Where the screen reports what the pointer is over, the pointer is there a little before the click.
    """
    spread_cm = 0.6 * size_cm(item)
    x_cm, y_cm = (at + spread_cm * (body.random.random() - 0.5) for at in (item.x_cm, item.y_cm))
    if body.scene.hover:
        body.hover(x_cm, y_cm)
        await body.wait(POINT_S)
    before = body.scene
    body.peck(x_cm, y_cm)
    return await sees_change(body, before)


async def sees_change(body: Body, before: Scene) -> bool:
    """Wait until the screen shows another scene, but not for long; return whether it does."""
    waited_s = 0.0
    while body.scene is before or body.scene == before:
        if waited_s >= PATIENCE_S:
            return False
        await body.wait(GLANCE_S)
        waited_s += GLANCE_S
    return True


def size_cm(item: Item) -> float:
    """Return the smaller side of an item, or its diameter."""
    sides = [getattr(item, name) for name in ("width_cm", "height_cm", "diameter_cm") if hasattr(item, name)]
    return float(min(sides, default=0.0))


class PageReader:
    """Reads pages and answers the questions about them.

    The right answer, which a person finds in the text, is in the protocol's note ``question`` (``right``, the name of
    its button). All questions are answered right with the probability ``p_pass``, otherwise the first one is not.
    """

    def __init__(self, words_per_s: float, p_pass: float) -> None:
        self._words_per_s = words_per_s
        self._p_pass = p_pass
        self._in_quiz = False

    async def read(self, body: Body) -> None:
        """Read the page on the screen and press one of its buttons."""
        page, buttons = body.scene, buttons_in(body.scene)
        await body.wait(words_in(page) / self._words_per_s + lognormal(body.random, 0.8, 0.3))
        answers = [button for button in buttons if button.name.startswith(ANSWER)]
        chosen = self._answer(body, answers) if answers else buttons[0]
        self._in_quiz = bool(answers)
        while body.scene == page:  # a click may have come too early
            await press(body, chosen)

    def _answer(self, body: Body, answers: list[Button]) -> Button:
        """Return the button of an answer."""
        right = str(body.task_notes.get("question", {}).get("right", ""))
        knows = self._in_quiz or body.random.random() < self._p_pass
        wanted = [button for button in answers if (button.name == right) == knows] or answers
        return wanted[int(body.random.random() * len(wanted))]

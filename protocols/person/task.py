"""What all tasks with people do: show a page until a button is pressed, ask for consent, and let a person stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from protocols.person.pages import STOP, TWICE_S, PersonPages
from protocols.person.params import PersonParams, PersonTexts
from rig import Next, Row, Scene, Task, Touchscreen


class HasScreen(Protocol):
    """A box with a screen."""

    screen: Touchscreen


P = TypeVar("P", bound=PersonParams)
B = TypeVar("B", bound=HasScreen)
R = TypeVar("R", bound=Row)


class PersonTask(Task[P, B, R]):
    """The base of tasks with people: a subclass has the states, and sets ``pages``."""

    # Clicks come from the screen: no reflex of the board can answer them.
    needs_board_timing = False
    pages: PersonPages
    agreed = False
    """Whether the participant has consented."""
    told = False
    """Whether the debriefing has been shown."""
    after_leave: Next

    @property
    def said(self) -> PersonTexts:
        """Return the texts in the language that was chosen."""
        return self.params.texts[self.params.language]

    def filled(self, text: str) -> str:
        """Return a text as it is shown; a task may fill in what is the same in the whole session."""
        return text

    def on_or_stop(self, on: str) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the two buttons of most pages."""
        return ("next", on), (STOP, self.said.stop)

    async def press(self, text: str, *buttons: tuple[str, str]) -> str:
        """Show a page and wait for a button."""
        return await self.press_on(self.pages.page(text, *buttons))

    async def press_on(self, scene: Scene, accepts: Callable[[str], object] = bool) -> str:
        """Show a scene and wait for an item with an accepted name; clicks meant for the page before do not count."""
        self.box.screen.show(scene)
        shown_s = self.now_s
        while True:
            click = await self.first(self.box.screen.pecked)
            if click.on and accepts(click.on) and click.after_s(shown_s) >= TWICE_S:
                return click.on

    async def consents(self) -> bool:
        """Wait for consent, and return whether it is given; without it the session ends."""
        pressed = await self.press(
            self.filled(self.said.consent), ("agree", self.said.agree), (STOP, self.said.decline)
        )
        self.note(what="consent", given=pressed == "agree")
        self.agreed = pressed == "agree"
        if not self.agreed:
            self.end("participant_left")
        return self.agreed

    def leave_from(self, here: Next, leave: Next) -> Next:
        """Record the state to return to, and go to the question about stopping."""
        self.after_leave = here
        return leave

    async def confirms_stop(self, **where: int) -> bool:
        """Return whether the participant confirms to stop; the session then ends, and a note says where it was."""
        pressed = await self.press(
            self.filled(self.said.stop_question), ("back", self.said.go_on), (STOP, self.said.stop)
        )
        if pressed == STOP:
            self.note(what="stopped_by_participant", **where)
            self.end("participant_left")
        return pressed == STOP

    async def tells(self, debriefing: str) -> None:
        """Show the debriefing; also after an early end."""
        self.told = True
        await self.press(debriefing, ("finish", self.said.finish))
        if self.ending is None:
            self.end("task_finished")

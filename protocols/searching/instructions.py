"""What comes before the rounds: consent, instructions, examples, and questions about the instructions.

A wrong answer leads back to the instructions, as in the released task of Wu et al. (2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from protocols.person.pages import STOP
from protocols.person.task import PersonTask
from protocols.person.text_room import check_room
from protocols.searching.pages import SearchPages
from protocols.searching.params import SearchParams
from protocols.searching.plan import SessionPlan
from protocols.searching.room import scenes_with_texts
from protocols.searching.rows import QuizAnswer, SearchClick
from rig import Next, Scene, Touchscreen, state

ALL = ("consent", "read", "example", "quiz", "again", "ready", "choose", "feedback", "guess", "debrief")
"""Where a participant may have been interrupted."""


@dataclass
class SearchBox:
    """A screen to click on."""

    screen: Touchscreen


P = TypeVar("P", bound=SearchParams)


class InstructedTask(PersonTask[P, SearchBox, SearchClick]):
    """The first half of both tasks; the second has the states ``ready``, ``leave`` and ``debrief``."""

    box_type = SearchBox
    row_type = SearchClick
    pages: SearchPages
    ready: Next
    leave: Next
    debrief: Next

    def prepare(self) -> None:
        """Read the plan and build the pages."""
        self.words = self.params.words
        self.plan = SessionPlan.of(self.drawn, self.params.grid.count)
        width_cm, height_cm = self.box.screen.width_cm, self.box.screen.height_cm
        self.pages = self.build_pages(self.params, width_cm, height_cm)
        check_room(scenes_with_texts(self.params, lambda params: self.build_pages(params, width_cm, height_cm)))
        self.page = self.examples_seen = self.asked = 0
        self.attempt, self.wrong = 1, False
        self.after_leave = self.consent

    @state(to=ALL, can_end=True)
    async def consent(self) -> Next:
        """Wait for consent; a participant who was interrupted continues where the session stopped."""
        if self.agreed or self.told:
            return self.here
        return self.read if await self.consents() else self.debrief

    @state(to=("read", "example", "quiz", "ready", "leave"), can_end=True)
    async def read(self) -> Next:
        """Show the instructions, page by page."""
        text = self.filled(self.words.instructions[self.page])
        if await self.press(text, *self.on_or_stop(self.words.next_page)) == STOP:
            return self.leave_from(self.read, self.leave)
        self.page += 1
        return self.here

    @state(to=("example", "quiz", "ready", "leave"), can_end=True, when=lambda params: params.examples)
    async def example(self) -> Next:
        """Show a fully revealed example, without noise."""
        plan = self.plan.examples[self.examples_seen]
        values = self.plan.environments[plan.environment]
        shown = {tile: (self.params.example(value, plan.scale),) for tile, value in enumerate(values)}
        number, count = self.examples_seen + 1, len(self.plan.examples)
        text = self.params.filled(self.words.example, number=number, count=count)
        if await self.go_on_from(self.pages.example(shown, text, plan.threshold)) == STOP:
            return self.leave_from(self.example, self.leave)
        self.examples_seen += 1
        return self.here

    @state(to=("quiz", "again", "ready", "leave"), can_end=True)
    async def quiz(self) -> Next:
        """Show a question about the instructions; after the last one, wrong answers lead back to them."""
        question, asked_s = self.words.questions[self.asked], self.now_s
        right = question.right_one(self.params.goal)
        # What a person knows who has read the instructions; a virtual participant cannot read.
        self.note(what="question", number=self.asked + 1, right=f"answer{right}")
        asked, answers = self.filled(question.question), [*map(self.filled, question.answers)]
        pressed = await self.press_on(self.pages.question(asked, answers))
        if pressed == STOP:
            return self.leave_from(self.quiz, self.leave)
        answer = int(pressed.removeprefix("answer"))
        self.asked, self.wrong = self.asked + 1, self.wrong or answer != right
        self.record(QuizAnswer(self.attempt, self.asked, answer, int(answer == right), asked_s, self.now_s))
        return self.here

    @state(to=("read", "leave"), can_end=True)
    async def again(self) -> Next:
        """Show that an answer was wrong, and start with the instructions again."""
        if await self.press(self.filled(self.words.wrong), *self.on_or_stop(self.words.again)) == STOP:
            return self.leave_from(self.again, self.leave)
        self.page = self.examples_seen = self.asked = 0
        self.attempt, self.wrong = self.attempt + 1, False
        return self.read

    def build_pages(self, params: SearchParams, width_cm: float, height_cm: float) -> SearchPages:
        """Return the pages for a screen of this size."""
        return SearchPages(params, width_cm, height_cm)

    @property
    def here(self) -> Next:
        """Return the state in which the participant was interrupted."""
        if self.told:
            return self.debrief
        if self.page < len(self.words.instructions):
            return self.read
        if self.examples_seen < len(self.plan.examples):
            return self.example
        if self.asked < len(self.words.questions):
            return self.quiz
        return self.again if self.wrong else self.in_rounds

    @property
    def in_rounds(self) -> Next:
        """Return the state among the rounds."""
        return self.ready

    def filled(self, text: str) -> str:
        """Return a text with the facts of the session filled in."""
        return self.params.filled(text)

    async def go_on_from(self, scene: Scene) -> str:
        """Show a scene with tiles, and wait for one of its two buttons."""
        return await self.press_on(scene, ("next", STOP).__contains__)

"""The texts that a protocol file must have for a search on a grid or a line, in one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Self, get_args

from pydantic import Field, model_validator

from protocols.person.params import PersonTexts, Words, check_braces
from rig import TaskParams

Payoff = Literal["average", "maximum"]
"""What is paid: all rewards, or the largest one of each round."""
PAYOFFS: tuple[Payoff, ...] = get_args(Payoff)


class Question(TaskParams):
    """A question about the instructions, with answers to choose from."""

    question: Words = Field(description="the question")
    answers: tuple[Words, ...] = Field(min_length=2, max_length=6, description="the answers, one a button")
    right: int | Mapping[Payoff, int] = Field(
        description="the number of the right answer, from 0; or one for each payoff: {average: 0, maximum: 1}"
    )

    @model_validator(mode="after")
    def _is_there(self) -> Self:
        if not isinstance(self.right, int) and len(self.right) < len(PAYOFFS):
            raise ValueError(f"right: wanted a number, or one for each payoff: {', '.join(PAYOFFS)}")
        for number in [self.right] if isinstance(self.right, int) else self.right.values():
            if not 0 <= number < len(self.answers):
                raise ValueError(f"right is {number}: the answers are numbered 0 to {len(self.answers) - 1}")
        return self

    def right_one(self, goal: Payoff) -> int:
        """Return the number of the right answer."""
        return self.right if isinstance(self.right, int) else self.right[goal]


Examples = Mapping[str, object]
"""What is filled into a text, with an example of each."""


def with_facts(filled: Mapping[str, Examples], facts: Examples) -> dict[str, Examples]:
    """Return what is filled into each text, and in each the facts of the session too."""
    return {name: {**facts, **examples} for name, examples in filled.items()}


class SearchTexts(PersonTexts):
    """What a participant reads in both tasks."""

    general: ClassVar[Examples] = {
        "rounds": 8,
        "clicks": "20 / 40",
        "tiles": 121,
        "show_up_pay": "0.50",
        "max_bonus": "1.50",
    }
    """What is filled in everywhere, with examples: it is the same in the whole session."""
    filled: ClassVar = {
        "consent": general,
        "wrong": general,
        "stop_question": general,
        "example": {**general, "number": 1, "count": 4},
        "ready": {**general, "round": 1, "clicks": 20},
        "score": {"points": "51"},
        "clicks": {"clicks": 7},
        "grids": {"grids": 8},
        "history": {"values": "51, 49"},
        "feedback": {**general, "round": 1, "points": "51", "bonus": "0.12", "total": "0.31"},
        "debriefing": {"payment": "", "points": "51"},
        "payment": {"amount": "0.00"},
    }

    example: Words = Field(description="above a fully revealed example; {number} and {count} are filled in")
    questions: tuple[Question, ...] = Field(description="to be answered before the first round; may be empty")
    wrong: Words = Field(description="after a wrong answer, before the instructions are shown again")
    again: Words = Field(description="button: to the instructions")
    ready: Words = Field(description="before a round; {round}, {rounds} and {clicks} are filled in")
    begin: Words = Field(description="button: the round begins")
    score: Words = Field(description="above the tiles: {points} so far")
    clicks: Words = Field(description="above the tiles: {clicks} that are left")
    grids: Words = Field(description="above the tiles: {grids} that are left, this one included")
    history: Words = Field(description="beside the tiles: all {values} of the tile under the pointer")
    feedback: Words = Field(description="after a round; {round}, {points}, {bonus} and {total} are filled in")

    @model_validator(mode="after")
    def _questions_can_be_filled_in(self) -> Self:
        for place, asked in enumerate(self.questions):
            for text in (asked.question, *asked.answers):
                check_braces(f"questions[{place}]", text, self.general)
        return self

"""What a PI may change in the eight-disk bandit with people (Racey et al. 2011, Experiment 2).

Defaults are those of the paper, then this project's. Texts on the screen are in the protocol's file.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from protocols.disk_bandit_params import LOCATIONS, PAPER, RingParams, ViParams
from rig import Color, TaskParams

OURS = "ours: the paper is silent"
Words = Annotated[str, Field(min_length=1)]


class Texts(TaskParams):
    """Everything that a participant reads, in one language."""

    sources: ClassVar = {
        "box": f"{PAPER}: Click for a point",
        "next_session": f"{PAPER}: a next session button",
        "questions": f"{PAPER}: four questions after the fifth session",
        "debriefing": "the task was called a test of intelligence, which it is not: a participant must be told",
    }

    consent: Words = Field(description="what it is about, and that one may stop at any time")
    agree: Words = Field(description="button: I take part")
    decline: Words = Field(description="button: I do not")
    instructions: tuple[Words, ...] = Field(min_length=1, description="pages to be read before the sample trial")
    next_page: Words = Field(description="button: the next page")
    sample: Words = Field(description="what to do in the sample trial")
    box: Words = Field(description="in the box that is lit")
    between: Words = Field(description="before a session; {session}, {sessions} and {points} are filled in")
    next_session: Words = Field(description="button: the next session begins")
    questions: tuple[Words, ...] = Field(min_length=1, description="the questionnaire, one question a page")
    stop: Words = Field(description="button: I want to stop")
    stop_question: Words = Field(description="asked again before stopping")
    go_on: Words = Field(description="button: go on after all")
    debriefing: Words = Field(description="what it was really about; {points} and {payment} are filled in")
    payment: Words = Field(description="stands for {payment} in it where points are paid; {amount} is filled in")
    finish: Words = Field(description="button: the end")

    @model_validator(mode="after")
    def _can_be_filled_in(self) -> Self:
        between: dict[str, object] = {"session": 1, "sessions": 1, "points": 0}
        debriefing: dict[str, object] = {"points": 0, "payment": ""}
        payment: dict[str, object] = {"amount": "0.00"}
        for name, filled in (("between", between), ("debriefing", debriefing), ("payment", payment)):
            try:
                getattr(self, name).format(**filled)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                wanted = ", ".join(f"{{{word}}}" for word in filled)
                raise ValueError(f"{name}: {error} cannot be filled in: wanted {wanted}, and no other braces") from None
        return self


class HumanParams(RingParams, ViParams):
    """What a PI may change."""

    sources: ClassVar = {
        **RingParams.sources,
        **ViParams.sources,
        "session_s": f"{PAPER}: six minutes",
        "sessions": f"{PAPER}: six",
        "block_s": f"{PAPER}: blocks of 30 s",
        "questionnaire_after": f"{PAPER}: after the fifth session",
        "study_seed": f"{PAPER}: the same rearrangement from session to session was used for each participant",
        "sample_trial": f"{PAPER}: a sample trial",
        "penny_hz": OURS,
        "penny_ms": OURS,
        "box_color": OURS,
        "show_up_pay": OURS,
        "pay_per_point": OURS,
        "language": OURS,
        "texts": f"{PAPER}: its instructions and questions, where it quotes them",
    }

    session_s: float = Field(default=360.0, gt=0, le=7200, description="length of each of the sessions")
    sessions: int = Field(default=6, ge=1, le=20, description="how many sessions, one after the other")
    block_s: float = Field(default=30.0, gt=0, description="length of a block in the trial table")
    questionnaire_after: int = Field(default=5, ge=0, le=20, description="asked after this session; 0: never")
    study_seed: int = Field(
        default=1, ge=0, description="who has which interval in which session; the same for all with this number"
    )
    sample_trial: bool = Field(default=True, description="one disk and one point, before the first session")
    penny_hz: int = Field(default=2000, ge=20, le=20_000, description="frequency of the sound of a point")
    penny_ms: float = Field(default=80.0, gt=0, le=1000, description="length of the sound of a point")
    box_color: Color = Field(default="#ffd700", description="color of the box that is lit")
    show_up_pay: float = Field(default=0.0, ge=0, description="paid to everybody, in your own currency")
    pay_per_point: float = Field(default=0.0, ge=0, description="paid for a point, in your own currency")
    language: str = Field(default="en", description="which of the texts are shown")
    texts: dict[str, Texts] = Field(min_length=1, description="the texts, by language")

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.language not in self.texts:
            raise ValueError(f"language is '{self.language}': there are texts in {', '.join(self.texts)}")
        if len(self.vi_s) != LOCATIONS:
            raise ValueError(f"vi_s has {len(self.vi_s)} values for {LOCATIONS} disks: wanted {LOCATIONS}")
        if self.questionnaire_after > self.sessions:
            raise ValueError(
                f"questionnaire_after is {self.questionnaire_after}, and there are {self.sessions} sessions: "
                "it would never be asked; 0 says so"
            )
        return self

    @property
    def words(self) -> Texts:
        """Return the texts in the language that was chosen."""
        return self.texts[self.language]

    def payment(self, points: int) -> float:
        """Return the payment for points."""
        return round(self.show_up_pay + self.pay_per_point * points, 2)

    def debriefing(self, points: int) -> str:
        """Return the debriefing text, with the payment if points are paid."""
        pays = self.show_up_pay > 0 or self.pay_per_point > 0
        paid = self.words.payment.format(amount=f"{self.payment(points):.2f}") if pays else ""
        return self.words.debriefing.format(points=points, payment=paid).replace("  ", " ")

    def between(self, session: int, points: int) -> str:
        """Return the text before a session, with its number."""
        return self.words.between.format(session=session, sessions=self.sessions, points=points)

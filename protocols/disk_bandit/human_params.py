"""What a PI may change in the eight-disk bandit with people (Racey et al. 2011, Experiment 2).

Defaults are those of the paper, then this project's. Texts on the screen are in the protocol's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import Field, model_validator

from protocols.disk_bandit.params import LOCATIONS, PAPER, RingParams, ViParams
from protocols.person.params import SILENT, PersonParams, PersonTexts, Words
from rig import Color


class Texts(PersonTexts):
    """Everything that a participant reads, in one language."""

    sources: ClassVar = {
        "box": f"{PAPER}: Click for a point",
        "next_session": f"{PAPER}: a next session button",
        "questions": f"{PAPER}: four questions after the fifth session",
        "debriefing": "the task was called a test of intelligence, which it is not: a participant must be told",
    }
    filled: ClassVar = {
        "between": {"session": 1, "sessions": 1, "points": 0},
        "debriefing": {"points": 0, "payment": ""},
        "payment": {"amount": "0.00"},
    }

    sample: Words = Field(description="what to do in the sample trial")
    box: Words = Field(description="in the box that is lit")
    between: Words = Field(description="before a session; {session}, {sessions} and {points} are filled in")
    next_session: Words = Field(description="button: the next session begins")
    questions: tuple[Words, ...] = Field(min_length=1, description="the questionnaire, one question a page")


class HumanParams(RingParams, ViParams, PersonParams):
    """What a PI may change."""

    sources: ClassVar = {
        **RingParams.sources,
        **ViParams.sources,
        **PersonParams.sources,
        "session_s": f"{PAPER}: six minutes",
        "sessions": f"{PAPER}: six",
        "block_s": f"{PAPER}: blocks of 30 s",
        "questionnaire_after": f"{PAPER}: after the fifth session",
        "study_seed": f"{PAPER}: the same rearrangement from session to session was used for each participant",
        "sample_trial": f"{PAPER}: a sample trial",
        "penny_hz": SILENT,
        "penny_ms": SILENT,
        "box_color": SILENT,
        "pay_per_point": SILENT,
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
    pay_per_point: float = Field(default=0.0, ge=0, description="paid for a point, in your own currency")
    texts: Mapping[str, Texts] = Field(min_length=1, description="the texts, by language")

    @model_validator(mode="after")
    def _agree(self) -> Self:
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

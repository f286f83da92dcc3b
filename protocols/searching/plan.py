"""The plan of a session, drawn before it begins: environments, examples and rounds. The journal's header has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from protocols.searching.grids.places import Floats
from rig import TaskError

Value = Annotated[float, Field(ge=0, le=1)]
Index = Annotated[int, Field(ge=0)]
Risk = Literal["risky", "safe"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ExamplePlan(_Part):
    """An example: the number of its environment, the scale of its rewards, and the line of those that would be lost."""

    environment: Index
    scale: float
    threshold: float | None = None


class RoundPlan(_Part):
    """A round; ``level`` is the value that the revealed tile is above, also where nothing can be lost."""

    environment: Index
    kernel: str
    scale: float
    horizon: int = Field(ge=1)
    risk: Risk = "safe"
    threshold: float | None = None
    level: float | None = None
    initial_tile: Index


class SessionPlan(_Part):
    """All environments, by number, and what is made of them; an environment has the values of all tiles in order."""

    environments: tuple[tuple[Value, ...], ...]
    examples: tuple[ExamplePlan, ...] = ()
    rounds: tuple[RoundPlan, ...]

    @model_validator(mode="after")
    def _fit(self) -> Self:
        parts: tuple[ExamplePlan | RoundPlan, ...] = (*self.examples, *self.rounds)
        for part in parts:
            if part.environment >= len(self.environments):
                raise ValueError(f"there is no environment {part.environment}")
        for played in self.rounds:
            if played.initial_tile >= len(self.environments[played.environment]):
                raise ValueError(f"environment {played.environment} has no tile {played.initial_tile}")
        return self

    @classmethod
    def of(cls, drawn: Mapping[str, object], tiles: int) -> SessionPlan:
        """Return the plan that a session drew, for this number of tiles. Raises ``TaskError``."""
        try:
            plan = cls.model_validate(drawn)
        except ValueError as error:
            raise TaskError(f"the plan of the session is not one of this task: {error}") from None
        if any(len(values) != tiles for values in plan.environments):
            raise TaskError(f"the plan of the session has environments of another size than {tiles} tiles")
        return plan


def in_order(environment: Floats) -> tuple[float, ...]:
    """Return the values of an environment, row by row from the top."""
    return tuple(float(value) for value in environment.ravel())

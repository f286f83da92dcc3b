"""Curriculum files: the stages of a subject's training, and what leads from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from pydantic import Field, ValidationError, field_validator

from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.errors.formatting import unknown_name
from rig.config.models.criteria import StageCondition
from rig.config.models.names import Name
from rig.devices.base import StrictModel

END = "end"
"""Where a rule leads that ends the curriculum."""


class Rule(StrictModel):
    """Where a stage leads, and when: all of its conditions must hold."""

    to: str = Field(description=f"the stage that comes then, a later or an earlier one; {END}: the curriculum is over")
    when: list[StageCondition] = Field(min_length=1, description="what must be so, all of it")

    def __str__(self) -> str:
        return "; ".join(map(str, self.when))


class Stage(StrictModel):
    """A stage: the protocol that its sessions run, and the rules that lead on, of which the first that holds counts."""

    protocol: str = Field(description="its protocol: a name, or the path of a file, counted from this one")
    params: dict[str, Any] = Field(default_factory=dict, description="what differs from the protocol's file")
    stop: dict[str, Any] = Field(default_factory=dict, description="what differs from the protocol's file")
    manual_steps: str = Field(
        default="", description="what a person does before the session; the start screen shows it"
    )
    rules: list[Rule] = Field(default_factory=list, description="where it leads; without rules it is the last stage")


class CurriculumFile(StrictModel):
    """The stages of a training, the first one first."""

    stages: dict[Name, Stage] = Field(min_length=1, description="the stages, by names of your own; the first is first")

    @property
    def first(self) -> str:
        """Return the stage with which a new subject begins."""
        return next(iter(self.stages))

    @field_validator("stages")
    @classmethod
    def _lead_somewhere(cls, stages: dict[str, Stage]) -> dict[str, Stage]:
        if mistakes := list(dangling_rules(stages, stages)):
            raise ConfigIssuesError(*mistakes)
        return stages


def valid_stages(data: Mapping[str, Any]) -> dict[str, Stage]:
    """Return the stages of a file that are right by themselves, whatever is wrong with the others."""
    stages = data.get("stages")
    found: dict[str, Stage] = {}
    for name, entry in stages.items() if isinstance(stages, dict) else ():
        # The validation of the whole file reports the mistakes of such a stage.
        with suppress(ValidationError):
            found[name] = Stage.model_validate(entry)
    return found


def dangling_rules(stages: Mapping[str, Stage], names: Iterable[str]) -> Iterator[tuple[Loc, str]]:
    """Yield place and text of the rules that lead nowhere, in a curriculum whose stages have these names."""
    if END in stages:
        yield (END,), "no stage is called so: it is where a curriculum is over"
    there = [*names, END]
    for name, stage in stages.items():
        for place, rule in enumerate(stage.rules):
            loc: Loc = (name, "rules", place, "to")
            if rule.to not in there:
                yield loc, unknown_name(f"there is no stage {rule.to!r}", rule.to, there)
            elif rule.to == name:
                yield loc, "is the stage itself, where a subject stays anyhow: name another"

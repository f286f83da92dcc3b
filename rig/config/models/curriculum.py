"""Curriculum files: the stages of a subject's training, and what leads from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Self

from pydantic import Field, ValidationError, field_validator, model_validator

from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.models.criteria import StageCondition
from rig.config.models.names import Name
from rig.core.errors import ConfigError
from rig.core.model.subject import number_of
from rig.core.task.random_streams import RandomStreams
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
    params: dict[str, object] = Field(default_factory=dict, description="what differs from the protocol's file")
    stop: dict[str, object] = Field(default_factory=dict, description="what differs from the protocol's file")
    manual_steps: str = Field(
        default="", description="what a person does before the session; the start screen shows it"
    )
    rules: list[Rule] = Field(default_factory=list, description="where it leads; without rules it is the last stage")


class Assignment(StrictModel):
    """Conditions between subjects: in each block of consecutive subjects each stage is the first one of one subject.

    A subject's number is at the end of its name: P07. So a subject has the same stage on every computer.
    """

    stages: list[Name] = Field(min_length=2, description="the stages with which subjects begin, one each")
    study_seed: int = Field(default=1, ge=0, description="the order of the stages in each block of subjects")

    def stage_of(self, subject: str) -> str:
        """Return the stage with which a subject begins. Raises ``ConfigError`` for a name without a number."""
        number = number_of(subject)
        if number is None:
            raise ConfigError(
                f"{subject or 'a subject without a name'}: the curriculum assigns stages by the number at the end of "
                "the name, from 1: wanted a name like P07, or --stage NAME --override stage='reason'"
            )
        block, place = divmod(number - 1, len(self.stages))
        return RandomStreams(self.study_seed)(f"assignment.{block}").shuffled(self.stages)[place]


class CurriculumFile(StrictModel):
    """The stages of a training, the first one first."""

    stages: dict[Name, Stage] = Field(min_length=1, description="the stages, by names of your own; the first is first")
    assign: Assignment | None = Field(
        default=None, description="new subjects begin with different stages, instead of all with the first"
    )

    @property
    def first(self) -> str:
        """Return the first stage."""
        return next(iter(self.stages))

    @property
    def begins(self) -> list[str]:
        """Return the stages with which new subjects begin."""
        return [self.first] if self.assign is None else self.assign.stages

    def first_of(self, subject: str) -> str:
        """Return the stage with which a new subject begins. Raises ``ConfigError`` for a name without a number."""
        return self.first if self.assign is None else self.assign.stage_of(subject)

    @model_validator(mode="after")
    def _assigns_stages(self) -> Self:
        named = [] if self.assign is None else self.assign.stages
        mistakes: list[tuple[Loc, str]] = [
            (("assign", "stages", index), unknown_name(f"there is no stage {name!r}", name, list(self.stages)))
            for index, name in enumerate(named)
            if name not in self.stages
        ]
        mistakes += [
            (("assign", "stages", index), f"the stage {name!r} is named twice: wanted each once")
            for index, name in enumerate(named)
            if name in named[:index]
        ]
        if mistakes:
            raise ConfigIssuesError(*mistakes)
        return self

    @field_validator("stages")
    @classmethod
    def _lead_somewhere(cls, stages: dict[str, Stage]) -> dict[str, Stage]:
        if mistakes := list(dangling_rules(stages, stages)):
            raise ConfigIssuesError(*mistakes)
        return stages


def valid_stages(data: Mapping[str, object]) -> dict[str, Stage]:
    """Return the stages of a file that are right by themselves, whatever is wrong with the others."""
    stages = data.get("stages")
    valid: dict[str, Stage] = {}
    for name, entry in stages.items() if isinstance(stages, dict) else ():
        # The validation of the whole file reports the mistakes of such a stage.
        with suppress(ValidationError):
            valid[name] = Stage.model_validate(entry)
    return valid


def dangling_rules(stages: Mapping[str, Stage], names: Iterable[str]) -> Iterator[tuple[Loc, str]]:
    """Yield place and text of the rules that lead nowhere, in a curriculum whose stages have these names."""
    if END in stages:
        yield (END,), "no stage is called so: it is where a curriculum is over"
    names = list(names)
    there = [*names, END]
    for name, stage in stages.items():
        for index, rule in enumerate(stage.rules):
            loc: Loc = (name, "rules", index, "to")
            if rule.to not in there:
                yield loc, unknown_name(f"there is no stage {rule.to!r}", rule.to, there)
            elif rule.to == name:
                yield loc, "is the stage itself, where a subject stays anyhow: name another"
            for number, condition in enumerate(rule.when):
                for entry, across in enumerate(condition.across):
                    at: Loc = (name, "rules", index, "when", number, "across", entry)
                    if across not in names:
                        yield at, unknown_name(f"there is no stage {across!r}", across, [*names])
                    elif across == name:
                        yield at, "is the stage itself: name one between its visits"

"""Boxes files: the boxes of one computer, and what each of them runs today."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo, WithJsonSchema, field_validator

from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.inheritance import load_config
from rig.config.validate import validate
from rig.devices.base import StrictModel
from rig.system.file_names import name_problem

_BOX = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,23}")


def _box(text: str) -> str:
    # It names a log file, and a column of the table.
    if not _BOX.fullmatch(text):
        raise ValueError("a box is named by up to 24 letters, digits, spaces, - and _, a letter or digit first")
    if problem := name_problem(text):
        raise ValueError(problem)
    return text


BoxName = Annotated[str, AfterValidator(_box), WithJsonSchema({"type": "string", "pattern": f"^{_BOX.pattern}$"})]


class BoxDefaults(StrictModel):
    """What a box runs, and on which rig."""

    rig: str | None = Field(
        default=None,
        description="its rig: a name, or the path of a file, counted from this one; the rig of rig.toml for a box of "
        "this name when not given",
    )
    protocol: str | None = Field(
        default=None, description="the protocol: a name, or the path of a file, counted from this one"
    )
    curriculum: str | None = Field(
        default=None, description="a curriculum in its place, whose stage the subject's records select"
    )
    params: dict[str, object] = Field(
        default_factory=dict,
        description="what differs from the protocol's file; those of defaults hold for its protocol or curriculum only",
    )
    stop: dict[str, object] = Field(default_factory=dict, description="what differs from the protocol's file")
    model: str | None = Field(default=None, description="the virtual subject of a simulated rig")
    cpus: list[Annotated[int, Field(ge=0)]] | None = Field(
        default=None, min_length=1, description="the processors its session may use; all of them when not given"
    )


class BoxEntry(BoxDefaults):
    """One box, and its subject."""

    subject: str = Field(min_length=1, description="the subject; each animal is in one box only")
    seed: int | None = Field(default=None, ge=0, description="the random seed of the session; drawn when not given")


class BoxesFile(StrictModel):
    """The boxes of one computer."""

    # pydantic validates in this order: the validator of boxes reads the defaults.
    defaults: BoxDefaults | None = Field(
        default=None, description="what holds for every box that does not say otherwise"
    )
    boxes: dict[BoxName, BoxEntry] = Field(min_length=1, description="the boxes, by names of your own")

    @field_validator("boxes")
    @classmethod
    def _differ(cls, boxes: dict[str, BoxEntry], info: ValidationInfo) -> dict[str, BoxEntry]:
        defaults = info.data.get("defaults") or BoxDefaults()
        if mistakes := [*_run_one_thing(boxes, defaults), *_differ(boxes)]:
            raise ConfigIssuesError(*mistakes)
        return boxes

    def resolved(self, box: str) -> BoxEntry:
        """Return a box with the defaults in the place of what it does not say."""
        own, shared = self.boxes[box], self.defaults or BoxDefaults()
        taken = {key: getattr(shared, key) for key in ("rig", "model", "cpus") if getattr(own, key) is None}
        taken["stop"] = {**shared.stop, **own.stop}
        if own.protocol is None and own.curriculum is None:
            taken |= {"protocol": shared.protocol, "curriculum": shared.curriculum}
            taken["params"] = {**shared.params, **own.params}
        return own.model_copy(update=taken)


def load_boxes_file(path: Path) -> BoxesFile:
    """Read a boxes file, without the files that it names. Raises ``ConfigError``."""
    return validate(BoxesFile, load_config(path))


def _run_one_thing(boxes: Mapping[str, BoxEntry], defaults: BoxDefaults) -> Iterator[tuple[Loc, str]]:
    for name, box in boxes.items():
        # What a box says by itself replaces both of the defaults.
        said = box if box.protocol or box.curriculum else defaults
        if said.protocol and said.curriculum:
            yield (name, "curriculum"), "chooses the protocol by itself: leave protocol out"
        elif not (said.protocol or said.curriculum):
            yield (name,), "runs nothing: give protocol or curriculum, here or in defaults"


def _differ(boxes: Mapping[str, BoxEntry]) -> Iterator[tuple[Loc, str]]:
    of_subject: dict[str, str] = {}
    of_name: dict[str, str] = {}
    for name, box in boxes.items():
        # Some file systems do not tell capital letters from small ones.
        first = of_subject.setdefault(box.subject.lower(), name)
        if first != name:
            yield (name, "subject"), f"{box.subject} is in {first} already: an animal is in one box only"
        same = of_name.setdefault(name.lower(), name)
        if same != name:
            yield (name,), f"another box is called {same}: choose names that differ by more than capital letters"

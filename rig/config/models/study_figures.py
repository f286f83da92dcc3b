"""What a study compares: its figures with their bounds, numbers out of reach, and pictures."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import Field, model_validator

from rig.config.errors.errors import ConfigIssuesError
from rig.config.models.study_labels import Label, Place
from rig.devices.base import StrictModel


class Explanation(StrictModel):
    """Why simulated subjects miss a published number, and where their number lies because of it."""

    text: str = Field(min_length=1, description="why simulated subjects differ")
    at_least: float | None = Field(default=None, description="the least that the number may be for this cause")
    at_most: float | None = Field(default=None, description="the most that it may be for this cause")
    without: Label | None = Field(
        default=None,
        description="an analysis of arms without the cause, whose number must lie within the bounds of the figure "
        "itself: this tests the explanation",
    )
    take: Place | None = Field(
        default=None, description="the number's place in that analysis, where it is not the place of the figure"
    )

    @model_validator(mode="after")
    def _is_testable(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise ConfigIssuesError(((), "says not where the number lies: give at_least and at_most"))
        if self.take is not None and self.without is None:
            raise ConfigIssuesError((("take",), "is a place in the analysis that without names: give without"))
        _check_order(self.at_least, self.at_most)
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the most that the number may be for this cause."""
        return _bounds(self.at_least, self.at_most)


class ExpectedFigure(StrictModel):
    """One number of an analysis, beside the one that it should be."""

    name: str = Field(min_length=1, description="what it is, for a reader")
    of: Label = Field(description="the analysis")
    take: Place = Field(
        description="its place in what `rig analyze --json` prints, such as groups/80-20/rates/high/value; "
        "NAME=VALUE chooses from a list the entry whose NAME is VALUE"
    )
    unit: str = Field(default="", description="its unit")
    published: str = Field(default="", description="the number as it is printed, such as 514 ± 77")
    expected: float | None = Field(default=None, description="the number that it should be")
    tolerance: float | None = Field(default=None, ge=0, description="how far it may be from it")
    at_least: float | None = Field(default=None, description="the least that it may be, in place of expected")
    at_most: float | None = Field(default=None, description="the most that it may be, in place of expected")
    compares: Literal["number", "direction"] = Field(
        default="number",
        description="number: its size; direction: only on which side of a bound it lies, such as a sign or a limit "
        "of significance",
    )
    fitted: bool = Field(
        default=False,
        description="whether parameters of the virtual subjects were chosen by this number: then it is no prediction, "
        "and tests only that protocol, records and analysis do not change it on the way",
    )
    source: str = Field(min_length=1, description="where the number is from: paper, and table, figure or page")
    explanation: Explanation | None = Field(
        default=None, description="why simulated subjects differ from it, where they do"
    )

    @model_validator(mode="after")
    def _is_bounded(self) -> Self:
        if self.expected is None and self.at_least is None and self.at_most is None:
            raise ConfigIssuesError(((), "expects nothing: give expected and tolerance, or at_least or at_most"))
        if self.expected is not None and (self.at_least is not None or self.at_most is not None):
            raise ConfigIssuesError((("expected",), "give either this with tolerance, or at_least and at_most"))
        if (self.expected is None) != (self.tolerance is None):
            lacking = "tolerance" if self.tolerance is None else "expected"
            raise ConfigIssuesError(((), f"expected and tolerance belong together: {lacking} is missing"))
        if self.expected is not None and self.compares == "direction":
            raise ConfigIssuesError((("expected",), "is a number, and compares is direction: give at_least or at_most"))
        _check_order(self.at_least, self.at_most)
        return self

    @model_validator(mode="after")
    def _is_explained_elsewhere(self) -> Self:
        if self.explanation is None:
            return self
        (low, high), (least, most) = self.bounds, self.explanation.bounds
        if low <= least and most <= high:
            text = f"lies within the bounds of the figure itself, {low:g} to {high:g}: wanted where it lies outside"
            raise ConfigIssuesError((("explanation",), text))
        if self.without_cause == (self.of, self.take):
            raise ConfigIssuesError((("explanation", "without"), "is the analysis of the figure itself: give take too"))
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the most that it may be."""
        if self.expected is not None and self.tolerance is not None:
            return self.expected - self.tolerance, self.expected + self.tolerance
        return _bounds(self.at_least, self.at_most)

    @property
    def without_cause(self) -> tuple[str, str] | None:
        """Return the analysis that tests the explanation, and the place of the number there; None without one."""
        if self.explanation is None or self.explanation.without is None:
            return None
        return self.explanation.without, self.explanation.take or self.take


def _check_order(at_least: float | None, at_most: float | None) -> None:
    """Raise ``ConfigIssuesError`` for bounds in the wrong order."""
    if at_least is not None and at_most is not None and at_least > at_most:
        raise ConfigIssuesError((("at_most",), f"must be at_least ({at_least:g}) or more"))


def _bounds(at_least: float | None, at_most: float | None) -> tuple[float, float]:
    return -math.inf if at_least is None else at_least, math.inf if at_most is None else at_most


class Unreached(StrictModel):
    """A published number that no simulation of ours can reach."""

    name: str = Field(min_length=1, description="what it is, for a reader")
    published: str = Field(default="", description="the number as it is printed")
    source: str = Field(min_length=1, description="where it is from: paper, and table, figure or page")
    reason: str = Field(min_length=1, description="why it cannot be reached")


class Picture(StrictModel):
    """A picture that the analysis draws, beside what the figure of the paper shows."""

    of: Label = Field(description="the analysis")
    picture: str = Field(min_length=1, description="its name, as `rig analyze --figures` writes it, without .png")
    paper: str = Field(min_length=1, description="the figure of the paper, such as Figure 2B")
    shows: str = Field(min_length=1, description="a sentence that says what the figure of the paper shows")

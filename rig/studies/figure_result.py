"""One number of a study beside the one that it should be: its verdict, and whether another seed may change it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rig.config.models.study_figures import ExpectedFigure
from rig.studies.estimate import Estimate
from rig.terminal.format import with_unit

Verdict: TypeAlias = Literal["within", "direction", "explained", "not_explained", "undecided", "off", "unknown"]
VERDICTS: dict[Verdict, str] = {
    "within": "within tolerance",
    "direction": "direction agrees",
    "explained": "explained",
    "not_explained": "not explained",
    "undecided": "undecided",
    "off": "OUTSIDE",
    "unknown": "NO NUMBER",
}
"""What a person reads.

``explained`` was tested by arms without the cause, and ``not_explained`` was not tested. ``undecided`` is outside, and
another seed may bring it inside.
"""

SAFE_ERRORS = 2
"""Monte Carlo errors between a number and the bound of its verdict, at least.

The numbers of two seeds differ by the square root of 2 errors. So at this distance another seed gives another verdict
in 8 of 100 cases.
"""


@dataclass(frozen=True)
class FigureResult:
    """A number beside the one that it should be."""

    figure: ExpectedFigure
    obtained: Estimate
    without: Estimate | None = None
    """The number where the cause of its explanation is removed, if the study has an analysis of that."""

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Return its name, the published number, what it should be, and what it is."""
        figure = self.figure
        return (
            with_unit(figure.name, figure.unit),
            figure.published or "-",
            _expected(figure),
            self.obtained.text,
        )

    @property
    def verdict(self) -> Verdict:
        """Return whether it is what it should be."""
        verdict = _judge(self.figure, self.obtained, self.without)
        return "undecided" if verdict == "off" and self._moved - {"off", "unknown"} else verdict

    @property
    def is_missed(self) -> bool:
        """Whether the study fails because of it."""
        return self.verdict in ("off", "unknown")

    @property
    def is_unsafe(self) -> bool:
        """Whether another random seed may give another verdict; true also where a Monte Carlo error is not known.

        ``undecided`` says it already.
        """
        return self.verdict not in ("undecided", "unknown") and self._moved != {self.verdict}

    @property
    def _moved(self) -> set[Verdict]:
        """Return the verdicts that another seed may give."""
        figure, without = self.figure, self.without
        verdicts = {_judge(figure, moved, without) for moved in self.obtained.moved(SAFE_ERRORS)}
        if without is not None:
            verdicts |= {_judge(figure, self.obtained, moved) for moved in without.moved(SAFE_ERRORS)}
        return verdicts

    @property
    def problems(self) -> list[str]:
        """Return why there is no number, with the cause of its explanation and without."""
        estimates = (self.obtained,) if self.without is None else (self.obtained, self.without)
        return [estimate.problem for estimate in estimates if estimate.problem]

    def document(self) -> dict[str, object]:
        """Return it as plain data for ``--json``."""
        figure, explanation = self.figure, self.figure.explanation
        low, high = figure.bounds
        return {
            "name": figure.name,
            "of": figure.of,
            "take": figure.take,
            "unit": figure.unit,
            "published": figure.published,
            "compares": figure.compares,
            "fitted": figure.fitted,
            "expected": figure.expected,
            "at_least": _known(low),
            "at_most": _known(high),
            "obtained": _known(self.obtained.value),
            "error": _known(self.obtained.error),
            "spread": _known(self.obtained.spread),
            "verdict": self.verdict,
            "unsafe": self.is_unsafe,
            "source": figure.source,
            "explanation": None if explanation is None else explanation.model_dump(),
            "without": None if self.without is None else _known(self.without.value),
            "without_error": None if self.without is None else _known(self.without.error),
            "problems": self.problems,
        }


def verdict_text(verdict: Verdict, *, fitted: bool, unsafe: bool) -> str:
    """Return a verdict for a person."""
    return ", ".join([VERDICTS[verdict], *(["fitted"] if fitted else []), *(["unsafe"] if unsafe else [])])


def bounds_text(low: float, high: float) -> str:
    """Return where a number may lie."""
    if math.isinf(high):
        return f"≥ {low:g}"
    return f"≤ {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"


def _judge(figure: ExpectedFigure, obtained: Estimate, without: Estimate | None) -> Verdict:
    """Return the verdict of a number that no other seed would change."""
    value, explanation = obtained.value, figure.explanation
    if math.isnan(value):
        return "unknown"
    if _is_in(figure.bounds, value):
        return "direction" if figure.compares == "direction" else "within"
    if explanation is None or not _is_in(explanation.bounds, value):
        return "off"
    if without is None:
        return "not_explained"
    if math.isnan(without.value):
        return "unknown"
    return "explained" if _is_in(figure.bounds, without.value) else "off"


def _expected(figure: ExpectedFigure) -> str:
    """Return what a number should be."""
    if figure.expected is not None:
        return f"{figure.expected:g} ± {figure.tolerance:g}"
    return bounds_text(*figure.bounds)


def _is_in(bounds: tuple[float, float], value: float) -> bool:
    low, high = bounds
    return low <= value <= high


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None

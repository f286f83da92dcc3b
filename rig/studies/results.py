"""What a study found: each number beside the one that it should be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rig.config.models.study_file import ExpectedFigure, Picture, StudyFile
from rig.report.drawings import Drawing
from rig.studies.analysis_jobs import AnalysisAnswer, Estimate, obtained

Verdict = Literal["within", "explained", "off", "unknown"]
"""within its bounds; outside with an explanation; outside without one; or there is no number."""


@dataclass(frozen=True)
class FigureResult:
    """A number beside the one that it should be."""

    figure: ExpectedFigure
    obtained: Estimate

    @property
    def verdict(self) -> Verdict:
        """Return whether it is what it should be."""
        if math.isnan(self.obtained.value):
            return "unknown"
        low, high = self.figure.bounds
        if low <= self.obtained.value <= high:
            return "within"
        return "explained" if self.figure.explanation else "off"

    @property
    def is_missed(self) -> bool:
        """Whether the study fails because of it."""
        return self.verdict in ("off", "unknown")


@dataclass(frozen=True)
class ArmResult:
    """What ran in an arm."""

    name: str
    subjects: int
    sessions: int
    trials: int
    alone: str
    """The command that runs the first session of its first subject alone."""


@dataclass(frozen=True)
class AnalysisResult:
    """What an analysis took: its name in the study, what it is, and the options that the study gives it."""

    name: str
    analysis: str
    arms: tuple[str, ...]
    stages: tuple[str, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class StudyResult:
    """What a study found; with None in place of pictures that the analysis does not have."""

    name: str
    file: StudyFile
    arms: tuple[ArmResult, ...]
    analyses: tuple[AnalysisResult, ...]
    figures: tuple[FigureResult, ...]
    pictures: tuple[tuple[Picture, Drawing | None], ...]
    notes: tuple[str, ...]
    versions: Mapping[str, str]
    command: str

    @property
    def missed(self) -> tuple[FigureResult, ...]:
        """Return the numbers because of which it fails."""
        return tuple(figure for figure in self.figures if figure.is_missed)

    def document(self) -> dict[str, Any]:
        """Return it as plain data for ``--json``, without the pictures."""
        return {
            "study": self.name,
            "title": self.file.title,
            "paper": self.file.paper,
            "seed": self.file.seed,
            "arms": [vars(arm) for arm in self.arms],
            "analyses": [vars(analysis) for analysis in self.analyses],
            "figures": [_figure(each) for each in self.figures],
            "not_reached": [each.model_dump() for each in self.file.not_reached],
            "missed": len(self.missed),
            "notes": list(self.notes),
            "versions": dict(self.versions),
            "command": self.command,
        }


def _figure(result: FigureResult) -> dict[str, Any]:
    figure, found = result.figure, result.obtained
    low, high = figure.bounds
    return {
        "name": figure.name,
        "of": figure.of,
        "take": figure.take,
        "unit": figure.unit,
        "published": figure.published,
        "expected": figure.expected,
        "at_least": _known(low),
        "at_most": _known(high),
        "obtained": _known(found.value),
        "error": _known(found.error),
        "verdict": result.verdict,
        "source": figure.source,
        "explanation": figure.explanation,
        "problem": found.problem,
    }


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def figure_results(file: StudyFile, answers: Sequence[AnalysisAnswer]) -> tuple[FigureResult, ...]:
    """Return the numbers of a study from the answers of its analyses, in the order of the file."""
    of = {name: [answer for answer in answers if answer.run == name] for name in file.analyses}
    return tuple(FigureResult(figure, obtained(of[figure.of], figure.take)) for figure in file.figures)


def picture_results(file: StudyFile, answers: Sequence[AnalysisAnswer]) -> tuple[tuple[Picture, Drawing | None], ...]:
    """Return the pictures of a study, in the order of the file."""
    whole = {answer.run: answer for answer in answers if answer.without is None}
    return tuple((picture, whole[picture.of].pictures.get(picture.picture)) for picture in file.pictures)

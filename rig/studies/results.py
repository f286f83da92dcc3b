"""What a study found: each number beside the one that it should be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rig.config.models.study_figures import ExpectedFigure, Picture
from rig.config.models.study_file import StudyFile
from rig.report.drawings import Drawing
from rig.studies.analysis_jobs import AnalysisAnswer, Estimate, obtained
from rig.terminal.format import with_unit

Verdict = Literal["within", "explained", "off", "unknown"]
"""within its bounds; outside with an explanation; outside without one; or there is no number."""
VERDICTS: dict[Verdict, str] = {
    "within": "within tolerance",
    "explained": "outside, explained",
    "off": "OUTSIDE",
    "unknown": "NO NUMBER",
}

_MOST_DIGITS = 6


@dataclass(frozen=True)
class FigureResult:
    """A number beside the one that it should be."""

    figure: ExpectedFigure
    obtained: Estimate

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Return its name, the published number, what it should be, and what it is."""
        figure = self.figure
        return (
            with_unit(figure.name, figure.unit),
            figure.published or "-",
            _expected(figure),
            obtained_text(self.obtained),
        )

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
    what: str
    """Its protocol or curriculum and its virtual subject, each with the values that the study sets."""
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
    options: Mapping[str, object]


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

    @property
    def summary(self) -> str:
        """Return how many numbers are what they should be, in a sentence."""
        counts = Counter(figure.verdict for figure in self.figures)
        parts = [f"{counts['within']} of {len(self.figures)} numbers are within tolerance"]
        parts += [f"{counts['explained']} outside with an explanation"] if counts["explained"] else []
        parts += [f"{counts['off']} outside"] if counts["off"] else []
        parts += [f"{counts['unknown']} without a number"] if counts["unknown"] else []
        return ", ".join(parts) + "."

    def document(self) -> dict[str, object]:
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


def _figure(result: FigureResult) -> dict[str, object]:
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
        "explanation": None if figure.explanation is None else figure.explanation.model_dump(),
        "problem": found.problem,
    }


def obtained_text(found: Estimate) -> str:
    """Return a number with its error: as many digits as two digits of the error have."""
    if math.isnan(found.value):
        return "-"
    form = _format(found.error if found.error > 0 else abs(found.value) / 100)
    value = format(found.value, form)
    if not math.isfinite(found.error):
        return value
    return f"{value} ± {format(found.error, form)}" if found.error else f"{value} ± 0"


def _format(step: float) -> str:
    """Return the format of a number that shows two digits of a step."""
    if not math.isfinite(step) or step <= 0:
        return "g"
    digits = max(0, 1 - math.floor(math.log10(step)))
    return f".{digits}f" if digits <= _MOST_DIGITS else ".1e"


def _expected(figure: ExpectedFigure) -> str:
    """Return what a number should be."""
    if figure.expected is not None:
        return f"{figure.expected:g} ± {figure.tolerance:g}"
    if figure.at_most is None:
        return f"≥ {figure.at_least:g}"
    return f"≤ {figure.at_most:g}" if figure.at_least is None else f"{figure.at_least:g} to {figure.at_most:g}"


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

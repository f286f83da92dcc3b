"""What a study found: each number beside the one that it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rig.config.models.study_figures import Picture
from rig.config.models.study_file import StudyFile
from rig.report.drawings import Drawing
from rig.studies.analysis_jobs import AnalysisAnswer, obtained
from rig.studies.estimate import Estimate
from rig.studies.figure_result import FigureResult, Verdict
from rig.terminal.format import pluralize

_COUNTED: Mapping[Verdict, str] = {
    "within": "{} within tolerance",
    "direction": "{} in the published direction",
    "explained": "{} outside and explained",
    "not_explained": "{} outside and not explained",
    "undecided": "{} UNDECIDED, outside by less than another seed may change",
    "off": "{} OUTSIDE",
    "unknown": "{} WITHOUT A NUMBER",
}


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
        """Return how many numbers have each verdict, were fitted, and may change with the seed, in sentences."""
        counts = self.counts
        parts = [text.format(counts[verdict]) for verdict, text in _COUNTED.items() if counts[verdict]]
        fitted = sum(result.figure.fitted for result in self.figures)
        unsafe = sum(result.is_unsafe for result in self.figures)
        sentences = [
            f"{pluralize(len(self.figures), 'number')}: {', '.join(parts)}.",
            f"Parameters of virtual subjects were fitted to {fitted} of them." if fitted else "",
            f"{pluralize(unsafe, 'UNSAFE verdict')}, which may change with the seed." if unsafe else "",
        ]
        return " ".join(filter(None, sentences))

    @property
    def counts(self) -> Counter[Verdict]:
        """Return how many numbers have each verdict."""
        return Counter(figure.verdict for figure in self.figures)

    def document(self) -> dict[str, object]:
        """Return it as plain data for ``--json``, without the pictures."""
        return {
            "study": self.name,
            "title": self.file.title,
            "paper": self.file.paper,
            "seed": self.file.seed,
            "arms": [vars(arm) for arm in self.arms],
            "analyses": [vars(analysis) for analysis in self.analyses],
            "figures": [figure.document() for figure in self.figures],
            "not_reached": [each.model_dump() for each in self.file.not_reached],
            "verdicts": dict(self.counts),
            "missed": len(self.missed),
            "notes": list(self.notes),
            "versions": dict(self.versions),
            "command": self.command,
        }


def figure_results(file: StudyFile, answers: Sequence[AnalysisAnswer]) -> tuple[FigureResult, ...]:
    """Return the numbers of a study from the answers of its analyses, in the order of the file."""
    of = {name: [answer for answer in answers if answer.run == name] for name in file.analyses}

    def estimate(analysis: str, take: str) -> Estimate:
        return obtained(of[analysis], take)

    return tuple(
        FigureResult(
            figure,
            estimate(figure.of, figure.take),
            None if figure.without_cause is None else estimate(*figure.without_cause),
        )
        for figure in file.figures
    )


def picture_results(file: StudyFile, answers: Sequence[AnalysisAnswer]) -> tuple[tuple[Picture, Drawing | None], ...]:
    """Return the pictures of a study, in the order of the file."""
    whole = {answer.run: answer for answer in answers if answer.purpose == "number"}
    return tuple((picture, whole[picture.of].pictures.get(picture.picture)) for picture in file.pictures)

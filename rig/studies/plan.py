"""Read a study file, and check it with every file that it names: what each arm runs, and what is taken from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from rig.config import LayeredConfig, Loc, SourceLocation, config_issue, load_config, validate
from rig.config.errors.closest_names import unknown_name
from rig.config.errors.formatting import display_path
from rig.config.models.study_file import StudyFile
from rig.core.errors import ConfigError
from rig.session.subject_folder import NAME
from rig.studies.analyses import AnalysisPlan, AnalysisRequest, plan_analysis
from rig.studies.arms import ArmPlan, plan_arm
from rig.studies.power.enough_simulated import mistakes as power_mistakes
from rig.studies.source import StudySource

K = TypeVar("K")
T = TypeVar("T")


def load_study(path: Path) -> tuple[StudyFile, LayeredConfig]:
    """Read a study file by itself, and where its values are written. Raises ``ConfigError``."""
    layered = load_config(path)
    return validate(StudyFile, layered), layered


class Study:
    """A study that was read, with the seed of its file or another ``seed``.

    Its name is that of the file; with another seed the seed is a part of it, so that each seed has a folder of results.
    Raises ``ConfigError`` with the mistakes of all its arms and analyses.
    """

    def __init__(self, path: Path, seed: int | None = None) -> None:
        self.name = path.stem
        self.path = path
        self._mistakes: dict[str, None] = {}
        if not NAME.fullmatch(self.name) or self.name.isdecimal():
            wanted = "letters, digits, '-', '_' or '.' as its name, and not digits alone"
            text = f"a study's results lie in a folder of its name: wanted {wanted}"
            raise ConfigError(config_issue(SourceLocation(display_path(path)), (), text))
        self.source = self._read()
        if seed is not None and seed != self.source.file.seed:
            self.name = f"{path.stem}-seed-{seed}"
            self.source = replace(self.source, file=self.source.file.model_copy(update={"seed": seed}))
        self.file = self.source.file
        self.arms: Mapping[str, ArmPlan] = self._each(
            {name: partial(plan_arm, self.source, name) for name in self.file.arms}
        )
        analyses = self._each(
            {
                wanted.loc: partial(plan_analysis, self.source, wanted, self.arms)
                for wanted in _wanted(self.file)
                # Which one suits the trials is known only of arms without mistakes.
                if wanted.analysis is not None or self.arms.keys() >= set(wanted.arms)
            }
        )
        self._mistakes.update(dict.fromkeys((*self._power_mistakes(), *self._take_mistakes(analyses))))
        if self._mistakes:
            raise ConfigError(*self._mistakes)
        self.analyses: Mapping[str, AnalysisPlan] = {
            plan.name: plan for loc, plan in analyses.items() if loc != STATISTIC
        }
        self.statistic: AnalysisPlan | None = analyses.get(STATISTIC)
        """The analysis from which the number of ``power`` is taken."""

    @property
    def total(self) -> int:
        """Return the number of sessions in all."""
        return sum(arm.total for arm in self.arms.values())

    def _power_mistakes(self) -> Iterator[str]:
        """Yield designs for which the arms have too few subjects."""
        power = self.file.power
        if power is not None and {power.baseline, power.effect} <= self.arms.keys():
            for loc, text in power_mistakes(power, {name: len(arm.subjects) for name, arm in self.arms.items()}):
                yield self.source.error_at(loc, text)

    def _take_mistakes(self, analyses: Mapping[Loc, AnalysisPlan]) -> Iterator[str]:
        """Yield places of numbers whose first step no session can have: the others are known from a run."""
        takes: list[tuple[Loc, Loc, str]] = [
            (("analyses", analysis), loc, take) for loc, analysis, take in self.file.takes
        ]
        if self.file.power is not None:
            takes.append((STATISTIC, (*STATISTIC, "take"), self.file.power.statistic.take))
        for analysis, loc, take in takes:
            found = analyses[analysis].found if analysis in analyses else None
            first = take.partition("/")[0]
            if found is not None and found.kind.answers and first not in found.kind.answers:
                text = unknown_name(f"the answer of {found.name} has no {first!r}", first, found.kind.answers)
                yield self.source.error_at(loc, text)

    def _read(self) -> StudySource:
        """Validate the file; where another part of it is wrong, look at its arms all the same."""
        layered = load_config(self.path)
        try:
            return StudySource(self.path, validate(StudyFile, layered), layered)
        except ConfigError as error:
            self._mistakes.update(dict.fromkeys(error.mistakes))
            arms = {"title": "arms", "arms": layered.data.get("arms")}
            with suppress(ConfigError):
                file = validate(StudyFile, LayeredConfig(arms, layered.locations, layered.sources))
                return StudySource(self.path, file, layered)
            raise

    def _each(self, plans: Mapping[K, Callable[[], T]]) -> dict[K, T]:
        """Return what has no mistakes, and keep the mistakes of the others."""
        results = {}
        for key, plan in plans.items():
            try:
                results[key] = plan()
            except ConfigError as error:
                self._mistakes.update(dict.fromkeys(error.mistakes))
        return results


STATISTIC: Loc = ("power", "statistic")


def _wanted(file: StudyFile) -> Iterator[AnalysisRequest]:
    """Yield the analyses of a study, and at last that of its question of power."""
    for name, run in file.analyses.items():
        takes = [take for _, analysis, take in file.takes if analysis == name]
        pictures = [picture.picture for picture in file.pictures if picture.of == name]
        loc, arms = ("analyses", name), file.arms_of(run)
        yield AnalysisRequest(loc, run.analysis, run.options, arms, run.stages or (), takes, pictures)
    if file.power is not None:
        statistic = file.power.statistic
        yield AnalysisRequest(
            STATISTIC, statistic.analysis, statistic.options, (file.power.baseline, file.power.effect)
        )

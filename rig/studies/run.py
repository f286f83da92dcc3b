"""Run a study from its file to its results; what ran before is not run again."""

from __future__ import annotations

import platform
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import rig
from rig.campaigns.session_job import SessionProduct
from rig.campaigns.store import CampaignStore
from rig.core.errors import ConfigError
from rig.jobs.engine import Engine
from rig.studies.analyses import AnalysisPlan
from rig.studies.analysis_jobs import AnalysisAnswer, run_analyses
from rig.studies.conditions import ResultsBefore, write_conditions
from rig.studies.plan import Study
from rig.studies.results import AnalysisResult, ArmResult, StudyResult, figure_results, picture_results
from rig.studies.sessions import ArmSessions, run_sessions, sessions_done
from rig.system.config_paths import STUDIES
from rig.terminal.format import pluralize

_PACKAGES = ("numpy", "scipy", "pyarrow", "matplotlib")


@dataclass(frozen=True)
class StudyProgress:
    """What a person may want to see of a study that runs: functions that are called when something is ready."""

    on_begin: Callable[[Mapping[str, tuple[int, int]]], object] = lambda arms: None
    """Called with the number of sessions that had run before, and of all, of each arm."""
    on_session: Callable[[SessionProduct], object] = lambda product: None
    on_analysis: Callable[[AnalysisAnswer], object] = lambda answer: None
    on_subject: Callable[[], object] = lambda: None
    """Called when the number of a subject is taken, for a power analysis."""


def results_folder(study: Study, data: Path) -> Path:
    """Return the folder of a study's results; ``data`` is that of all records."""
    return data / STUDIES / study.name


class StudyRun:
    """A study with its folder of results. Raises ``ConfigError`` and ``RecordError``.

    The caller sees to it that no other run uses the folder (``only_run``). ``again`` removes the sessions of arms that
    have changed since they ran, and of arms and subjects that the file no longer has. Without it changed arms are an
    error, and ``left_over`` says what the tables have and the file has not.
    """

    def __init__(self, study: Study, data: Path, *, again: bool = False) -> None:
        self.study = study
        self.folder = results_folder(study, data)
        file = study.file
        self.arms = {name: ArmSessions.of(plan, file) for name, plan in study.arms.items()}
        headers = {name: arm.condition.header for name, arm in self.arms.items()}
        before = ResultsBefore.read(self.folder)
        before.check_study(self.folder, study.path)
        changed = before.changed_arms(self.folder, study.name, self._keys)
        if changed and not again:
            raise ConfigError(
                f"{self.folder}: has sessions of {' and '.join(changed)}, which ran with other settings, other code "
                "or another version: --again runs them again"
            )
        self.store = CampaignStore(self.folder, study.name, headers, keeps_journals=file.keep == "journals")
        for name in changed:
            self.store.forget(name)
        wanted = {name: frozenset(plan.subjects) for name, plan in study.arms.items()}
        if again:
            self.store.keep_only(wanted)
        # Those of arms that the file no longer has are kept, as their sessions are.
        kept = {} if again else before.arms
        write_conditions(self.folder, ResultsBefore(str(study.path.absolute()), {**kept, **self._keys}))
        self.left_over = tuple(_left_over(self.folder, self.store.others(wanted), wanted))

    def sessions(self, names: Iterable[str], engine: Engine, progress: StudyProgress) -> None:
        """Run the sessions of some arms that have not run.

        Raises ``RigError``, and ``KeyboardInterrupt`` after a stop.
        """
        arms = {name: self.arms[name] for name in names}
        progress.on_begin({name: (sessions_done(arm.plan, self.store), arm.plan.total) for name, arm in arms.items()})
        run_sessions(arms, self.store, engine, progress.on_session)

    @property
    def done(self) -> int:
        """Return how many of all sessions need not run any more. Raises ``RecordError``."""
        return sum(sessions_done(plan, self.store) for plan in self.study.arms.values())

    @property
    def compared(self) -> list[str]:
        """Return the arms whose sessions are analyzed; without analyses all of them."""
        analyzed = {name for plan in self.study.analyses.values() for name in plan.arms}
        return [name for name in self.arms if name in analyzed or not analyzed]

    def result(self, engine: Engine, progress: StudyProgress, command: str) -> StudyResult:
        """Return what the study found in its sessions; ``command`` is what repeats it. Raises ``RigError``."""
        file = self.study.file
        answers = run_analyses(self.study.analyses.values(), self.store, engine, progress.on_analysis)
        return StudyResult(
            name=self.study.name,
            file=file,
            arms=tuple(self._arm(self.arms[name]) for name in self.compared),
            analyses=tuple(self._analysis(plan) for plan in self.study.analyses.values()),
            figures=figure_results(file, answers),
            pictures=picture_results(file, answers),
            notes=(*self.left_over, *_notes(answers)),
            versions=versions(),
            command=command,
        )

    @property
    def _keys(self) -> dict[str, str]:
        """Return what decides the sessions of each arm: how many each subject has, and what is kept, too."""
        keep = self.study.file.keep
        return {name: f"{arm.condition.key}-{arm.plan.sessions}-{keep}" for name, arm in self.arms.items()}

    def _arm(self, arm: ArmSessions) -> ArmResult:
        plan = arm.plan
        counts = [self.store.counts(plan.name, subject) for subject in plan.subjects]
        sessions, trials = (sum(count) for count in zip(*counts, strict=True))
        alone = arm.order(plan.subjects[0], ()).alone
        return ArmResult(plan.name, plan.what, len(plan.subjects), sessions, trials, alone)

    def _analysis(self, plan: AnalysisPlan) -> AnalysisResult:
        options = self.study.file.analyses[plan.name].options
        return AnalysisResult(plan.name, plan.found.name, tuple(plan.arms), plan.stages, options)


def _left_over(
    folder: Path, others: Mapping[str, Collection[str]], wanted: Mapping[str, Collection[str]]
) -> Iterator[str]:
    """Yield sentences that say which sessions lie in the tables that the file has no more."""
    for arm, subjects in others.items():
        count = pluralize(len(subjects), "subject")
        whose = f"{count} of arm {arm}" if arm in wanted else f"arm {arm} ({count})"
        yield f"{folder}: also has {whose}, which the file no longer has: --again removes them"


def _notes(answers: Iterable[AnalysisAnswer]) -> Iterable[str]:
    """Return the remarks of the analyses of all subjects, each once."""
    return dict.fromkeys(note for answer in answers if answer.purpose == "number" for note in answer.notes)


def versions() -> dict[str, str]:
    """Return the versions of the program, of Python and of the packages that decide a study's numbers."""
    return {
        "behavior-rig": rig.__version__,
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
    }

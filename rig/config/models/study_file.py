"""Study files: arms of virtual subjects, the analyses of their sessions, and the figures expected of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.models.study_figures import ExpectedFigure, Picture, Unreached
from rig.config.models.study_labels import ColumnLabel, Label, Place
from rig.devices.base import StrictModel


def _number_or_names(value: object) -> str:
    return "names" if isinstance(value, list) else "number"


# Told apart before they are validated: a mistake in a list of names is not one in a number too.
Subjects = Annotated[
    Annotated[int, Field(ge=1, le=100_000), Tag("number")]
    | Annotated[list[ColumnLabel], Field(min_length=1), Tag("names")],
    Discriminator(_number_or_names),
]


class Arm(StrictModel):
    """Virtual subjects under one condition."""

    like: Label | None = Field(default=None, description="another arm, whose values hold where this one has none")
    protocol: str | None = Field(
        default=None, description="the protocol: a name, or the path of a file, counted from this one"
    )
    curriculum: str | None = Field(
        default=None, description="a curriculum in its place, whose stage the subject's records select"
    )
    rig: str | None = Field(default=None, description="the rig; the protocol's own for simulations when not given")
    model: str | None = Field(default=None, description="the virtual subject; required, here or in the arm it is like")
    model_params: dict[str, object] = Field(
        default_factory=dict, description="parameters of the virtual subject; a file begins with ./"
    )
    params: dict[str, object] = Field(default_factory=dict, description="what differs from the protocol's file")
    stop: dict[str, object] = Field(default_factory=dict, description="what differs from the protocol's file")
    subjects: Subjects | None = Field(default=None, description="how many subjects, or their names; 1 when not given")
    same_subjects_as: Label | None = Field(
        default=None, description="another arm, whose subjects come under this condition too"
    )
    sessions: int | None = Field(default=None, ge=1, le=10_000, description="sessions of each subject, one a day; 1")

    @property
    def session_count(self) -> int:
        """Return the number of sessions of each subject."""
        return self.sessions or 1

    def laid_over(self, base: Arm) -> Arm:
        """Return this arm with the values of another one where it has none; mappings are merged by their keys."""
        own = {name: getattr(self, name) for name in self.model_fields_set}
        if self.protocol is not None or self.curriculum is not None:
            own = {"protocol": None, "curriculum": None, **own}
        merged = {name: {**getattr(base, name), **getattr(self, name)} for name in ("model_params", "params", "stop")}
        return base.model_copy(update={**own, **merged})


class AnalysisRun(StrictModel):
    """One analysis of the sessions of some arms."""

    analysis: str | None = Field(default=None, description="its name; the one that suits the trials when not given")
    arms: list[Label] | None = Field(default=None, min_length=1, description="the arms; all of them when not given")
    stages: list[str] | None = Field(
        default=None, min_length=1, description="only sessions of these stages of the curriculum"
    )
    options: dict[str, object] = Field(
        default_factory=dict, description="options of `rig analyze`, without the dashes: skip_first: 10"
    )


class Statistic(StrictModel):
    """The number of each subject that a power analysis compares."""

    analysis: str | None = Field(default=None, description="the analysis; the one that suits the trials when not given")
    options: dict[str, object] = Field(default_factory=dict, description="options of `rig analyze`, without the dashes")
    take: Place = Field(description="its place in what `rig analyze --json` prints for the sessions of one subject")
    name: str = Field(min_length=1, description="what it is, for a reader")
    unit: str = Field(default="", description="its unit")


class Power(StrictModel):
    """The question how many subjects an effect needs."""

    baseline: Label = Field(description="the arm without the effect")
    effect: Label = Field(description="the arm with it")
    design: Literal["between", "within"] = Field(
        default="between", description="between: two groups of subjects; within: each subject under both conditions"
    )
    statistic: Statistic = Field(description="the number of each subject that is compared")
    test: Literal["permutation", "mixed_model"] = Field(
        default="permutation",
        description="permutation: of one number of each subject; mixed_model: of one of each session, with the "
        "subject as a random effect",
    )
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="the level of the test, two-sided")
    subjects: list[Annotated[int, Field(ge=2, le=10_000)]] = Field(
        min_length=1, description="numbers of subjects to compare: in each group, or in all where design is within"
    )
    sessions: list[Annotated[int, Field(ge=1, le=10_000)]] = Field(
        default=[1], min_length=1, description="numbers of sessions of each subject to compare"
    )
    experiments: int = Field(default=1000, ge=100, le=1_000_000, description="simulated experiments for each design")


class StudyFile(StrictModel):
    """A study: its arms, and what is taken from their sessions."""

    title: str = Field(min_length=1, description="what it is about, in a line")
    paper: str = Field(default="", description="the paper whose numbers it compares with")
    seed: int = Field(default=1, ge=0, description="the random seed; with it each session is the same everywhere")
    keep: Literal["tables", "journals"] = Field(
        default="tables", description="tables: journals are thrown away; journals: they are kept beside the tables"
    )
    arms: dict[ColumnLabel, Arm] = Field(min_length=1, description="the arms, by names of your own")
    analyses: dict[Label, AnalysisRun] = Field(default_factory=dict, description="the analyses, by names of your own")
    figures: list[ExpectedFigure] = Field(default_factory=list, description="numbers that it compares")
    not_reached: list[Unreached] = Field(
        default_factory=list, description="published numbers that cannot be compared, each with its reason"
    )
    pictures: list[Picture] = Field(default_factory=list, description="pictures on its page")
    power: Power | None = Field(default=None, description="the question of `rig study power`")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if mistakes := [*_differ(self.arms), *_likes(self.arms), *_named(self)]:
            raise ConfigIssuesError(*mistakes)
        if mistakes := [*_runs(self.resolved), *_powered(self)]:
            raise ConfigIssuesError(*mistakes)
        return self

    @property
    def resolved(self) -> dict[str, Arm]:
        """Return the arms, each with the values of the arm that it is like."""
        return {name: self.arm(name) for name in self.arms}

    def arm(self, name: str) -> Arm:
        """Return an arm with the values of the arm that it is like."""
        own = self.arms[name]
        return own if own.like is None else own.laid_over(self.arm(own.like))

    def subjects_of(self, name: str) -> list[str]:
        """Return the names of an arm's subjects.

        Those that the file only counts have the arm's name, the random seed and a number. A model draws what is
        particular to a subject from its name: so another seed has other subjects, and not the same ones again.
        """
        name, arm = self._source_of_subjects(name)
        if isinstance(arm.subjects, list):
            return list(arm.subjects)
        count = arm.subjects or 1
        return [f"{name}-s{self.seed}-{number:0{max(3, len(str(count)))}d}" for number in range(1, count + 1)]

    def named_subjects_of(self, name: str) -> list[str]:
        """Return the subjects of an arm that the file names: they are individuals, the same for every seed."""
        _, arm = self._source_of_subjects(name)
        return list(arm.subjects) if isinstance(arm.subjects, list) else []

    def _source_of_subjects(self, name: str) -> tuple[str, Arm]:
        """Return the arm that says who the subjects of an arm are."""
        arm = self.arm(name)
        return (name, arm) if arm.same_subjects_as is None else self._source_of_subjects(arm.same_subjects_as)

    def arms_of(self, run: AnalysisRun) -> list[str]:
        """Return the names of the arms whose sessions an analysis takes."""
        return list(self.arms) if run.arms is None else list(run.arms)

    @property
    def takes(self) -> Iterator[tuple[Loc, str, str]]:
        """Yield each number that is taken for a figure: where the file says so, the analysis, and the place there."""
        for index, figure in enumerate(self.figures):
            yield ("figures", index, "take"), figure.of, figure.take
            if figure.explanation is not None and figure.without_cause is not None:
                key = "without" if figure.explanation.take is None else "take"
                yield ("figures", index, "explanation", key), *figure.without_cause


_REFERENCES = ("like", "same_subjects_as")


def _differ(arms: Mapping[str, Arm]) -> Iterator[tuple[Loc, str]]:
    """Yield arms whose folders would be one on a system that does not tell capital letters from small ones."""
    of_name: dict[str, str] = {}
    for name in arms:
        if (same := of_name.setdefault(name.lower(), name)) != name:
            yield ("arms", name), f"another arm is called {same}: choose names that differ by more than capital letters"


def _likes(arms: Mapping[str, Arm]) -> Iterator[tuple[Loc, str]]:
    """Yield arms that name an arm that is not there, or themselves, directly or through others."""
    for name, arm in arms.items():
        for key in _REFERENCES:
            other = getattr(arm, key)
            if other is not None and other not in arms:
                yield ("arms", name, key), unknown_name(f"there is no arm {other!r}", other, list(arms))
            elif name in _chain(arms, name, key)[1:]:
                yield ("arms", name, key), "names itself: " + ", ".join(_chain(arms, name, key))


def _chain(arms: Mapping[str, Arm], name: str, key: str) -> list[str]:
    """Return an arm and those that it refers to, up to the first one that comes again."""
    chain = [name]
    while (after := getattr(arms[chain[-1]], key)) in arms:
        chain.append(after)
        if after in chain[:-1]:
            break
    return chain


def _named(study: StudyFile) -> Iterator[tuple[Loc, str]]:
    """Yield names of arms and analyses that the study does not have."""
    for run, analysis in study.analyses.items():
        for index, arm in enumerate(analysis.arms or ()):
            yield from _unknown("arm", arm, study.arms, ("analyses", run, "arms", index))
    listed: Sequence[tuple[str, Sequence[ExpectedFigure | Picture]]] = (
        ("figures", study.figures),
        ("pictures", study.pictures),
    )
    for key, entries in listed:
        for index, entry in enumerate(entries):
            yield from _unknown("analysis", entry.of, study.analyses, (key, index, "of"))
    for index, figure in enumerate(study.figures):
        if figure.explanation is not None and figure.explanation.without is not None:
            loc = ("figures", index, "explanation", "without")
            yield from _unknown("analysis", figure.explanation.without, study.analyses, loc)
    if study.power is not None:
        yield from _unknown("arm", study.power.baseline, study.arms, ("power", "baseline"))
        yield from _unknown("arm", study.power.effect, study.arms, ("power", "effect"))


def _unknown(what: str, name: str, there: Collection[str], loc: Loc) -> Iterator[tuple[Loc, str]]:
    if name not in there:
        yield loc, unknown_name(f"there is no {what} {name!r}", name, list(there))


def _runs(arms: Mapping[str, Arm]) -> Iterator[tuple[Loc, str]]:
    """Yield arms without a protocol or a model, and subjects that are named twice."""
    for name, arm in arms.items():
        if arm.protocol is not None and arm.curriculum is not None:
            yield ("arms", name, "curriculum"), "chooses the protocol by itself: leave protocol out"
        elif arm.protocol is None and arm.curriculum is None:
            yield ("arms", name), "runs nothing: give protocol or curriculum"
        if arm.model is None:
            yield ("arms", name), "has no virtual subject: give model, such as rflr"
        names = arm.subjects if isinstance(arm.subjects, list) else []
        for place, twice, first in _repeated(names):
            yield ("arms", name, "subjects", place), f"{twice} is named twice{_as(first, twice)}: wanted each once"
    for _, twice, first in _repeated(list(arms)):
        yield ("arms", twice), f"another arm is called {first}: some systems take both for one"


def _repeated(names: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the place of a name that came before, the name, and as what it came; capital letters count as small."""
    first: dict[str, str] = {}
    for index, name in enumerate(names):
        # Arms and subjects are folders, and Windows and macOS do not tell capital letters from small ones there.
        if name.lower() in first:
            yield index, name, first[name.lower()]
        first.setdefault(name.lower(), name)


def _as(first: str, twice: str) -> str:
    return "" if first == twice else f", first as {first}"


def _powered(study: StudyFile) -> Iterator[tuple[Loc, str]]:
    """Yield designs for which the arms have too few sessions, or not the same subjects."""
    power = study.power
    if power is None:
        return
    if power.baseline == power.effect:
        yield ("power", "effect"), "is the baseline itself: wanted another arm"
        return
    for name in (power.baseline, power.effect):
        sessions = study.arm(name).session_count
        if max(power.sessions) > sessions:
            yield ("power", "sessions"), f"arm {name} has {sessions} sessions of each subject: wanted no more"
    same = study.subjects_of(power.baseline) == study.subjects_of(power.effect)
    if power.design == "within" and not same:
        yield ("power", "design"), f"within: give arm {power.effect} same_subjects_as: {power.baseline}"
    if power.design == "between" and same:
        yield ("power", "design"), "between: the arms have the same subjects: wanted two groups"

"""One arm of a study: the request of its sessions, checked on the rig and with the virtual subject that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rig.boards.driver_lookup import find_driver
from rig.config import Loc, collect_errors, find_from
from rig.config.errors.errors import ConfigIssue
from rig.config.errors.formatting import display_path
from rig.config.models.study_file import Arm
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.session.check.virtual_subject import model_mistakes
from rig.session.curriculum.stage_planner import StagePlanner
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.sets import sets_of, sets_placed
from rig.session.subject_folder import check_name
from rig.studies.option_words import word_of
from rig.studies.source import StudySource
from rig.system.config_paths import Kind
from rig.terminal.format import param_texts

_KINDS: dict[str, Kind] = {"protocol": "protocols", "curriculum": "curricula", "rig": "rigs"}


@dataclass(frozen=True)
class ArmPlan:
    """What the sessions of an arm run."""

    name: str
    request: SessionRequest
    """The request of each session, without data folder, subject, seed and start; its files have whole paths."""
    subjects: tuple[str, ...]
    sessions: int
    """Sessions of each subject."""
    specs: Mapping[str, SessionSpec]
    """The specification of each stage of its curriculum; that of a protocol has an empty name."""
    what: str
    """Its protocol or curriculum and its virtual subject, each with the values that the study sets."""

    @property
    def total(self) -> int:
        """Return the number of sessions of all its subjects."""
        return len(self.subjects) * self.sessions


def plan_arm(source: StudySource, name: str) -> ArmPlan:
    """Return what the sessions of an arm run. Raises ``ConfigError`` with all its mistakes, each at its line."""
    arm = source.file.arm(name)
    of_arm = _ArmValues(source, name)
    what, rig, simulation = collect_errors(of_arm.what, of_arm.rig, of_arm.simulation)
    request = SessionRequest(
        protocol=None if arm.curriculum is not None else what,
        curriculum=what if arm.curriculum is not None else None,
        rig=rig,
        sets=sets_of(arm.params, arm.stop),
        simulation=simulation,
    )
    try:
        planner = StagePlanner(request)
        specs = {"" if planner.curriculum is None else spec: of for spec, of in _specs(planner)}
    except ConfigError as error:
        raise ConfigError(*placed_in_arm(source, name, error.mistakes)) from None
    subjects = tuple(source.file.subjects_of(name))
    if mistakes := [
        *of_arm.table_mistakes(specs),
        *of_arm.board_mistakes(specs),
        *of_arm.subject_mistakes(planner, subjects),
    ]:
        raise ConfigError(*dict.fromkeys(mistakes))
    if mistakes := list(of_arm.model_mistakes(specs)):
        raise ConfigError(*dict.fromkeys(mistakes))
    return ArmPlan(name, request, subjects, arm.session_count, specs, _what(arm))


def _what(arm: Arm) -> str:
    task = _with_values(arm.protocol or arm.curriculum or "", {**arm.params, **arm.stop})
    return f"{task}, virtual subject {_with_values(arm.model or '', arm.model_params)}"


def _with_values(name: str, values: Mapping[str, Any]) -> str:
    return f"{name} ({', '.join(param_texts(values))})" if values else name


def _specs(planner: StagePlanner) -> Iterator[tuple[str, SessionSpec]]:
    stages = [""] if planner.curriculum is None else list(planner.curriculum.file.stages)
    return zip(stages, planner.everything(), strict=True)


def placed_in_arm(source: StudySource, name: str, mistakes: Iterable[str]) -> list[str]:
    """Return mistakes of the files that an arm names; those of its values, and those without a place, at its lines.

    A last one names the other files in which there are mistakes: a reader of these does not know the arm.
    """
    placed = [
        said if isinstance(said, ConfigIssue) else source.error_at(("arms", name), said)
        for said in sets_placed(
            mistakes, lambda key, text: source.error_at(source.loc_in_arm(name, *key.split(".")), text)
        )
    ]
    own = [display_path(path) for path in source.layered.sources]
    others = dict.fromkeys(said.location.file for said in placed if said.location.file not in own)
    if others:
        placed.append(source.error_at(("arms", name), f"cannot run: there are mistakes in {', '.join(others)}"))
    return list(placed)


class _ArmValues:
    """The values of an arm, and mistakes at their lines."""

    def __init__(self, source: StudySource, name: str) -> None:
        self._source = source
        self._name = name
        self._arm = source.file.arm(name)

    def what(self) -> str:
        """Return the path of the protocol or the curriculum."""
        if self._arm.curriculum is not None:
            return self._file("curriculum", self._arm.curriculum)
        return self._file("protocol", str(self._arm.protocol))

    def rig(self) -> str | None:
        """Return the path of the rig; None is the protocol's own."""
        return None if self._arm.rig is None else self._file("rig", self._arm.rig)

    def simulation(self) -> SimulationOptions:
        """Return the virtual subject and its parameters."""
        loc, model = self._loc("model"), str(self._arm.model)
        if model == PERSON:
            raise ConfigError(self._source.error_at(loc, f"{PERSON} is a person, who needs real time: use `rig run`"))
        options: dict[str, str] = {}
        mistakes = []
        for key, value in self._arm.model_params.items():
            try:
                options[key] = self._source.value_named(self._loc("model_params", key), word_of(value))
            except ValueError as error:
                mistakes.append(self._source.error_at(self._loc("model_params", key), str(error)))
        if mistakes:
            raise ConfigError(*mistakes)
        return SimulationOptions(self._source.class_named(loc, model), options)

    def board_mistakes(self, specs: Mapping[str, SessionSpec]) -> Iterator[ConfigIssue]:
        """Yield rigs with a real board."""
        for spec in specs.values():
            if not find_driver(spec.plan.board.driver).accepts_models:
                text = f"{spec.plan.name} has a real board ({spec.plan.board.driver}): wanted a simulated rig"
                yield self._source.error_at(self._loc("rig"), text)

    def table_mistakes(self, specs: Mapping[str, SessionSpec]) -> Iterator[ConfigIssue]:
        """Yield a curriculum whose stages write tables of different columns: those of a subject are one table."""
        (first, spec), *others = specs.items()
        tables = spec.header.columns, spec.header.tables
        for stage, other in others:
            if (other.header.columns, other.header.tables) != tables:
                text = f"stages {first} and {stage} write tables of different columns: wanted an arm for each protocol"
                yield self._source.error_at(self._loc("curriculum"), text)
                return

    def model_mistakes(self, specs: Mapping[str, SessionSpec]) -> Iterator[ConfigIssue]:
        """Yield what is wrong with the virtual subject, its parameters and what it needs of the rig."""
        for spec in specs.values():
            for key, text in model_mistakes(spec):
                loc = self._loc("model_params", *key.split(".")) if key else self._loc("model")
                yield self._source.error_at(loc, text)

    def subject_mistakes(self, planner: StagePlanner, subjects: tuple[str, ...]) -> Iterator[ConfigIssue]:
        """Yield names that cannot be those of subjects, or that the curriculum can give no stage."""
        own = isinstance(self._arm.subjects, list) and self._arm.same_subjects_as is None
        for index, subject in enumerate(subjects):
            loc = self._loc("subjects", index) if own else self._loc("same_subjects_as")
            try:
                check_name(subject)
                if planner.curriculum is not None:
                    planner.curriculum.file.first_of(subject)
            except ConfigError as error:
                yield self._source.error_at(loc, str(error))

    def _loc(self, *keys: str | int) -> Loc:
        return self._source.loc_in_arm(self._name, *keys)

    def _file(self, key: str, word: str) -> str:
        loc = self._loc(key)
        found = self._source.at(loc, partial(find_from, self._source.folder(loc), _KINDS[key], word))
        return str(found.absolute())

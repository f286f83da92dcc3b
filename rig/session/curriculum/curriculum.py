"""A curriculum as it is run: its file, the specification of each stage, built when it is wanted, a subject's stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial, reduce
from pathlib import Path

from rig.config import LayeredConfig, collect_errors, config_issue, find_from, load_config, merge, validate
from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import Loc
from rig.config.inheritance import COMMAND_LINE
from rig.config.inheritance import parse_override as override_of
from rig.config.models.curriculum import CurriculumFile, dangling_rules, valid_stages
from rig.core.errors import ConfigError
from rig.records.session.history import past_sessions
from rig.session.curriculum.condition_checks import RowLimits, check_rules
from rig.session.curriculum.paths import circles, skipped, unreached
from rig.session.curriculum.stay_checks import check_stay, restarted
from rig.session.select_stage import StageDecision, StageOverride, select_stage
from rig.session.spec.build import spec_from_config
from rig.session.spec.read_protocol import task_of
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec

_LAID_OVER = ("params", "stop")
_DECIDED = "wanted --stage NAME --override stage='reason', or the protocol without a curriculum"


class Curriculum:
    """A curriculum that was read; rig, sets and driver of the request are those of every stage.

    Raises ``ConfigError``.
    """

    def __init__(self, path: Path, request: SessionRequest) -> None:
        self.name = path.stem
        self.layered = load_config(path)
        self._path = path
        self._request = request
        self._specs: dict[str, SessionSpec] = {}
        self.file = self._read()
        self._check_sets()

    def _read(self) -> CurriculumFile:
        """Validate the file; where a stage of it is wrong, look at the others all the same, and tell of all."""
        try:
            return validate(CurriculumFile, self.layered)
        except ConfigError as error:
            stages = valid_stages(self.layered.data)
            self.file = CurriculumFile.model_construct(stages=stages)
            # All names count, also of stages with a mistake: a rule that leads there is right.
            names = self.layered.data.get("stages")
            lost = [
                (("stages", *loc), text)
                for loc, text in dangling_rules(stages, names if isinstance(names, dict) else ())
            ]
            mistakes = [*error.mistakes, *(config_issue(self.layered.location(loc), loc, text) for loc, text in lost)]
            try:
                self.check()
            except ConfigError as more:
                mistakes += more.mistakes
            raise ConfigError(*dict.fromkeys(mistakes)) from None

    def _check_sets(self) -> None:
        """Check that no ``--set`` replaces what an assigned stage decides. Raises ``ConfigError``.

        The header would name the stage, and the session would have another condition.
        """
        if self.file.assign is None:
            return
        decided = {key for stage in self.file.assign.stages for key in self.file.stages[stage].params}
        params = [override_of(text).data.get("params") for text in self._request.sets]
        keys = [key for values in params if isinstance(values, dict) for key in values]
        mistakes = [
            config_issue(COMMAND_LINE, ("params", key), f"the stages of curriculum {self.name} decide it: {_DECIDED}")
            for key in dict.fromkeys(keys)
            if key in decided
        ]
        if mistakes:
            raise ConfigError(*mistakes)

    def spec(self, stage: str) -> SessionSpec:
        """Build the specification of a stage, once. Raises ``ConfigError`` with every mistake in its files."""
        if stage not in self._specs:
            self._specs[stage] = spec_from_config(self._layered(stage), self._request)
        return self._specs[stage]

    def _layered(self, stage: str) -> LayeredConfig:
        """Return the stage's protocol with the changes of the stage and of the command line."""
        layers = (load_config(self._protocol(stage)), self._laid_over(stage), *map(override_of, self._request.sets))
        return reduce(merge, layers)

    def _protocol(self, stage: str) -> Path:
        """Return the protocol's file, which is a path from the curriculum's folder or a name."""
        name, loc = self.file.stages[stage].protocol, ("stages", stage, "protocol")
        mark = self.layered.location(loc)
        folder = self._path.parent if mark.line is None else Path(mark.file).parent  # of a file that is extended
        try:
            return find_from(folder, "protocols", name)
        except ConfigError as error:
            raise ConfigError(config_issue(mark, loc, str(error))) from None

    def _laid_over(self, stage: str) -> LayeredConfig:
        """Return what a stage changes in its protocol's file, each value with its line in the curriculum."""
        own = {key: value for key in _LAID_OVER if (value := getattr(self.file.stages[stage], key))}
        below = {loc[2:]: mark for loc, mark in self.layered.locations.items() if loc[:2] == ("stages", stage)}
        marks = {loc: mark for loc, mark in below.items() if loc and loc[0] in own}
        return LayeredConfig(own, marks, self.layered.sources)

    def check(self) -> None:
        """Check every stage. Raises ``ConfigError`` with all mistakes of all their files."""
        collect_errors(*(partial(self._check_stage, stage) for stage in self.file.stages))

    def _check_stage(self, stage: str) -> None:
        collect_errors(partial(self.spec, stage), partial(self._check_rules, stage))

    def _check_rules(self, stage: str) -> None:
        """Check the rules of a stage, whatever else is wrong with its protocol's file."""
        try:
            layered = self._layered(stage)
            table = task_of(layered).task.row_type
        except ConfigError:  # told where the specification is built
            return
        # From the raw values: a mistake elsewhere in the protocol's file must not hide one of the rules.
        most = RowLimits.of_section(layered.data.get("stop"))
        of_stage = self.file.stages[stage]
        wrong = [*check_rules(of_stage, table, most), *check_stay(of_stage)]
        if mistakes := [
            config_issue(self.layered.location(at), at, text) for at, text in _below(("stages", stage), wrong)
        ]:
            raise ConfigError(*mistakes)

    def warnings(self) -> Iterator[str]:
        """Yield what is right, but may not be meant."""
        for loc, text in (*restarted(self.file.stages), *circles(self.file), *skipped(self.file)):
            yield config_issue(self.layered.location(loc), loc, text)

    @property
    def unreached(self) -> list[str]:
        """Return the names of the stages to which no rule leads."""
        return unreached(self.file)

    def override(self, stage: str, reason: str) -> StageOverride:
        """Return a stage that a person has chosen. Raises ``ConfigError`` if there is none of that name."""
        if stage not in self.file.stages:
            raise ConfigError(
                unknown_name(f"--stage {stage}: {self.name} has no such stage", stage, list(self.file.stages))
            )
        return StageOverride(stage, reason)

    def decide(self, folder: Path, override: StageOverride | None = None, *, simulated: bool = False) -> StageDecision:
        """Return the stage of a subject's next session; ``folder`` is the subject's.

        Raises ``RecordError``, and ``ConfigError`` for a new subject without a number where that decides.
        """
        past = (session for session in past_sessions(folder, simulated=simulated) if session.voided is None)
        return select_stage(self.name, self.file, past, override, subject=folder.name)


def _below(loc: Loc, problems: Iterable[tuple[Loc, str]]) -> Iterator[tuple[Loc, str]]:
    return (((*loc, *inner), text) for inner, text in problems)

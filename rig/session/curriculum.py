"""A curriculum as it is run: its file, the protocol of each stage, prepared when it is wanted, a subject's stage."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from rig.config import Layered, collect, find, load, merge, mistake, validate
from rig.config.criteria import Comparison, Condition, Wanted, is_number
from rig.config.curriculum import CurriculumFile
from rig.config.layers import override as override_of
from rig.config.mistakes import Loc
from rig.config.words import unknown
from rig.core.errors import ConfigError
from rig.records.past import Past, past_sessions
from rig.session.setup import Prepared, prepare_layered
from rig.session.stages import Decision, Override, decide
from rig.session.tasks import AnyTask

_LAID_OVER = ("params", "stop")
_NUMBERS = {int, float, bool}


class Curriculum:
    """A curriculum that was read; rig, sets, driver and day are those of every stage. Raises ``ConfigError``."""

    def __init__(
        self,
        path: Path,
        rig: str | None = None,
        sets: Sequence[str] = (),
        driver: str | None = None,
        *,
        today: datetime.date | None = None,
    ) -> None:
        self.name = path.stem
        self.layered = load(path)
        self.file = validate(CurriculumFile, self.layered)
        self._path = path
        self._sets = tuple(sets)
        self._prepare = partial(prepare_layered, rig=rig, driver=driver, today=today)
        self._prepared: dict[str, Prepared] = {}

    def prepared(self, stage: str) -> Prepared:
        """Prepare the protocol of a stage, once. Raises ``ConfigError`` with every mistake in its files."""
        if stage not in self._prepared:
            layered, over = load(self._protocol(stage)), self._laid_over(stage)
            self._prepared[stage] = self._prepare(reduce(merge, (layered, over, *map(override_of, self._sets))))
        return self._prepared[stage]

    def _protocol(self, stage: str) -> Path:
        """Find the protocol's file: a path from the curriculum's folder, or a name."""
        name, loc = self.file.stages[stage].protocol, ("stages", stage, "protocol")
        mark = self.layered.mark(loc)
        folder = self._path.parent if mark.line is None else Path(mark.file).parent  # of a file that is extended
        beside = folder / name
        if beside.is_file() and beside.suffix:
            return beside
        try:
            return find("protocols", name, (folder.parent,))
        except ConfigError as error:
            raise ConfigError(mistake(mark, loc, str(error))) from None

    def _laid_over(self, stage: str) -> Layered:
        """Give what a stage changes in its protocol's file, each value with its line in the curriculum."""
        given = {key: value for key in _LAID_OVER if (value := getattr(self.file.stages[stage], key))}
        below = {loc[2:]: mark for loc, mark in self.layered.marks.items() if loc[:2] == ("stages", stage)}
        marks = {loc: mark for loc, mark in below.items() if loc and loc[0] in given}
        return Layered(given, marks, self.layered.sources)

    def check(self) -> None:
        """Look at every stage. Raises ``ConfigError`` with all mistakes of all their files."""
        collect(*(partial(self._check_stage, stage) for stage in self.file.stages))

    def _check_stage(self, stage: str) -> None:
        task = self.prepared(stage).found.task
        if wrong := list(self._wrong_columns(stage, task)):
            raise ConfigError(*wrong)

    def _wrong_columns(self, stage: str, task: AnyTask) -> Iterator[str]:
        columns, hints = task.row_type.columns(), _hints(task)
        for place, rule in enumerate(self.file.stages[stage].rules):
            for number, condition in enumerate(rule.when):
                at: Loc = ("stages", stage, "rules", place, "when", number)
                for loc, column in condition.columns():
                    mark, here = self.layered.mark((*at, *loc)), (*at, *loc)
                    if column not in columns:
                        yield mistake(mark, here, unknown(f"the table has no column {column!r}", column, columns))
                    elif _is_reckoned(condition, loc) and not _is_numeric(hints.get(column)):
                        yield mistake(mark, here, f"column {column!r} holds words; wanted one of numbers")
                for loc, wanted in condition.cells():
                    if said := _never(wanted, hints.get(loc[-1])):
                        here = (*at, *loc)
                        yield mistake(self.layered.mark(here), here, f"column {loc[-1]!r} {said}")

    @property
    def unreached(self) -> list[str]:
        """Name the stages to which no rule leads."""
        reached = {self.file.first, *(rule.to for stage in self.file.stages.values() for rule in stage.rules)}
        return [name for name in self.file.stages if name not in reached]

    def override(self, stage: str, reason: str) -> Override:
        """Choose a stage by hand. Raises ``ConfigError`` when there is none of that name."""
        if stage not in self.file.stages:
            raise ConfigError(unknown(f"--stage {stage}: {self.name} has no such stage", stage, list(self.file.stages)))
        return Override(stage, reason)

    def decide(self, folder: Path, override: Override | None = None) -> Decision:
        """Choose the stage of a subject's next session; ``folder`` is the subject's. Raises ``RecordError``."""
        past = (session for session in past_sessions(folder) if isinstance(session, Past))
        return decide(self.name, self.file, past, override)


def _hints(task: AnyTask) -> Mapping[str, Any]:
    """Give the types of a table's columns, as far as they are known."""
    with suppress(NameError, TypeError):  # of a class that somebody has defined inside a function
        return get_type_hints(task.row_type)
    return {}


def _is_reckoned(condition: Condition, loc: Sequence[str]) -> bool:
    return loc == (condition.measure,)


def _never(wanted: Wanted, hint: Any) -> str:
    """Say why no cell of a column is as wanted; nothing where one may be, or where the column's type is not known."""
    cells = wanted if isinstance(wanted, list) else [wanted]
    if not cells:
        return "is to be one of no values: list one or more"
    reckoned = [cell for cell in cells if (cell.bounds if isinstance(cell, Comparison) else is_number(cell))]
    if reckoned and not _is_numeric(hint):
        return "holds words, and is compared with a number"
    texts = [cell for cell in cells if isinstance(cell, str)]
    if texts and _members(hint) and _members(hint) <= _NUMBERS:
        return f"holds numbers, and never {texts[0]!r}"
    return ""


def _members(hint: Any) -> set[Any]:
    """Give the types of which a column's is made; none where it is not known."""
    return set() if hint in (None, Any) else set(get_args(hint) or (hint,)) - {NoneType}


def _is_numeric(hint: Any) -> bool:
    """Tell whether a column may hold numbers; of one whose type is not known anything may be."""
    return not _members(hint) or bool(_members(hint) & _NUMBERS)

"""Read a boxes file: what each box runs, and that no two of them share a port, a board, a camera or a calibration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from rig.boards.driver_lookup import find_driver
from rig.boards.ports import port_identity
from rig.config import LayeredConfig, collect_errors, config_issue, find_from, load_config, validate
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.models.boxes_file import BoxEntry, BoxesFile
from rig.core.errors import ConfigError
from rig.session.curriculum.curriculum import Curriculum
from rig.session.spec.build import build_spec
from rig.session.spec.compatibility import check_rig
from rig.session.spec.read_rig import Rig, read_rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.sets import sets_of, sets_placed
from rig.session.subject_folder import check_name
from rig.system.config_paths import Kind
from rig.system.settings import Settings, rig_of

T = TypeVar("T")

FEW_BOXES = 2
"""From so many boxes with real boards on, each of them names its port: the only USB port is that of one board."""


@dataclass(frozen=True)
class BoxPlan:
    """What one box is to run; ``words`` are those of ``rig run``, without its answers to questions."""

    name: str
    subject: str
    words: tuple[str, ...]
    cpus: tuple[int, ...]
    rig: Rig
    simulated: bool
    """Whether its board is simulated."""


class Boxes:
    """A boxes file that was read. Raises ``ConfigError`` with the mistakes of all its boxes.

    ``only`` are the boxes that are meant; without it all of them.
    """

    def __init__(self, path: Path, settings: Settings, only: Sequence[str] = ()) -> None:
        self.path = path
        self._settings = settings
        self._layered = load_config(path)
        self._file = validate(BoxesFile, self._layered)
        if unknown := [name for name in only if name not in self._file.boxes]:
            raise ConfigError(f"--only {unknown[0]}: {path} has no such box; it has {', '.join(self._file.boxes)}")
        plans: list[Callable[[], BoxPlan]] = [partial(self._plan, name) for name in self._file.boxes]
        self.plans: tuple[BoxPlan, ...] = collect_errors(*plans)
        if mistakes := list(self._shared()):
            raise ConfigError(*mistakes)

    def error_at(self, box: str, key: str, text: str) -> ConfigIssue:
        """Return a mistake of a box with its line; a value that is not its own is among the defaults."""
        loc = self._loc(box, key)
        return config_issue(self._layered.location(loc), loc, text)

    def warnings(self) -> Iterator[ConfigIssue]:
        """Yield the seeds that an earlier box has, too."""
        of_seed: dict[int, str] = {}
        for name, box in self._file.boxes.items():
            if box.seed is not None and (other := of_seed.setdefault(box.seed, name)) != name:
                text = f"{other} has the seed {box.seed} too: both draw the same random numbers; write another, or none"
                yield self.error_at(name, "seed", text)

    # --- one box ----------------------------------------------------------------------------------------------------

    def _plan(self, name: str) -> BoxPlan:
        entry = self._file.resolved(name)
        _, rig, what = collect_errors(
            partial(self._at, name, "subject", partial(check_name, entry.subject)),
            partial(self._rig, name, entry),
            partial(self._what, name, entry),
        )
        simulated = find_driver(rig.file.boards[rig.file.reference].driver).records == "simulated"
        if simulated and entry.model is None:
            text = f"{rig.name} is a simulated rig, and a box has no terminal to poke from: give model, such as rflr"
            raise ConfigError(self.error_at(name, "rig", text))
        if not simulated and entry.model is not None:
            text = f"{rig.name} is a real rig, which has a real subject: leave model out"
            raise ConfigError(self.error_at(name, "model", text))
        words = (*what, "--rig", str(rig.sources[0].absolute()), "--subject", entry.subject, *_further(entry))
        self._check_spec(name, entry, rig, what)
        return BoxPlan(name, entry.subject, words, tuple(entry.cpus or ()), rig, simulated)

    def _rig(self, name: str, entry: BoxEntry) -> Rig:
        named = entry.rig if entry.rig is not None else self._settings.boxes.value.get(name)
        if named is None:
            text = "on which rig? Give one here, in defaults, or for a box of this name in rig.toml"
            raise ConfigError(self.error_at(name, "rig", text))
        path = self._path(name, "rig", "rigs", rig_of(named, self._settings))
        rig = read_rig(path, (self.path.parent.parent,))
        if mistakes := list(check_rig(rig, None)):
            raise ConfigError(*mistakes)
        return rig

    def _what(self, name: str, entry: BoxEntry) -> tuple[str, ...]:
        if entry.curriculum is not None:
            return "--curriculum", str(self._path(name, "curriculum", "curricula", entry.curriculum))
        return (str(self._path(name, "protocol", "protocols", str(entry.protocol))),)

    def _path(self, name: str, key: str, kind: Kind, word: str) -> Path:
        """Return a file that a box names: by a path from the boxes file, or by its name."""
        return self._at(name, key, partial(find_from, self.path.parent, kind, word)).absolute()

    def _at(self, name: str, key: str, do: Callable[[], T]) -> T:
        try:
            return do()
        except ConfigError as error:
            raise ConfigError(self.error_at(name, key, str(error))) from None

    def _check_spec(self, name: str, entry: BoxEntry, rig: Rig, what: Sequence[str]) -> None:
        """Check that the protocol, or each stage of the curriculum, fits the rig and the box's values."""
        curriculum = entry.curriculum is not None
        request = SessionRequest(
            protocol=None if curriculum else what[-1],
            rig=str(rig.sources[0].absolute()),
            sets=sets_of(entry.params, entry.stop),
        )
        try:
            if curriculum:
                Curriculum(Path(what[-1]), request).check()
            else:
                build_spec(request)
        except ConfigError as error:
            raise ConfigError(*sets_placed(error.mistakes, partial(self.error_at, name))) from None

    def _loc(self, name: str, key: str) -> Loc:
        inner = tuple(key.split("."))
        own = _has(self._layered, ("boxes", name, *inner)) or not _has(self._layered, ("defaults", *inner))
        return ("boxes", name, *inner) if own else ("defaults", *inner)

    # --- boxes with each other --------------------------------------------------------------------------------------

    def _shared(self) -> Iterator[ConfigIssue]:
        """Yield a mistake for each thing of a real rig that an earlier box has too."""
        real = [plan for plan in self.plans if not plan.simulated]
        taken: dict[tuple[str, str], str] = {}
        for plan in real:
            board = plan.rig.file.boards[plan.rig.file.reference]
            if len(real) >= FEW_BOXES and board.port is None and find_driver(board.driver).has_board:
                text = (
                    f"{plan.rig.sources[0]} names no port, and several boxes have boards: write port: into its boards"
                )
                yield self.error_at(plan.name, "rig", text)
            for what, which in _things(plan.rig):
                other = taken.setdefault((what, which), plan.name)
                if other != plan.name:
                    yield self.error_at(plan.name, "rig", f"{what} {which} is that of {other} too, {_WHY[what]}")


_WHY = {
    "port": "and one program only can use it",
    "board": "and a board can be in one rig only",
    "camera": "and one program only can use it",
    "calibration": "and no two valves have the same curve: measure each with rig device calibrate",
}


def _things(rig: Rig) -> Iterator[tuple[str, str]]:
    board = rig.file.boards[rig.file.reference]
    if board.port is not None:
        yield "port", port_identity(board.port)
    if board.id is not None:
        yield "board", board.id
    if rig.tracking is not None:
        yield "camera", str(rig.tracking.source)
    for path in rig.sources[len(rig.layered.sources) :]:
        yield "calibration", os.path.realpath(path)


def _has(layered: LayeredConfig, loc: Loc) -> bool:
    return loc in layered.locations


def _further(entry: BoxEntry) -> Iterator[str]:
    for text in sets_of(entry.params, entry.stop):
        yield from ("--set", text)
    if entry.model is not None:
        yield from ("--model", entry.model)
    if entry.seed is not None:
        yield from ("--seed", str(entry.seed))

"""Lives of sessions on a simulated rig: what happens to them from outside, at moments that tests choose."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rig.boards.driver_lookup import make_board
from rig.core.clock import running
from rig.core.errors import ConfigError, NotReadyError, RecordError
from rig.core.model.board import Board, BoardInfo, Health, Wiring
from rig.core.model.rig_spec import SimulationOptions
from rig.core.task.states import Next, state
from rig.session.broken import BrokenSession, read_broken
from rig.session.run.phases import Phase
from rig.session.run.rebuild import ResumedJournal, Resumption
from rig.session.run.session import Session
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.body import Body
from tests.broken_sessions import reopening, save_journal
from tests.harness import FaultHarness, edge_moves, nose_pokes, run_harness
from tests.rules.test_a_broken_session_goes_on import Counting
from tests.session_specs import PortTask, session_spec, task_spec

POKES = nose_pokes(*((700_000 * n + 500_000, "left", 100_000) for n in range(10)))
BREAK_US = 3_000_000

What = Literal[
    "stop", "stop_now", "unplug", "plug", "reset", "full", "full_once", "failure", "camera", "death", "silence",
    "reward left", "pause",
]  # fmt: skip
WHATS: tuple[What, ...] = What.__args__  # type: ignore[attr-defined]


class Happening(NamedTuple):
    """What happens, and when.

    ``moment`` is ``s`` (``at`` seconds after the start); or ``at`` turns of the event loop after a moment: ``start``,
    the ends of ``open`` and ``reopen``, the begin of ``close``, or a number of lines.
    """

    what: What
    moment: Literal["s", "start", "open", "reopen", "close"] | int
    at: float = 1


class Unready(PortTask):
    """Refuses its configuration before it orders anything."""

    def prepare(self) -> None:
        raise ConfigError("no such block")

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        return self.here


def short(task: type[PortTask] = Counting, **stop: Any) -> SessionSpec:
    """Return the specification of a session of 5 s that waits 2 s for a lost board."""
    limits = {"session_s": 5, "max_pause_s": 3, "reconnect_within_s": 2, **stop}
    return session_spec(task_spec(task, stop=limits))


@cache
def _lines_of_a_whole_session() -> tuple[bytes, ...]:
    return tuple(run_harness(short(), POKES).raw)


def broken_after(lines: int, folder: Path) -> BrokenSession:
    """Return a session that broke off after some lines."""
    return read_broken(save_journal(folder, b"".join(_lines_of_a_whole_session()[:lines])))


class Life(FaultHarness):
    """A session to which things happen; with ``broken`` it goes on with that session."""

    def __init__(
        self, happenings: Sequence[Happening], spec: SessionSpec | None = None, broken: BrokenSession | None = None
    ) -> None:
        super().__init__(spec or short(), rehearsal=SimulationOptions(seed=1))
        self.boards: list[Any] = []
        """The boards of the session, in the order in which they were opened."""
        self._full_once = False
        self.broken = broken
        self._happenings: Sequence[Happening] = ()
        for line in () if broken is None else broken.kept.splitlines(keepends=True):
            self.append(line)
        self._happenings = happenings
        self.run(edge_moves(POKES), self._live, loop=lambda: VirtualLoop(t_max=500), keep_error=True)

    @property
    def path(self) -> list[Phase]:
        """Return the phases of the session."""
        return self.session.phases.path

    def _set_up(self) -> None:
        super()._set_up()
        self._death = asyncio.Event()
        journal, resumption, reopen = self.session.journal, None, reopening(self)
        self.session.board.abort()
        if self.broken is not None:
            journal = ResumedJournal(self.broken, lambda line: self.append(line), self.connection.tell)
            resumption = Resumption.at(self.broken.last_us + BREAK_US, self.broken, journal, self.spec.remaining_today)
        self.session = Session(
            self.spec,
            journal,
            lambda inbox: self._watched("open", make_board(self.driver, self.connection, self.spec.plan, inbox, 1)),
            None,
            self._observer,
            resumption,
            lambda inbox, lost: self._watched("reopen", reopen(inbox, lost)),
        )
        for happening in self._happenings:
            if happening.moment == "s":
                running().call_at(happening.at, self._happen, happening.what)
        self._moment("start")

    def _watched(self, moment: str, board: Any) -> Board:
        """Let the ends of a board's opening, and the begin of its close, be moments."""
        opening, closing = board.open, board.close

        async def open_board(wiring: Wiring) -> BoardInfo:
            opened: BoardInfo = await opening(wiring)
            self.boards.append(board)
            self._moment(moment)
            return opened

        async def close() -> Health:
            self._moment("close")
            health: Health = await closing()
            return health

        board.open, board.close = open_board, close
        return board  # type: ignore[no-any-return]

    def append(self, line: bytes) -> None:
        if len(self.journal) >= self.room and self._full_once:
            self.room, self._full_once = float("inf"), False
            raise RecordError("the disk is full")
        super().append(line)
        self._moment(len(self.journal))

    def _moment(self, moment: str | int) -> None:
        for happening in self._happenings:
            if happening.moment == moment:
                self._later(round(happening.at), happening.what)

    def _later(self, turns: int, what: What) -> None:
        """Let it happen after some turns of the loop; 0 is at once."""
        if turns == 0:
            self._happen(what)
        elif turns == 1:
            asyncio.get_running_loop().call_soon(self._happen, what)
        else:
            asyncio.get_running_loop().call_soon(self._later, turns - 1, what)

    def _happen(self, what: What) -> None:
        if self.is_over:
            return
        session = self.session
        if what in ("full", "full_once"):
            self.room, self._full_once = len(self.journal), what == "full_once"
        elif what == "silence":
            self.rig.cable.to_board.deliver = lambda data: None
        else:
            {
                "stop_now": session.stop_now,
                "unplug": self.rig.cable.disconnect,
                "plug": self.rig.cable.connect,
                "reset": self.rig.board.reset,
                "failure": lambda: session.fail(RecordError("only the reserve has room")),
                "camera": lambda: session.fail(NotReadyError("the camera is gone"), "camera"),
                "death": self._death.set,
            }.get(what, lambda: session.request(what))()

    async def _live(self, body: Body) -> None:
        await self._death.wait()
        raise ValueError("a bug in the mouse")

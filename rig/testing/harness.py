"""One session on a simulated rig: access while it runs, and its records afterwards.

The rig is found by the name of its driver (entry point ``rig.boards``) and used only through `rig.boards.simulation`.
So the same test runs on ``sim``, on ``avr``, and on a laboratory's own simulated board.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from rig.boards.driver_lookup import Connection, find_driver, make_board
from rig.boards.simulation import PinChange, SimulatedRig
from rig.camera.interface import Camera
from rig.config.errors.closest_names import did_you_mean
from rig.core.engine.observer import SessionObserver
from rig.core.errors import ConfigError
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import FAULTS, Command, Note, RewardLine, SessionLine, StateLine
from rig.core.model.actions import JournaledOrder
from rig.core.model.board import Output
from rig.core.model.events import Edge, Fault
from rig.core.model.line import Line, kind_of
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import DamagedLine, JournalReader, rows_of, tables_of
from rig.records.session.last_rewards import last_rewards
from rig.session.run.footer import Outcome
from rig.session.run.sampling import build_sample_recorder
from rig.session.run.session import Session
from rig.session.run.tracking import build_track_recorder
from rig.session.spec.session_spec import SessionSpec
from rig.testing import moves

Subject: TypeAlias = Callable[[Any], Coroutine[object, None, None]]
"""Coroutine function that acts through a `rig.boards.simulation.SimulatedBody`."""
Arrange: TypeAlias = "Callable[[SessionHarness], object]"
L = TypeVar("L", bound=Line)


class Opening(NamedTuple):
    """Time at which an output went on, and for how long, in microseconds; None if it stayed on."""

    t_us: int
    duration_us: int | None


class TableRow(dict[str, Any]):
    """A recorded row of a table; columns are also attributes: ``row.outcome``."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(f"the row has no column '{name}'; it has {', '.join(self)}")
        return self[name]


def _not_simulated(board: str) -> ConfigError:
    return ConfigError(f"driver '{board}' has no simulated rig: a test needs one, such as sim or avr")


class SessionHarness:
    """One session of a specification; `run` runs it in virtual time.

    ``board`` is the word of a driver that simulates, and ``rehearsal`` says how the rig behaves: the virtual subject,
    wires that are cut, faults of the cable. Positions of a tracker, and what a board samples, go into ``folder``, if
    any.

    Raises ``ConfigError`` for a driver that does not exist or has only real boards.
    """

    session: Session
    rig: SimulatedRig
    connection: Connection
    ended_s: float
    """Loop time in seconds at which the session ended; it includes the time to open the board."""

    def __init__(
        self,
        spec: SessionSpec,
        *,
        board: str = "sim",
        rehearsal: SimulationOptions | None = None,
        camera: Camera | None = None,
        folder: Path | None = None,
        observer: SessionObserver | None = None,
    ) -> None:
        self.spec = replace(spec, rehearsed=True)
        self.board = board
        self.driver = find_driver(board)
        if not self.driver.accepts_models:
            raise _not_simulated(board)
        self.rehearsal = rehearsal or SimulationOptions(seed=1)
        self.raw: list[bytes] = []
        self.journal: list[SessionLine] = []
        """Lines of the journal, parsed and checked, in order."""
        self.outcome: Outcome | None = None
        self.error: Exception | None = None
        """Exception of the session, if `run` was called with ``keep_error``."""
        self.trace: list[PinChange] = []
        """Every change of a pin, in order: session time in microseconds, channel, value."""
        self._camera = camera
        self._folder = folder
        self._observer = observer
        self._reader = JournalReader()

    def run(
        self,
        script: moves.Script = (),
        subject: Subject | None = None,
        *,
        arrange: Arrange = lambda session: None,
        after_s: float = 5.0,
        loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
        keep_error: bool = False,
    ) -> None:
        """Run the session to its end, and the rig for ``after_s`` seconds longer.

        Moves of the ``script`` also happen after the session's end. ``arrange`` is called before the session begins.
        Raises ``ConfigError`` for a place that the rig lacks, and the session's exception unless ``keep_error``.
        """
        # After the session the board's lease expires and turns all outputs off: tests can check that too.
        with asyncio.Runner(loop_factory=loop or (lambda: self.driver.loop(math.inf))) as runner:
            runner.run(self._main(moves.flat(script), subject, arrange, after_s))
        if self.error is not None and not keep_error:
            raise self.error

    async def _main(self, script: list[moves.Move], subject: Subject | None, arrange: Arrange, after_s: float) -> None:
        self._set_up()
        arrange(self)
        self._plan(script)
        try:
            self.outcome = await self.session.run(self._subject_of(subject))
        except Exception as error:
            self.error = error
        self.ended_s = asyncio.get_running_loop().time()
        await asyncio.sleep(after_s)

    def _set_up(self) -> None:
        plan = self.spec.plan
        self.connection = connection = self.driver.connect(plan, self.rehearsal)
        if connection.rig is None:
            raise _not_simulated(self.board)
        self.rig = connection.rig
        self.trace = self.rig.record_pins()
        self.session = Session(
            self.spec,
            Journal(lambda line: self.append(line), connection.tell),  # lambda: a test may replace ``append``
            lambda inbox: make_board(self.driver, connection, plan, inbox, self.rehearsal.seed),
            build_track_recorder(plan, self._camera or connection.camera, self._folder),
            self._observer,
            sampler=build_sample_recorder(plan, self._folder),
        )

    def _subject_of(self, subject: Subject | None) -> Coroutine[object, None, None] | None:
        """Return the coroutine of the subject: the test's own, or that of the simulation options."""
        if subject is not None:
            return subject(self.body)
        return None if self.connection.subject is None else self.connection.subject()

    def _plan(self, script: list[moves.Move]) -> None:
        places = (*self.body.places, *self.body.lines)
        if unknown := sorted({move.place for move in script if move.place is not None} - set(places)):
            has = ", ".join(places)
            raise ConfigError(*(f"the script names the place '{place}', the rig has: {has}" for place in unknown))
        for move in script:
            self.rig.call_at_us(move.t_us, partial(move.act, self))

    # --- while it runs ----------------------------------------------------------------------------------------

    def append(self, line: bytes) -> None:
        """Record a line of the journal in memory. Raises ``ValueError`` if the journal's reader refuses it."""
        lines = self._reader.take(line[:-1])
        if len(lines) != 1 or isinstance(lines[0], DamagedLine):
            raise ValueError(f"the journal's reader refuses this line: {lines}")
        self.raw.append(line)
        self.journal.append(lines[0])

    @property
    def body(self) -> Any:
        """Return the `rig.boards.simulation.SimulatedBody` on this rig."""
        return self.rig.body

    @property
    def is_over(self) -> bool:
        """Whether the session has ended."""
        return self.outcome is not None or self.error is not None

    def request(self, what: str) -> None:
        """Send an operator's request to the session: ``stop``, ``reward left``."""
        self.session.request(what)

    # --- after it: the journal --------------------------------------------------------------------------------

    def of_kind(self, *kinds: type[L]) -> list[L]:
        """Return the lines of the journal of some kinds, such as ``of_kind(StateLine)``."""
        return [line for line in self.journal if isinstance(line, kinds)]

    def notes(self, what: str) -> list[Note]:
        """Return the notes that say ``what``."""
        return [note for note in self.of_kind(Note) if note.what == what]

    @property
    def rows(self) -> list[TableRow]:
        """Return the rows of the trial table."""
        return [TableRow(row) for row in rows_of(self.journal)]

    @property
    def row(self) -> TableRow:
        """Return the only row of the trial table. Raises ``ValueError`` if there are more or none."""
        (row,) = self.rows
        return row

    def table(self, name: str) -> list[TableRow]:
        """Return the rows of a further table of the protocol. Raises ``ValueError`` for one that it lacks."""
        tables = tables_of(self.journal, self.spec.header)
        if name not in tables:
            raise ValueError(f"the protocol has no table '{name}', it has: {', '.join(tables)}")
        return [TableRow(row) for row in tables[name]]

    @property
    def states(self) -> list[tuple[str, int]]:
        """Return every state entered, and the time of the session in microseconds."""
        return [(line.name, line.t_us) for line in self.of_kind(StateLine)]

    @property
    def edges(self) -> list[Edge]:
        """Return the edges that the task has read."""
        return self.of_kind(Edge)

    @property
    def orders(self) -> list[tuple[int, JournaledOrder]]:
        """Return every order to the board as in the journal, with the host's time in microseconds."""
        return [(line.t_us, order) for line in self.of_kind(Command) for order in line.orders]

    @property
    def rewards(self) -> list[RewardLine]:
        """Return the last journal line of every reward."""
        return last_rewards(self.journal)

    @property
    def faults(self) -> list[str]:
        """Return the names of the faults in the journal."""
        return [line.what if isinstance(line, Fault) else kind_of(line) for line in self.of_kind(*FAULTS)]

    @property
    def footer(self) -> Footer:
        """Return the footer, the last line. Raises ``ValueError`` if the session has not ended."""
        last = self.journal[-1] if self.journal else None
        if not isinstance(last, Footer):
            raise ValueError("the session has no footer: it has not ended")
        return last

    # --- after it: the pins -----------------------------------------------------------------------------------

    def changes(self, channel: str) -> list[tuple[int, int]]:
        """Return the changes of a pin by its channel, ``left.light``: microseconds of the session, value.

        Raises ``ConfigError`` for a channel that the rig lacks.
        """
        channels = [each.name for each in self.spec.plan.wiring.channels]
        if channel not in channels:
            guess = did_you_mean(channel, channels)
            raise ConfigError(f"the rig has no channel '{channel}'; {guess}it has: {', '.join(channels)}")
        return [(t_us, value) for t_us, name, value in self.trace if name == channel]

    def openings(self, channel: str) -> list[Opening]:
        """Return every time that an output, such as ``left.valve``, was on, and for how long, in microseconds.

        Raises ``ConfigError`` for a channel that the rig lacks, ``ValueError`` for one that goes on or off twice.
        """
        changes = self.changes(channel)
        if [bool(value) for _, value in changes] != [index % 2 == 0 for index in range(len(changes))]:
            raise ValueError(f"{channel} does not alternate between on and off: {changes}")
        ends: list[int | None] = [t_us for t_us, _ in changes[1::2]]
        ends += [None] * (len(changes) % 2)
        return [
            Opening(on_us, None if off_us is None else off_us - on_us)
            for (on_us, _), off_us in zip(changes[::2], ends, strict=True)
        ]

    def on_at(self, t_us: int) -> set[str]:
        """Return the outputs that are on at a session time in microseconds."""
        outputs = {channel.name for channel in self.spec.plan.wiring.channels if isinstance(channel, Output)}
        levels = {name: value for at_us, name, value in self.trace if at_us <= t_us}
        return {name for name, value in levels.items() if value and name in outputs}

    def on_at_the_end(self) -> list[str]:
        """Return the outputs that are on after the last change of a pin."""
        return sorted(self.on_at(self.trace[-1][0])) if self.trace else []

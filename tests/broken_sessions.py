"""Sessions that break off in the simulation and go on: the rest of each is run as `rig run --resume` runs it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from rig.boards.driver_lookup import make_board
from rig.core.engine.inbox import Inbox
from rig.core.model.board import Board
from rig.core.model.events import Continued
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import JOURNAL
from rig.records.session.power_loss import boot_id
from rig.records.session.read_environment import ENVIRONMENT
from rig.session.broken import BrokenSession, read_broken
from rig.session.run.journal_file import write_json
from rig.session.run.rebuild import ResumedJournal, Resumption
from rig.session.run.reconnection import Reopen
from rig.session.run.session import Session
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.loop import VirtualLoop
from tests.harness import EdgeAt, Fault, FaultHarness, SubjectScript, do_nothing, edge_moves, fault_moves


def save_journal(folder: Path, raw: bytes) -> Path:
    """Write the journal of a session that broke off, on a computer that has not restarted since."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / JOURNAL).write_bytes(raw)
    write_json(folder / ENVIRONMENT, {"boot": boot_id()})
    return folder


class ResumedHarness(FaultHarness):
    """A session that goes on with a broken one, on another simulated rig; ``after_us`` is the time of the start."""

    def __init__(self, spec: SessionSpec, broken: BrokenSession, after_us: int, **settings: Any) -> None:
        super().__init__(spec, **settings)
        self.broken = broken
        self._after_us = after_us
        for line in broken.kept.splitlines(keepends=True):
            self.append(line)

    def _set_up(self) -> None:
        super()._set_up()
        journal = ResumedJournal(self.broken, lambda line: self.append(line), self.connection.tell)
        resumption = Resumption.at(self._after_us, self.broken, journal, self.spec.remaining_today)
        make_board = self.session._make_board
        self.session.board.abort()
        self.session = Session(self.spec, journal, make_board, self.session.tracker, self._observer, resumption)

    @property
    def resumed_us(self) -> int:
        """Return the session time at which the broken session goes on."""
        return self.of_kind(Continued)[-1].t_us


def resume(
    spec: SessionSpec,
    folder: Path,
    raw: bytes,
    subject: SubjectScript | Sequence[EdgeAt] = (),
    *,
    gap_s: float = 60.0,
    seed: int = 2,
    after_s: float = 5.0,
) -> ResumedHarness:
    """Go on with a session whose journal broke off after the bytes ``raw``, ``gap_s`` seconds later."""
    broken = read_broken(save_journal(folder, raw))
    after_us = broken.last_us + round(gap_s * 1e6)
    harness = ResumedHarness(spec, broken, after_us, rehearsal=SimulationOptions(seed=seed))
    edges = () if callable(subject) else subject
    living = subject if callable(subject) else do_nothing
    harness.run(edge_moves(edges), living, after_s=after_s, loop=VirtualLoop)
    return harness


def lines_of(raw: Sequence[bytes], until: int) -> bytes:
    """Return the first lines of a journal."""
    return b"".join(raw[:until])


def reopening(harness: FaultHarness) -> Reopen:
    """Return what builds the board of a session again, as `rig run` does."""
    tries = count(1)

    def reopen(inbox: Inbox, lost: Board) -> Board:
        again = harness.driver.reconnect(harness.connection, harness.spec.plan)
        return make_board(harness.driver, again, harness.spec.plan, inbox, harness.rehearsal.seed + next(tries), lost)

    return reopen


class ReconnectingHarness(FaultHarness):
    """A session that waits for its board when it is lost, as `rig run` does."""

    def _set_up(self) -> None:
        super()._set_up()
        first, make_first = self.session, self.session._make_board
        first.board.abort()
        self.session = Session(
            self.spec,
            first.journal,
            make_first,
            first.tracker,
            self._observer,
            reopen=reopening(self),
            sampler=first.sampler,
        )


def run_reconnecting(
    spec: SessionSpec, subject: SubjectScript | Sequence[EdgeAt], *injected: Fault, after_s: float = 5.0, seed: int = 1
) -> ReconnectingHarness:
    """Run a session whose board is lost and comes back."""
    harness = ReconnectingHarness(spec, rehearsal=SimulationOptions(seed=seed))
    edges = () if callable(subject) else subject
    moves = [*edge_moves(edges), *fault_moves(injected)]
    harness.run(moves, subject if callable(subject) else do_nothing, after_s=after_s, loop=VirtualLoop)
    return harness

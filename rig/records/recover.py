"""Recover a journal after a crash: keep every whole line, move a torn one aside, and append the missing footer."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from rig.core.errors import RecordError, TaskError
from rig.core.journal.delivered import DeliveredRewards, RewardSum
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import (
    BOARD_FAULTS,
    BatchDone,
    Command,
    Note,
    Openings,
    RewardLine,
    RowLine,
    SessionLine,
    TrialLine,
)
from rig.core.model.actions import Amount, JournaledOrder
from rig.core.model.events import BoardTime, Continued, Edge, LeaseExpired, OutputOn, Panic, SequenceStarted
from rig.core.model.line import kind_of
from rig.core.model.reward import RewardStatus
from rig.core.model.rows import TRIAL_TABLE
from rig.records.journal import unwritable_reason
from rig.records.journal.digest import checksum
from rig.records.journal.read import (
    DamagedLine,
    JournalReader,
    JournalScan,
    TornLine,
    iter_lines,
    journal_of,
    read_lines,
    tables_of,
)
from rig.records.openings.board_answer import BoardAnswer, decide_rewards
from rig.records.openings.correction import Appendix
from rig.records.openings.rewards_in_doubt import RewardsInDoubt
from rig.records.session.power_loss import may_have_rebooted
from rig.records.session.summary import CONDITIONS, SUMMARY, summarize, write_summary
from rig.records.session.trials import TRIALS, write_tables
from rig.records.subject.deliveries import footer_is_lost, is_damaged_end
from rig.system.atomic_files import append_atomic, write_atomic, write_errors

CRASH = "crash"
FAULT = "fault"
TORN = "journal.torn"
REPORT = "recovery.json"
MAX_LISTED = 1000
"""So many damaged lines are listed; all are counted."""
_RESERVE = ".reserve"
_NUMBERED_EVENTS = (Edge, BoardTime, SequenceStarted, OutputOn, *BOARD_FAULTS)


@dataclass(frozen=True)
class Recovery:
    """What was found and done; ``damage`` lists the first of the ``damaged`` lines.

    ``unwritten`` are the files that could not be written, for want of the header that names their columns.
    """

    lines: int
    torn_bytes: int
    damage: list[DamagedLine]
    damaged: int
    had_footer: bool
    reason: str
    trials: int
    unconfirmed: list[JournaledOrder]
    unwritten: tuple[str, ...] = ()
    undecided: int = 0
    """How many rewards are still in doubt; they count as given."""
    confirmed: int = 0
    """How many rewards the board's answer shows to be given."""
    refused: int = 0
    """How many rewards the board's answer shows not to be given."""


def recover(session: Path, answer: BoardAnswer | None = None) -> Recovery:
    """Write the footer and the tables that a session lacks; nothing is deleted, and a second recovery changes nothing.

    ``answer`` is what the session's board has kept of its openings: it decides the rewards in doubt. Raises
    ``RecordError``; what could not be finished is finished by the next time.
    """
    path = journal_of(session)
    # Writing through the link would change another session.
    if path.is_symlink():
        raise RecordError(f"{path}: is a link to {path.resolve()}: recover the session in which that lies")
    content = _JournalContent(path)
    with write_errors(path):
        (path.parent / _RESERVE).unlink(missing_ok=True)  # the recorder's, which only a clean end gives back
        if content.last is None:
            raise RecordError(f"{path}: holds no whole line of a journal: nothing can be recovered; left as it is")
        return _recover(path, content, content.last, answer)


def board_of(session: Path) -> str:
    """Return the id of a session's board. Raises ``RecordError`` if its journal does not name one."""
    lines = (line for line in iter_lines(journal_of(session), Openings) if isinstance(line, Openings))
    return _openings_line(session, next(lines, None)).uid


def _recover(path: Path, found: _JournalContent, last: SessionLine, answer: BoardAnswer | None) -> Recovery:
    decided = {} if answer is None else _decided(path, found, answer)
    if found.scan.torn is not None:
        _move_torn_line(path, found.scan.torn)
    if found.scan.torn is not None or not isinstance(last, Footer):
        found.check_end(path.parent)
    recovery = Recovery(
        lines=found.counts.total(),
        torn_bytes=found.scan.torn_bytes,
        damage=found.scan.damage,
        damaged=found.scan.damaged,
        had_footer=isinstance(last, Footer),
        reason=found.reason,
        trials=found.counts["trial"],
        unconfirmed=found.unconfirmed.orders,
        unwritten=() if found.header is not None else (TRIALS, SUMMARY),
        undecided=found.named_rewards.uncertain.rewards - len(decided),
        confirmed=sum(line.status is RewardStatus.DELIVERED for line in decided.values()),
        refused=sum(line.status is not RewardStatus.DELIVERED for line in decided.values()),
    )
    # The footer before the tables: a summary without a footer means that a footer was lost.
    if isinstance(last, Footer) and not decided:
        footer = last
    else:
        footer = _append_end(path, found, last, recovery, answer, decided)
    if found.header is not None:
        tables = tables_of(found.rows, found.header)
        write_tables(path.parent, found.header, tables)
        if decided or not (path.parent / SUMMARY).exists():
            summary = summarize(found.header, footer, tables[TRIAL_TABLE], found.conditions.values())
            write_summary(path.parent, summary)
    unwritable_reason.remove(path.parent)  # the footer has it
    # The first report saw the damage; a later recovery finds a whole journal.
    if not (path.parent / REPORT).exists():
        write_atomic(path.parent / REPORT, json.dumps(to_builtins(recovery), indent=2) + "\n")
    return recovery


class _JournalContent:
    """What a recovery needs of a journal, which is read once; no line is kept but rows, and those that exist once.

    Raises ``RecordError`` as `iter_lines` does.
    """

    def __init__(self, path: Path) -> None:
        self.header: Header | None = None
        self.openings: Openings | None = None
        self.footer: Footer | None = None
        self.last: SessionLine | None = None
        self.rows: list[TrialLine | RowLine] = []
        self.conditions: dict[str, Note] = {}
        self.counts: Counter[str] = Counter()
        self.last_event = 0
        self.scan = JournalScan(most_listed=MAX_LISTED)
        self.went_down = may_have_rebooted(path.parent)
        self.lost_detail = unwritable_reason.read_detail(path.parent)
        self.given = DeliveredRewards(went_down=self.went_down)
        # Without the allowance of a machine that went down: only rewards that the lines name.
        self.named_rewards = DeliveredRewards()
        self.unconfirmed = UnconfirmedOrders()
        self.doubt = RewardsInDoubt()
        reader = JournalReader()
        for line in self.scan.good_lines(read_lines(path, reader)):
            self._take(line)
        self.last_seq = reader.last_seq

    @property
    def reason(self) -> str:
        """Return the reason of the footer; without one it crashed, or could not write its end."""
        if self.footer is not None:
            return self.footer.reason
        return FAULT if self.lost_detail else CRASH

    def check_end(self, folder: Path) -> None:
        """Record a torn end that is damage, and one that was lost after it had been whole."""
        aside, torn, after = folder / TORN, self.scan.torn, self.counts.total() + 1
        # An earlier try may have put the end aside and come no further. If the computer went down, an allowance covers
        # what the end held.
        if aside.is_file() and not self.went_down and is_damaged_end(aside):
            self.scan.count(DamagedLine(after if torn is None else torn.line, "its end is no torn line"))
        if not isinstance(self.last, Footer) and self.footer is None and footer_is_lost(folder):
            why = f"the end of the journal is lost: there was one, as {SUMMARY} is only written after it"
            self.scan.count(DamagedLine(after, why))

    def follow(self, line: SessionLine) -> None:
        """Add a line that is appended to the account."""
        self.counts[kind_of(line)] += 1
        self.given.take(line)
        self.named_rewards.take(line)

    def _take(self, line: SessionLine) -> None:
        self.last = line
        self.unconfirmed.take(line)
        self.doubt.take(line)
        self.follow(line)
        if isinstance(line, _NUMBERED_EVENTS):
            self.last_event = max(self.last_event, line.number)
        elif isinstance(line, Header):
            self.header = line
        elif isinstance(line, Openings):
            self.openings = line
        elif isinstance(line, Footer):
            self.footer = line
        elif isinstance(line, (TrialLine, RowLine)):
            self.rows.append(line)
        elif isinstance(line, Note) and line.what in CONDITIONS:
            self.conditions[line.what] = line


class UnconfirmedOrders:
    """Follows a journal line by line: the orders whose execution it does not show may or may not have been done."""

    def __init__(self) -> None:
        self._epoch = 0
        self._pending: dict[int, tuple[JournaledOrder, ...]] = {}
        self._lost: list[JournaledOrder] = []

    @property
    def orders(self) -> list[JournaledOrder]:
        """Return the orders whose execution the lines so far do not show."""
        return [*self._lost, *(order for orders in self._pending.values() for order in orders)]

    def take(self, line: SessionLine) -> None:
        """Read the next line."""
        # A batch of an earlier epoch was journaled after the lease had expired; the host does not send such a batch.
        if isinstance(line, Command) and line.epoch == self._epoch:
            self._pending[line.batch] = line.orders
        elif isinstance(line, BatchDone):
            self._pending.pop(line.batch, None)
        elif isinstance(line, BoardTime):
            executed = line.executed
            self._pending = {number: orders for number, orders in self._pending.items() if number > executed}
        elif isinstance(line, (LeaseExpired, Panic)):
            self._pending.clear()  # it says how many were executed, and the others never will be
            self._epoch += 1
        elif isinstance(line, Continued):  # a board that was opened again does not say how many
            self._lost = self.orders
            self._pending.clear()
            self._epoch += 1


def _move_torn_line(path: Path, line: TornLine) -> None:
    aside = path.parent / TORN
    with path.open("r+b") as file:
        file.seek(line.start)
        torn = file.read()
        if not (aside.exists() and aside.read_bytes().endswith(torn)):  # an earlier try may have come so far
            append_atomic(aside, torn, synced=True)
        # Only now: the bytes are synced in the other file before they leave this one.
        file.truncate(line.start)
        os.fsync(file.fileno())


def _decided(path: Path, found: _JournalContent, answer: BoardAnswer) -> dict[int, RewardLine]:
    """Return what a board's answer decides of the rewards in doubt. Raises ``RecordError`` for another board."""
    opened = _openings_line(path, found.openings)
    if opened.uid != answer.uid:
        raise RecordError(
            f"{path}: is of board {opened.uid}, and {answer.source} has answered for board {answer.uid}: "
            "another cable, or another session"
        )
    decided = decide_rewards(found.doubt, opened, answer)
    # A power cut of the computer, or damage, may have taken lines that show otherwise.
    return decided if found.went_down or found.scan.damaged else found.doubt.not_given | decided


def _openings_line(path: Path, line: Openings | None) -> Openings:
    if line is None:
        raise RecordError(f"{path}: names no board that keeps openings: nothing can be asked of one")
    return line


def _append_end(
    path: Path,
    found: _JournalContent,
    last: SessionLine,
    recovery: Recovery,
    answer: BoardAnswer | None,
    decided: Mapping[int, RewardLine],
) -> Footer:
    """Add the board's answer, if it decides anything, and a footer; return the footer."""
    appendix = Appendix(last, found.last_seq, checksum(path, path.stat().st_size))
    before = found.named_rewards.total
    try:
        if answer is not None and decided:
            appendix.correct(answer, decided)
            for line in appendix.lines:
                found.follow(line)
        footer = appendix.footer(_footer(found, recovery, before))
    except (TaskError, ValueError) as error:
        raise RecordError(
            f"{path}: its lines add up to what no footer can say ({error}); nothing was appended"
        ) from None
    append_atomic(path, appendix.raw, synced=True)
    return footer


def _footer(found: _JournalContent, recovery: Recovery, before: RewardSum) -> Footer:
    """Return the footer, still without its time and its digest."""
    first = found.footer
    given = found.given
    # The footer of a session that ended needs no allowance: all its lines had been written. Neither does one that an
    # earlier recovery wrote before the computer restarted.
    if first is not None and before.covers(RewardSum(first.rewards, Amount(first.ul, first.pellets, first.access_s))):
        given = found.named_rewards
    rewards, amount = given.total
    footer = first or _crash_footer(found, recovery)
    return replace(
        footer,
        counts=dict(found.counts),
        unconfirmed_rewards=found.named_rewards.uncertain.rewards,
        rewards=rewards,
        ul=round(amount.ul, 6),
        pellets=amount.pellets,
        access_s=round(amount.access_s, 6),
        given=given.rows(),
        uncertain_rewards=None if footer.uncertain_rewards is None else given.uncertain.rewards,
    )


def _crash_footer(found: _JournalContent, recovery: Recovery) -> Footer:
    """Return the footer of a session without one, still without its rewards."""
    return Footer(
        0,
        reason=recovery.reason,
        detail=f"recovered: {found.lost_detail or 'the session was not ended by its program'}",
        counts={},
        complete=False,
        executed=0,
        last_event=found.last_event,
        unconfirmed_rewards=0,
        rewards=0,
        ul=0.0,
        pellets=0,
        access_s=0.0,
        given=[],
        trials=recovery.trials,
        carry_over={},
        digest="",
        damaged=recovery.damaged,
        uncertain_rewards=0,
    )

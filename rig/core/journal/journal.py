"""The journal: every event, order and decision of a session, one line each, in one order."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import ValidationError, convert, to_builtins
from msgspec.json import Decoder

from rig.core.errors import OrderRefusedError, TaskError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.codec import MAX_LINE_BYTES, encode, line_bytes
from rig.core.journal.kinds import (
    Command,
    Note,
    Openings,
    RewardLine,
    RowLine,
    SessionLine,
    TrialLine,
)
from rig.core.journal.values import plain, unwritable
from rig.core.model.actions import Order, journaled
from rig.core.model.board import BoardInfo
from rig.core.model.line import kind_of
from rig.core.model.reward import Reward
from rig.core.model.rows import TRIAL_TABLE

MAX_BREAKS = 3
"""So many breaks a session survives, each with a line ``continued``."""
_MAX_ORDERS_BYTES = 1 << 16
"""Far more bytes than the longest batch of any board has."""
_ROOM = 200
"""An upper bound of the bytes of a line's number and checksum."""

_check_command = Decoder(Command).decode

L = TypeVar("L", Note, TrialLine, RowLine)


class Journal:
    """A writer that numbers, checksums and passes on the lines of one session.

    ``sink`` takes the bytes of a line and returns when they have left this process, or raises ``RecordError``.
    ``on_note`` is called with the fields of every note after its line was written. ``secure`` returns when that many
    lines would survive a power cut, or raises ``RecordError``.
    """

    def __init__(
        self,
        sink: Callable[[bytes], object],
        on_note: Callable[[Mapping[str, object]], object] = lambda fields: None,
        secure: Callable[[int], object] = lambda lines: None,
    ) -> None:
        self.seq = 0
        self.counts: Counter[str] = Counter()
        self._crc = 0
        self._sink = sink
        self._on_note = on_note
        self.wait_synced = secure

    @property
    def digest(self) -> str:
        """Return the checksum of all bytes written: eight hex digits of CRC-32."""
        return f"{self._crc:08x}"

    def write(self, line: SessionLine) -> None:
        """Write a line. Raises ``RecordError``."""
        try:
            body = encode(line)
        except UnicodeEncodeError:  # half a character, as in a file's name: other readers would refuse the line
            line = convert(escape_surrogates(to_builtins(line)), type(line))
            body = encode(line)
        self._append(line, body)

    def _append(self, line: SessionLine, body: bytes) -> None:
        raw = line_bytes(self.seq, body)
        # Counted only after the sink: a line that could not be written is not part of the journal.
        self._sink(raw)
        self._crc = zlib.crc32(raw, self._crc)
        self.seq += 1
        self.counts[kind_of(line)] += 1

    # Positional-only: the note of a protocol may have a field ``what`` or ``t_us``.
    def note(self, t_us: int, what: str, /, **fields: object) -> None:
        """Write a note. Raises ``TaskError`` for one that a reader would refuse."""
        if not isinstance(what, str):
            raise unwritable({"what": what, **fields}, TypeError("'what' is no text"))
        self._write_values(lambda values: Note(t_us, str(what), values), fields)
        self._on_note({"what": what, **fields})

    def row(self, t_us: int, table: str, values: Mapping[str, object]) -> None:
        """Write a row of any table. Raises ``TaskError`` for one that a reader would refuse."""
        if table == TRIAL_TABLE:
            self._write_values(lambda row: TrialLine(t_us, row), values)
        else:
            self._write_values(lambda row: RowLine(t_us, table, row), values)

    def _write_values(self, make: Callable[[dict[str, object]], L], values: Mapping[str, object]) -> None:
        self._append(*encoded(make, values))

    def command(self, t_us: int, epoch: int, number: int, seen: int, orders: Sequence[Order]) -> None:
        """Write a batch of orders, before its bytes are sent.

        Raises ``TaskError`` for too many orders, and ``OrderRefusedError`` for one that a reader would refuse.
        """
        line = Command(t_us, epoch, number, seen, tuple(map(journaled, orders)))
        body = encode(line)
        # Bounded here, because a line longer than a reader accepts would make the whole session unreadable.
        if len(body) > _MAX_ORDERS_BYTES:
            raise TaskError(f"{len(orders)} orders at one time are more than any board takes")
        try:
            _check_command(body)
        except ValidationError as error:
            texts = "; ".join(map(str, orders))
            raise OrderRefusedError(f"'{texts:.200}' is beyond what any board can do: {error}") from None
        self._append(line, body)

    def reward(self, reward: Reward) -> None:
        """Write the status of a reward."""
        self.write(
            RewardLine(
                reward.t_us,
                reward.number,
                reward.source,
                getattr(reward.amount, reward.unit),
                reward.unit,
                reward.delivered_by,
                reward.status,
                reward.cause,
                **reward.references,
            )
        )

    def openings(self, opened: BoardInfo, channels: Sequence[str], t_us: int = 0) -> None:
        """Write which openings the board has kept, and where the session's ``t_us`` is on its clock."""
        log = opened.openings
        if log is not None:
            self.write(
                Openings(
                    t_us,
                    opened.uid,
                    log.power_ons,
                    log.epoch,
                    log.batches,
                    log.stamp,
                    log.tick_ns,
                    tuple(channels),
                    log.kept,
                )
            )


def encoded(make: Callable[[dict[str, object]], L], values: Mapping[str, object]) -> tuple[L, bytes]:
    """Return a line that holds a protocol's values, and its bytes. Raises ``TaskError`` for one that is none."""
    try:
        line = make(dict(values))
        body = encode(line)
    except (TypeError, ValueError):  # an enumeration, half a character: JSON has them in another form
        line = make(plain(values))
        body = encode(line)
    if len(body) > MAX_LINE_BYTES - _ROOM:
        raise unwritable(values, ValueError(f"it is longer than {MAX_LINE_BYTES - _ROOM} bytes"))
    return line, body


def check_fields(values: Mapping[str, object]) -> None:
    """Check that a line can hold these values. Raises ``TaskError``."""
    encoded(lambda row: TrialLine(0, row), values)

"""Journals of sessions that sent a sync signal, or recorded the exposures of a camera, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rig.core.journal.kinds import AllOffDone, BatchDone, Command
from rig.core.model.actions import Code
from rig.core.model.events import Edge
from tests.records.journals import Book, put

CODES = Code("sync.ttl", 5_000_000, 20_000, 16, 7)
SQUARE = Code("sync.ttl", 1_000_000, 500_000, 0, 7)


def session_with(folder: Path, *orders: Code, seconds: int = 600, frames: Iterable[int] = ()) -> Path:
    """Write the journal of a session that gave these orders at its start; ``frames`` are edges of ``camera.ttl``."""
    book = Book()
    book.header()
    for batch, order in enumerate(orders, start=1):
        book.write(Command(1000, 0, batch, 0, (order,)))
        book.write(BatchDone(1000, batch))
    for number, t_us in enumerate(frames, start=1):
        book.write(Edge(t_us, "camera.ttl", 1, 0, 2 * number - 1))
        book.write(Edge(t_us + 2000, "camera.ttl", 0, 0, 2 * number))
    end_us = seconds * 1_000_000
    book.write(AllOffDone(end_us, 0))
    book.footer(t_us=end_us)
    return put(folder, book.raw)

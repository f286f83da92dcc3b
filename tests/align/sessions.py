"""Journals of sessions that sent a sync signal, or recorded the exposures of a camera, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rig.core.model.events import Edge
from tests.records.journals import Book, put

CODES = {
    "do": "code",
    "output": "sync.ttl",
    "period_us": 5_000_000,
    "bit_us": 20_000,
    "bits": 16,
    "seed": 7,
    "first": 0,
}
SQUARE = {**CODES, "period_us": 1_000_000, "bit_us": 500_000, "bits": 0}


def session_with(folder: Path, *orders: dict[str, object], seconds: int = 600, frames: Iterable[int] = ()) -> Path:
    """Write the journal of a session that gave these orders at its start; ``frames`` are edges of ``camera.ttl``."""
    book = Book()
    book.header()
    for batch, order in enumerate(orders, start=1):
        book.note("command", t_us=1000, epoch=0, batch=batch, last_event=0, orders=[order])
        book.note("batch_done", t_us=1000, batch=batch)
    for number, t_us in enumerate(frames, start=1):
        book.event(Edge("camera.ttl", 1, t_us, 0, 2 * number - 1))
        book.event(Edge("camera.ttl", 0, t_us + 2000, 0, 2 * number))
    end_us = seconds * 1_000_000
    book.note("all_off_done", t_us=end_us, last_event=0)
    book.footer(t_us=end_us)
    return put(folder, book.raw)

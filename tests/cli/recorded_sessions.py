"""Recorded sessions of the command-line tests: their journals and headers."""

import json
from pathlib import Path
from typing import Any

from rig.core.journal.header import Header
from tests.session_ends import header_of


def journal_bytes(data: Path) -> dict[str, bytes]:
    return {
        str(path.parent.relative_to(data / "sim")): path.read_bytes() for path in sorted(data.rglob("journal.jsonl"))
    }


DAYS = ("--start", "2026-11-21T09:00", "--set", "stop.session_s=60")


def sim_arguments(path: Path, *more: Any) -> tuple[Any, ...]:
    return ("sim", "--curriculum", path, "--subject", "M1", "--model", "rflr", *DAYS, *more)


def headers(data: Path, subject: str = "M1") -> list[Header]:
    return [header_of(path) for path in sorted((data / "sim" / subject).rglob("journal.jsonl"))]


def without_subject_facts(session: Path) -> list[dict[str, Any]]:
    """Return the lines of a journal without what its header knows of the subject, such as earlier sessions."""
    left_out = {"subject_facts", "crc", "digest"}
    lines = map(json.loads, (session / "journal.jsonl").read_text().splitlines())
    return [{key: value for key, value in line.items() if key not in left_out} for line in lines]


def truncate_journal(session: Path) -> None:
    """Leave a journal as a power cut does: no end, and half a line."""
    path = session / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:-20])

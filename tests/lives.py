"""Past sessions of a subject, as their journals tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rig.core.journal import FORMAT, Journal

DAY = "2026-11-{:02d}"


def lived(
    subject: Path,
    day: int,
    stage: str | None = None,
    rows: Iterable[Mapping[str, Any]] = (),
    *,
    reason: str | None = "time_limit",
    name: str = "course",
    override: str | None = None,
    min_trials: int = 1,
    number: int = 1,
    trials: int | None = None,
    form: int = FORMAT,
) -> Path:
    """Write the journal of a session of a curriculum, or of none; without a ``reason`` it has no end."""
    folder = subject / DAY.format(day) / f"{number:03d}"
    folder.mkdir(parents=True)
    facts = {} if stage is None else {"curriculum": {"name": name, "stage": stage, "why": "so", "override": override}}
    lines: list[bytes] = []
    journal = Journal(lines.append)
    journal.note(0, "header", format=form, protocol="p", stop={"min_trials": min_trials}, **facts)
    written = [dict(row) for row in rows]
    for row in written:
        journal.note(1, "trial", **row)
    if reason is not None:
        journal.note(2, "footer", reason=reason, trials=len(written) if trials is None else trials, carried={})
    (folder / "journal.jsonl").write_bytes(b"".join(lines))
    return folder


def rewards(*outcomes: int) -> list[dict[str, Any]]:
    """Make rows of trials that were rewarded, or not."""
    return [{"rewarded": outcome} for outcome in outcomes]

"""Past sessions of a subject, as their journals tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rig.core.journal.journal import Journal
from rig.core.model.rows import TRIAL_TABLE
from tests.journal_lines import FOOTER, HEADER, made

DAY = "2026-11-{:02d}"


def write_session(
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
    variant: str | None = None,
    ran: Mapping[str, Any] | None = None,
) -> Path:
    """Write the journal of a session of a curriculum, or of none; without a ``reason`` it has no end.

    ``ran`` are further fields of the header, such as ``code`` and ``params``.
    """
    folder = subject / DAY.format(day) / f"{number:03d}"
    folder.mkdir(parents=True)
    decision = {"name": name, "stage": stage, "from": stage, "why": "so", "sessions": [], "override": override}
    facts: dict[str, Any] = {} if stage is None else {"curriculum": decision}
    if variant is not None:
        facts["variant"] = variant
    lines: list[bytes] = []
    journal = Journal(lines.append)
    written = [dict(row) for row in rows]
    columns = list(written[0]) if written else []
    header = {**HEADER, "stop": {"min_trials": min_trials}, "columns": columns, **facts, **(ran or {})}
    journal.write(made("header", **header))
    for row in written:
        journal.row(1, TRIAL_TABLE, row)
    if reason is not None:
        footer = {**FOOTER, "reason": reason, "trials": len(written) if trials is None else trials}
        journal.write(made("footer", 2, **footer))
    (folder / "journal.jsonl").write_bytes(b"".join(lines))
    return folder


def rewarded_rows(*outcomes: int) -> list[dict[str, Any]]:
    """Make rows of trials that were rewarded, or not."""
    return [{"rewarded": outcome} for outcome in outcomes]

"""A session in a few numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from pydantic import BaseModel, ConfigDict, Field

from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note
from rig.core.model.microseconds import to_s
from rig.core.model.shares import COMPLETED, Share, fulfills
from rig.system.atomic_files import write_atomic

SUMMARY = "summary.json"

CONDITIONS = ("assignment", "condition", "payment")
"""Notes by which a protocol says what a session is run with, and what a person has earned in it."""

Row = Mapping[str, object]


class Shares(TypedDict, total=False):
    """The completed trials, and their shares by name; without both when there are none."""

    completed: int
    shares: dict[str, float]


class Summary(BaseModel):
    """A session in a few numbers: summary.json, and what ``--json`` prints, of several sessions as a list."""

    model_config = ConfigDict(extra="forbid")

    subject: str | None = Field(description="who did the task")
    protocol: str = Field(description="the task, by the name that records give it")
    variant: str = Field(default="", description="the protocol's file, where its name is not that of the task")
    curriculum: str = Field(default="", description="the curriculum that chose it; absent outside of one")
    stage: str = Field(default="", description="the curriculum's stage")
    start: str | None = Field(description="when it began, in local time, as ISO 8601")
    model: str | None = Field(description="the virtual subject; null for a real one")
    simulated: bool = Field(description="whether no subject was there")
    seed: int = Field(description="random seed of the session")
    reason: str = Field(description="why it ended: time_limit, reward_limit, trial_limit, task_finished, ...")
    detail: str | None = Field(description="more about the reason")
    duration_s: float = Field(description="length of the session, in seconds")
    trials: int = Field(description="rows of the trial table")
    outcomes: dict[str, int] = Field(description="trials by their outcome")
    rewards: int = Field(description="rewards that were given")
    ul: float = Field(description="volume that was given, in microliters")
    pellets: int = Field(default=0, description="pellets that were given")
    access_s: float = Field(default=0, description="seconds for which hoppers were up")
    unconfirmed_rewards: int = Field(description="rewards that no board has confirmed; they count as given")
    refused_orders: int = Field(default=0, description="orders that the board refused and that the host did not repeat")
    completed: int = Field(default=0, description="trials that shares are of: rewarded or not, and nothing else")
    shares: dict[str, float] = Field(
        default_factory=dict, description="shares of the completed trials that the protocol counts, such as p_switch"
    )
    conditions: dict[str, object] = Field(
        default_factory=dict, description="what the protocol noted of the whole session: its assignment, a payment"
    )
    remark: str = Field(default="", description="what a person should know of a virtual subject; absent when nothing")
    folder: str = Field(default="", description="where the records are; printed, and not in summary.json")

    def document(self) -> dict[str, object]:
        """Return what is written of it: the fields that were set."""
        return self.model_dump(exclude_unset=True)


def summarize(header: Header, footer: Footer, rows: Sequence[Row], notes: Iterable[Note] = ()) -> Summary:
    """Return the summary of a session from its header, footer, rows and notes, without facts about the computer."""
    conditions = {note.what: note.fields for note in notes if note.what in CONDITIONS}
    return Summary(
        subject=header.subject,
        protocol=header.protocol,
        **({"variant": header.variant} if header.variant else {}),
        **_stage(header),
        start=header.start,
        model=header.model,
        simulated=header.simulated,
        seed=header.seed,
        reason=footer.reason,
        detail=footer.detail,
        duration_s=to_s(footer.t_us),
        trials=len(rows),
        outcomes=dict(Counter(str(row["outcome"]) for row in rows if "outcome" in row)),
        rewards=footer.rewards,
        ul=footer.ul,
        pellets=footer.pellets,
        access_s=footer.access_s,
        unconfirmed_rewards=footer.unconfirmed_rewards,
        refused_orders=footer.refused_orders,
        **shares(header, rows),
        **({"conditions": conditions} if conditions else {}),
    )


def _stage(header: Header) -> dict[str, str]:
    recorded = header.curriculum
    return {} if recorded is None else {"curriculum": recorded.name, "stage": recorded.stage}


def write_summary(folder: Path, summary: Summary) -> Path:
    """Write ``summary.json`` into a session's folder, whole. Raises ``RecordError``."""
    return write_atomic(folder / SUMMARY, json.dumps(summary.document(), indent=2, ensure_ascii=False) + "\n")


def shares(header: Header, rows: Sequence[Row]) -> Shares:
    """Return the number of completed trials and their shares; empty if there are no such trials or shares."""
    done = [row for row in rows if row.get("outcome") in COMPLETED]
    if not done or not header.shares:
        return {}
    return {"completed": len(done), "shares": {name: _share(share, done) for name, share in header.shares.items()}}


def _share(share: Share, rows: Sequence[Row]) -> float:
    fulfilled = (fulfills(share, row, before) for before, row in zip((None, *rows), rows, strict=False))
    counted = [value for value in fulfilled if value is not None]
    return round(sum(counted) / len(counted), 4) if counted else 0.0

"""Journals made by hand, line by line, and put where a session's would be."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rig.core.journal.codec import parse_line
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import BatchDone, SessionLine
from rig.core.model.actions import Amount, Order
from rig.core.model.events import BoardTime, Edge, LeaseExpired, Refused
from rig.core.model.reward import Reward, RewardStatus
from rig.records.journal.read import JOURNAL
from rig.records.session.power_loss import boot_id
from rig.records.session.read_environment import ENVIRONMENT
from tests.harness import FaultHarness
from tests.journal_lines import FOOTER, HEADER, journal_of, made

START = "2026-11-21T09:00:00"
DROP = Amount(2.5)
COLUMNS = ("trial", "t_in", "note", "reward_ul")


class Book(Journal):
    """A journal in memory; events are numbered by themselves."""

    def __init__(self) -> None:
        super().__init__(self._keep)
        self.raw: list[bytes] = []
        self._t_us = 0
        self._number = 0

    def _keep(self, line: bytes) -> None:
        self.raw.append(line)

    @property
    def lines(self) -> list[SessionLine]:
        return [parse_line(line[:-1])[1] for line in self.raw]

    def _now(self) -> int:
        self._t_us += 1000
        return self._t_us

    def _next(self) -> int:
        self._number += 1
        return self._number

    def line(self, kind: str, /, *, t_us: int | None = None, **fields: Any) -> None:
        """Write a line of any kind, with its fields; see `made`."""
        self.write(made(kind, self._now() if t_us is None else t_us, **fields))

    def header(self, **fields: Any) -> None:
        known = {"protocol": "none", "columns": COLUMNS, "start": START, "stop": {"session_s": 60, "min_trials": 1}}
        self.line("header", **{"t_us": 0, **HEADER, **known, **fields})

    def footer(self, **fields: Any) -> None:
        amount = {name: fields.get(name, 0) for name in ("ul", "pellets", "access_s")}
        given = [[0, *amount.values()]] if any(amount.values()) else []
        self.line("footer", **{**FOOTER, **amount, "given": given, "digest": self.digest, **fields})

    def trial(self, trial: int, **fields: Any) -> None:
        self.line("trial", **{**dict.fromkeys(COLUMNS), "trial": trial, **fields})

    def command(self, number: int, *orders: Order, epoch: int = 0) -> None:  # type: ignore[override]
        super().command(self._now(), epoch, number, self._number, orders)

    def gave(self, number: int, status: str = "delivered", amount: Amount = DROP) -> None:
        """Write what is known of a reward of a reflex, by its number."""
        known = RewardStatus(status)
        self.reward(Reward(amount, "left", "board", self._now(), "reflex", known, number, group=1))

    def done(self, batch: int) -> None:
        self.write(BatchDone(self._now(), batch))

    def edge(self, channel: str, level: int, fired: int = 0) -> None:
        self.write(Edge(self._now(), channel, level, fired, self._next()))

    def time(self, executed: int) -> None:
        self.write(BoardTime(self._now(), executed, self._next()))

    def refused(self, batch: int, order: int) -> None:
        self.write(Refused(self._now(), batch, order, "busy", self._next()))

    def lease(self, epoch: int, executed: int) -> None:
        self.write(LeaseExpired(self._now(), epoch, executed, self._next()))


def raw_of(harness: FaultHarness) -> list[bytes]:
    """Write the lines of a session as its recorder would have."""
    return journal_of(harness.journal)


def put(folder: Path, *parts: bytes | Sequence[bytes]) -> Path:
    """Put bytes and lines into the journal of a session's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    data = b"".join(part if isinstance(part, bytes) else b"".join(part) for part in parts)
    (folder / JOURNAL).write_bytes(data)
    return folder


def on_this_machine(folder: Path) -> Path:
    """Say in a session's folder that the machine has not gone down since."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ENVIRONMENT).write_text(json.dumps({"boot": boot_id()}))
    return folder

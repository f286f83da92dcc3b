"""A journal of many trials and edges for `window`, made from the lines of a short simulated session."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import structs

from rig.cli.main import main as rig
from rig.core.journal.codec import encode, line_bytes
from rig.core.journal.header import Header
from rig.core.journal.kinds import BatchDone, Command, OutputDone, RewardLine, SessionLine, StateLine, TrialLine
from rig.core.model.actions import Pulse
from rig.core.model.events import Edge
from rig.core.model.reward import RewardStatus
from rig.records.journal.read import JOURNAL, of_kind, read_journal

PORTS = ("left.beam", "center.beam", "right.beam")
ON_US = 40_000


def write_journal(path: Path, trials: int, edges: int, hours: float) -> None:
    """Write a journal of a two-armed bandit without its end, with these numbers of trials and edges in these hours."""
    header, rows = _example()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for number, line in enumerate(_lines(header, rows, trials, edges, hours)):
            file.write(line_bytes(number, encode(line)))


def _example() -> tuple[Header, list[TrialLine]]:
    with TemporaryDirectory() as name:
        data = ["--data", name, "--subject", "M1", "--seed", "1", "--start", "2026-11-21T09:00"]
        with redirect_stdout(io.StringIO()):
            rig(["sim", "two_armed_bandit", "--model", "rflr", "--set", "stop.session_s=1200", *data])
        lines = read_journal(next(Path(name).rglob(JOURNAL)).parent)
    return next(of_kind(lines, Header)), list(of_kind(lines, TrialLine))


def _lines(header: Header, rows: list[TrialLine], trials: int, edges: int, hours: float) -> Iterator[SessionLine]:
    yield structs.replace(header, stop={**header.stop, "session_s": 3600 * hours, "max_rewards": trials})
    trial_us, pokes = round(3.6e9 * hours / trials), edges // trials // 2
    for trial in range(trials):
        row, start_us = rows[trial % len(rows)].row, trial * trial_us
        yield StateLine(start_us, "ready")
        yield from _command(trial, start_us)
        for poke in range(pokes):
            at_us, port = start_us + (poke + 1) * trial_us // (pokes + 2), PORTS[poke % 3]
            for level in (1, 0):
                number = 2 * (trial * pokes + poke) + 2 - level
                yield Edge(at_us + (1 - level) * ON_US, port, level, 0, number)
        end_us = start_us + trial_us - 1
        yield StateLine(end_us - trial_us // 4, "iti")
        if row["outcome"] == "rewarded":
            yield _reward(trial, end_us - trial_us // 4)
        yield TrialLine(end_us, {**row, "trial": trial + 1})


def _command(number: int, t_us: int) -> Iterator[SessionLine]:
    yield Command(t_us, 0, number + 1, 0, (Pulse("left.valve", ON_US),))
    yield BatchDone(t_us + 100, number + 1)
    yield OutputDone(t_us + 100 + ON_US, "left.valve", "finished")


def _reward(number: int, t_us: int) -> RewardLine:
    delivered, batch = RewardStatus.DELIVERED, number + 1
    return RewardLine(t_us, batch, "left", 2.5, "ul", "host", delivered, "order", batch=batch, order=0)

"""A journal of many trials and edges for `window`, made from the lines of a short simulated session."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rig.cli.main import main as rig
from rig.core.journal.lines import RESERVED_FIELDS, add_crc
from rig.records.journal.read import JOURNAL, read_journal

Line = dict[str, Any]
PORTS = ("left.beam", "center.beam", "right.beam")
ON_US = 40_000


def write_journal(path: Path, trials: int, edges: int, hours: float) -> None:
    """Write a journal of a two-armed bandit without its end, with these numbers of trials and edges in these hours."""
    header, rows = _example()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for number, line in enumerate(_lines(header, rows, trials, edges, hours)):
            fields = {name: value for name, value in line.items() if name not in RESERVED_FIELDS}
            head = {"seq": number, "t": line["t"], "src": line["src"], "k": line["k"], **fields}
            file.write(add_crc(json.dumps(head, separators=(",", ":"))[:-1]))


def _example() -> tuple[Line, list[Line]]:
    with TemporaryDirectory() as name:
        data = ["--data", name, "--subject", "M1", "--seed", "1", "--start", "2026-11-21T09:00"]
        with redirect_stdout(io.StringIO()):
            rig(["sim", "two_armed_bandit", "--model", "rflr", "--set", "stop.session_s=1200", *data])
        lines = read_journal(next(Path(name).rglob(JOURNAL)).parent)
    return lines[0], [line for line in lines if line["k"] == "trial"]


def _lines(header: Line, rows: list[Line], trials: int, edges: int, hours: float) -> Iterator[Line]:
    header = {**header, "stop": {**header["stop"], "session_s": 3600 * hours, "max_rewards": trials}}
    yield header
    trial_us, pokes = round(3.6e9 * hours / trials), edges // trials // 2
    for trial in range(trials):
        row, start_us = rows[trial % len(rows)], trial * trial_us
        yield _line("state", start_us, "host", name="ready")
        yield from _command(trial, start_us)
        for poke in range(pokes):
            at_us, port = start_us + (poke + 1) * trial_us // (pokes + 2), PORTS[poke % 3]
            for level in (1, 0):
                number = 2 * (trial * pokes + poke) + 2 - level
                yield _line("edge", at_us + (1 - level) * ON_US, channel=port, level=level, fired=0, number=number)
        end_us = start_us + trial_us - 1
        yield _line("state", end_us - trial_us // 4, "host", name="iti")
        if row["outcome"] == "rewarded":
            yield _reward(trial, end_us - trial_us // 4)
        yield {**row, "t": end_us, "trial": trial + 1}


def _command(number: int, t_us: int) -> Iterator[Line]:
    order = {"do": "pulse", "output": "left.valve", "us": ON_US}
    yield _line("command", t_us, "host", epoch=0, batch=number + 1, last_event=0, orders=[order])
    yield _line("batch_done", t_us + 100, batch=number + 1)
    yield _line("output_done", t_us + 100 + ON_US, output="left.valve")


def _reward(number: int, t_us: int) -> Line:
    how = {"delivered_by": "host", "cause": "order", "batch": number + 1, "order": 0, "status": "delivered"}
    return _line("reward", t_us, "host", id=number + 1, source="left", amount=2.5, unit="ul", **how)


def _line(kind: str, t_us: int, src: str = "board", **fields: Any) -> Line:
    return {"k": kind, "t": t_us, "src": src, **fields}

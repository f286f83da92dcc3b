"""Replay: feed a journal's inputs, and only those, to its protocol, and see whether it decides the same.

Nothing here has a clock or a port. Deadlines pass when the journal's time answers say so.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.config import Stop, rig_file_model
from rig.core.actions import Order
from rig.core.board import Board, Health, Opened, Wiring
from rig.core.errors import OrderRefusedError, RecordError
from rig.core.inbox import Inbox
from rig.core.journal import DECISIONS, FORMAT, Journal, event_of
from rig.devices import KINDS
from rig.devices.calibration import Calibration
from rig.session import assembly, session
from rig.session.fit import Rig
from rig.session.setup import assemble
from rig.session.tasks import FoundTask, find_task

Line = Mapping[str, Any]
Decision = dict[str, Any]

_NOT_COMPARED = ("seq", "crc")


class ReplayBoard(Board):
    """A board that does nothing: what it once said is in the journal."""

    async def open(self, wiring: Wiring) -> Opened:
        """Refuse: a replay opens nothing."""
        raise OrderRefusedError("a replay has no board to open")

    def batch(self, orders: Sequence[Order], seen: int, era: int, number: int) -> None:
        """Take orders that were executed long ago."""

    def ask_time(self, at_us: int | None) -> None:
        """Wait for the journal's answer."""

    def estimate_us(self) -> tuple[int, int]:
        """Know nothing."""
        return 0, 0

    def all_off(self) -> None:
        """Nothing is on."""

    async def close(self) -> Health:
        """Have nothing to report."""
        return Health(False, 0, 0)

    def abort(self) -> None:
        """Nothing to let go of."""


def script_of(header: Line, folder: Path | None = None) -> session.Script:
    """Make a session's script again from its header, and its folder when the protocol was a laboratory's own file.

    Raises ``RecordError`` when this program cannot.
    """
    if header.get("format") != FORMAT:
        raise RecordError(f"the journal's format is {header.get('format')}, this program reads {FORMAT}")
    try:
        return _script_of(header, _task_of(header, folder))
    except (LookupError, TypeError, ValueError) as error:  # also pydantic's, about parameters that are no more
        raise RecordError(f"'{header.get('protocol')}' is not what it was when this was recorded: {error}") from None


def _task_of(header: Line, folder: Path | None) -> FoundTask:
    """Find the protocol: a file of the laboratory's own was copied beside the records."""
    word = header.get("task")
    if word is None:
        return find_task(header["protocol"])
    file = word.partition(":")[0]
    copies = [] if folder is None else sorted((folder / "config").glob(f"*/{file}"))
    return find_task(f"./{word}", copies[0].parent if copies else None)


def _script_of(header: Line, found: FoundTask) -> session.Script:
    described = header["rig"]
    calibrations = {name: Calibration.from_dict(data) for name, data in described["calibrations"].items()}
    file = rig_file_model(KINDS).model_validate(
        {"boards": {"board": described["board"]}, **{key: described.get(key) for key in ("devices", "screen")}}
    )
    prepared = assemble(
        found,
        found.task.params_type.model_validate(header["params"]),
        Stop.model_validate(header["stop"]),
        Rig(described["name"], file, calibrations, ()),
    )
    return prepared.script(header["seed"], header["carried"], header["left_today_ul"])


def decide(lines: Sequence[Line], folder: Path | None = None) -> list[Decision]:
    """Let the protocol decide again; return its state, trial and command lines."""
    script = script_of(lines[0], folder)
    decisions: list[Decision] = []
    journal = _Listening(decisions)
    inbox = Inbox(journal)
    engine, runner = assembly.assemble(script, ReplayBoard(), inbox)
    for line in lines:
        event = event_of(line)
        if event is not None:
            inbox.put(event)
    asyncio.run(_run(engine, runner))
    end = lines[-1]  # of a crash, which may have come when the end had begun, at most the last that was written
    engine.forget()
    with suppress(Exception):  # the protocol's own mistake, as it was when it was recorded
        session.settle(engine, runner, Health(end.get("complete", False), 0, end.get("executed", 0)), end["t"])
    return decisions


def crashed(lines: Sequence[Line]) -> bool:
    """Tell whether a journal was cut off: what it does not hold may have been decided all the same."""
    last = lines[-1]
    return bool(last["k"] != "footer" or last["reason"] == "crash")


async def _run(engine: Any, runner: Any) -> None:
    running = asyncio.ensure_future(runner.run())
    running.add_done_callback(lambda it: it.cancelled() or it.exception())  # also Ctrl-C's, which nobody awaits
    idle = 0
    while not running.done() and idle < 5:
        left = len(engine.inbox.events)
        await asyncio.sleep(0)
        idle = idle + 1 if len(engine.inbox.events) == left else 0
    running.cancel()
    with suppress(asyncio.CancelledError, Exception):  # what it was ended by, it was ended by then
        await running


class _Listening(Journal):
    """A journal that only listens to decisions."""

    def __init__(self, decisions: list[Decision]) -> None:
        super().__init__(lambda line: None)
        self._decisions = decisions

    def _line(self, t_us: int, src: str, kind: str, fields: str) -> None:
        if kind in DECISIONS:
            fields_now = json.loads(f"{{{fields[1:]}}}")
            self._decisions.append({"t": t_us, "src": src, "k": kind, **fields_now})


def decisions_of(lines: Iterable[Line]) -> list[Decision]:
    """Pick a journal's own decisions."""
    return [
        {key: value for key, value in line.items() if key not in _NOT_COMPARED}
        for line in lines
        if line["k"] in DECISIONS
    ]


@dataclass(frozen=True)
class Difference:
    """Where a replay first decides otherwise: in which trial, what was written, what comes now."""

    trial: int
    recorded: Decision | None
    replayed: Decision | None


def compare(lines: Sequence[Line], folder: Path | None = None) -> tuple[int, Difference | None]:
    """Replay a journal; return how many decisions agree, and the first that does not."""
    recorded, replayed = decisions_of(lines), decide(lines, folder)
    trial = 1
    for place in range(max(len(recorded), len(replayed))):
        was = recorded[place] if place < len(recorded) else None
        now = replayed[place] if place < len(replayed) else None
        if was is None and crashed(lines):
            break
        if was != now:
            return place, Difference(trial, was, now)
        trial += was is not None and was["k"] == "trial"
    return len(recorded), None

"""The table of ``rig board bench``: what is measured at the pins of a board that has leads, and what must be."""

from __future__ import annotations

import asyncio
import io
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from tempfile import TemporaryDirectory

from rig.boards.chips import CHIPS, USUAL_CHIP
from rig.boards.driver_lookup import Driver
from rig.boards.pin_probe import PinProbe
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics.latencies import Latencies
from rig.diagnostics.timing.report_rows import Row, figure, unmeasured
from rig.diagnostics.timing.suite import PARTS, Part
from rig.system.statuses import OK

SEED = 1
WIDEST_BAR = 40
USUAL = 10_000
"""How many reflexes are measured, unless asked for otherwise; the sizes of all other rows follow from it."""
SESSION_S = 2_400
AT_LEAST_TIMES: Mapping[str, float] = {"pico": 0.5}
"""How many times real time a session takes at least, by the driver."""
AT_LEAST_TIMES_ELSE = 20.0


def timing_rows(driver: Driver, plan: RigSpec, n: int) -> Iterator[Row]:
    """Yield the rows of one part after the other, each measured on a separate board; none without a probe."""
    chip = plan.board.chip or USUAL_CHIP

    def make_probe(wiring: Wiring, seed: int, heard: frozenset[str] = frozenset()) -> PinProbe:
        return driver.probe(replace(plan, wiring=wiring), heard, seed)

    async def measured(part: Part) -> list[Row]:
        return await part(make_probe, chip, n, SEED)

    if not driver.has_probe:
        return
    for part in PARTS:
        with asyncio.Runner(loop_factory=lambda: driver.loop(math.inf)) as runner:
            yield from runner.run(measured(part))
    yield session_speed(plan.board.driver, chip, n)


def session_speed(driver: str, chip: str, n: int) -> Row:
    """Run a session of the two-armed bandit, and compare its time with that of the wall."""
    what = "speed of a session of the two-armed bandit"
    if CHIPS[chip].bench_pins:
        return unmeasured(what, "its rig is an Uno's")
    from rig.cli.main import main

    at_least = AT_LEAST_TIMES.get(driver, AT_LEAST_TIMES_ELSE)
    session_s = max(60, SESSION_S * min(n, USUAL) // USUAL)
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        asked = ["sim", "two_armed_bandit", "--board", driver, "--model", "rflr", "--seed", str(SEED)]
        began = time.perf_counter()
        status = main([*asked, "--data", folder, "--set", f"stop.session_s={session_s}"])
        took_s = time.perf_counter() - began
    if status != OK:
        return Row(what, f">= {at_least:g} x real time", f"it ended with status {status}", False)
    note = f"{session_s / 60:g} min in {took_s:.1f} s"
    return figure(what, session_s / took_s, "x real time", at_least=at_least, note=note)


def print_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """Print each row as soon as it is there, and pass it on."""
    for row in rows:
        print()
        print(f"{row.what}: {row.verdict or row.got}")
        if row.met is not None:
            print(f"    must be {row.must}")
            print(f"    is      {row.got}, n {row.n}")
        if row.note:
            print(f"    {row.note}")
        if row.spread is not None:
            print_bars(row.spread)
        sys.stdout.flush()
        yield row


def print_bars(found: Latencies) -> None:
    """Print how often each latency was found."""
    bars = found.histogram()
    most = max(count for _, _, count in bars)
    for low, high, count in bars:
        bar = "#" * math.ceil(WIDEST_BAR * count / most)
        print(f"{low:10.0f} to {high:8.0f}  {count:6d}  {bar}".rstrip())

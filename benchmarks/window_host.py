"""Lateness of the loop of a session for `window`: a probe runs in it, and its 99th percentile is written at the end.

The session has a simulated rig, and the loop of a real one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from contextvars import Context
from pathlib import Path

from benchmarks.loop_lateness import Histogram, probe
from sim_hardware.driver import VirtualDriver

RESULT = "RIG_BENCHMARK_LATENESS"
"""The environment variable with the file of the result."""

SETTLE_S = 10.0
"""What runs beside the session has started by then."""


def install() -> None:
    """Run the probe beside whatever this program gives to its event loop, which is that of real sessions."""
    run = asyncio.Runner.run

    def probed_run(
        self: asyncio.Runner, main: Coroutine[object, None, object], context: Context | None = None
    ) -> object:
        return run(self, _probed(main), context=context)

    def real_loop(self: VirtualDriver, speed: float | None) -> asyncio.AbstractEventLoop:
        return asyncio.new_event_loop()

    asyncio.Runner.run = probed_run  # type: ignore[method-assign,assignment]
    VirtualDriver.loop = real_loop  # type: ignore[method-assign]


async def _probed(main: Coroutine[object, None, object]) -> object:
    late_ms = Histogram()
    task = asyncio.create_task(_probe(late_ms))
    try:
        return await main
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        _write(late_ms.percentile(0.99))


async def _probe(late_ms: Histogram) -> None:
    await asyncio.sleep(SETTLE_S)
    await probe(late_ms)


def _write(late_ms: float) -> None:
    Path(os.environ[RESULT]).write_text(f"{late_ms}", encoding="ascii")

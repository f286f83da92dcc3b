"""A two-armed-bandit session through everything that a real one goes through, but for copper and mice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from protocols.two_armed_bandit import Params, TwoArmedBandit
from rig.core.board import Wiring
from rig.core.clock import running
from rig.core.journal import Journal
from rig.core.plan import BoardSpec, Rehearsal, RigPlan
from rig.core.rewards import Ceilings
from rig.core.runner import Limits
from rig.devices import Port, PortConfig
from rig.devices.calibration import Calibration
from rig.hardware.serial_board import SerialBoard
from rig.session.recorder import Recorder
from rig.session.session import Outcome, Script, Session
from sim_hardware import loop
from sim_hardware.body import Body
from sim_hardware.driver import SimRig
from sim_hardware.models.rflr import Rflr, RflrParams

Trace = list[tuple[int, str, int]]

SESSION_S = 2400
GRACE_S = 30
MAX_REWARDS = 800
MAX_UL = 2000.0
OPEN_US, DROP_UL = 40_000, 2.5

_PINS = {"left": (6, 10, 3), "centre": (5, 8, None), "right": (7, 9, 4)}
_CURVE = Calibration("bench", "bench", "2026-11-03", ((10_000, 0.8), (OPEN_US, DROP_UL), (80_000, 5.0)))


@dataclass(frozen=True)
class Run:
    """What one session left behind."""

    outcome: Outcome
    trace: Trace
    lines: int


class TickBody(Body):
    """A body that acts on whole microseconds, as a model that counts them does.

    On a finer time the estimate of the board's clock is off by up to half a microsecond, which half depends on the
    last bit of a float, and with it when a deadline is asked for.
    """

    async def wait(self, seconds: float) -> None:
        """Let some time pass."""
        await super().wait(round(seconds, 6))


def run(seed: int, folder: Path, session_s: float = SESSION_S) -> Run:
    """Run one session in virtual time, its journal in ``folder``."""
    recorder = Recorder(folder, synced=False)
    try:
        result: Run = loop.run(_session(_script(seed, session_s), recorder))
    finally:
        recorder.close()
    return result


async def _session(script: Script, recorder: Recorder) -> Run:
    rig = SimRig(script.plan, Rehearsal("rflr", {}, script.seed))
    rig.world.trace = []
    body = TickBody(rig.world, running(), script.seed)
    rig.board.on_open = body.begin
    mouse = Rflr(RflrParams(session_s=script.limits.session_us / 1e6))
    journal = Journal(recorder.append)
    session = Session(script, journal, lambda inbox: SerialBoard(rig.transport, running(), inbox, nonce=script.seed))
    outcome = await session.run(mouse.live(body))
    return Run(outcome, rig.world.trace, journal.seq)


def _script(seed: int, session_s: float) -> Script:
    devices = {name: _port(name, *pins) for name, pins in _PINS.items()}
    wiring = Wiring(tuple(channel for device in devices.values() for channel in device.channels))
    valves = {f"{side}.valve": _CURVE.ul for side in ("left", "right")}
    return Script(
        task=TwoArmedBandit,
        params=Params(min_poke_ms=0),
        limits=Limits(round(session_s * 1e6), GRACE_S * 1_000_000),
        ceilings=Ceilings(MAX_REWARDS, MAX_UL),
        plan=RigPlan("bench", BoardSpec("uno", "sim"), wiring, valves),
        devices=devices,
        seed=seed,
        header={"seed": seed},
    )


def _port(name: str, beam: int, light: int, valve: int | None) -> Port:
    config = PortConfig(kind="port", beam=beam, light=light, valve=valve, calibration="bench" if valve else None)
    return Port(name, config, _CURVE if valve else None)

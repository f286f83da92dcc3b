"""A two-armed-bandit session through the full software stack with a simulated board and mouse."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from protocols.two_armed_bandit.task import Params, TwoArmedBandit
from rig.boards.serial.board import SerialBoard
from rig.config import SessionLimits, rig_file_model
from rig.core.clock import running
from rig.core.journal.journal import Journal
from rig.core.model.rig_spec import SimulationOptions
from rig.devices.calibration import Calibration
from rig.devices.kinds import installed_kinds
from rig.session.run.block_recorder import BlockRecorder
from rig.session.run.footer import Outcome
from rig.session.run.session import Session
from rig.session.spec.build import spec_for_rig
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from sim_hardware import loop
from sim_hardware.driver import SimRig
from sim_hardware.world.body import Body

Trace = list[tuple[int, str, int]]

SESSION_S = 2400
GRACE_S = 30
MAX_REWARDS = 800
MAX_UL = 2000.0
OPEN_US, DROP_UL = 40_000, 2.5

_PINS = {"left": (6, 10, 3), "center": (5, 8, None), "right": (7, 9, 4)}
_CURVE = Calibration("bench", "bench", "2026-11-03", ((10_000, 0.8), (OPEN_US, DROP_UL), (80_000, 5.0)))


@dataclass(frozen=True)
class Run:
    """Result of one session: outcome, trace of pins, and number of journal lines."""

    outcome: Outcome
    trace: Trace
    lines: int


class TickBody(Body):
    """Body that acts on whole microseconds, as the SimPy model does.

    With fractions of a microsecond the rounding of the board's clock depends on the last bit of a float, and with it
    the time of a deadline's query.
    """

    async def wait(self, seconds: float) -> None:
        """Wait some seconds, rounded to a microsecond."""
        await super().wait(round(seconds, 6))


def run(seed: int, folder: Path, session_s: float = SESSION_S) -> Run:
    """Run one session in virtual time, its journal in ``folder``."""
    recorder = BlockRecorder(folder)
    try:
        result: Run = loop.run(_session(spec_of(SessionRequest(seed=seed), session_s), recorder))
    finally:
        recorder.close()
    return result


async def _session(spec: SessionSpec, recorder: BlockRecorder) -> Run:
    rig = SimRig(spec.plan, SimulationOptions("rflr", {}, spec.seed))
    rig.world.trace = []
    body = TickBody(rig.world, running(), spec.seed)
    rig.board.on_open = body.begin
    mouse = RflrMouse(RflrParams(session_s=spec.limits.session_us / 1e6))
    journal = Journal(recorder.append)
    session = Session(spec, journal, lambda inbox: SerialBoard(rig.transport, running(), inbox, nonce=spec.seed))
    outcome = await session.run(mouse.live(body))
    return Run(outcome, rig.world.trace, journal.seq)


def spec_of(request: SessionRequest, session_s: float) -> SessionSpec:
    """Build the specification of the session that the SimPy model simulates."""
    devices = {name: _port(*pins) for name, pins in _PINS.items()}
    file = rig_file_model(installed_kinds()).model_validate({"boards": {"uno": {"driver": "sim"}}, "devices": devices})
    stop = SessionLimits(session_s=session_s, grace_s=GRACE_S, max_rewards=MAX_REWARDS, max_ul=MAX_UL)
    found = FoundTask("two_armed_bandit", TwoArmedBandit)
    rig = Rig("bench", file, {_CURVE.name: _CURVE}, ())
    return spec_for_rig(rig, found, Params(min_poke_ms=0), stop, request)


def _port(beam: int, light: int, valve: int | None) -> dict[str, object]:
    water = {} if valve is None else {"valve": valve, "calibration": _CURVE.name}
    return {"kind": "port", "beam": beam, "light": light, **water}

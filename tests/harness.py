"""Sessions of tests on a simulated rig in virtual time, with a scripted subject and injected faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rig.camera.interface import Camera
from rig.core.errors import RecordError
from rig.core.journal.kinds import (
    AllOffDone,
    BatchDone,
    Command,
    Note,
    OutputDone,
    RewardLine,
    SessionLine,
    StateLine,
    TrialLine,
)
from rig.core.model.rig_spec import SimulationOptions
from rig.session import replay
from rig.session.run import run_session as run_session_module
from rig.session.run.gc_control import GcPaused
from rig.session.run.run_session import SessionResult, run_session
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.testing import Move, SessionHarness, at, enter, leave
from sim_hardware.link_model import LinkFaults
from sim_hardware.loop import VirtualLoop
from sim_hardware.models.base import Model
from sim_hardware.world.body import Body
from tests.recording_observer import RecordingObserver
from tests.replay_decisions import recorded_decisions, replayed_decisions
from tests.session_specs import session_spec

EdgeAt = tuple[int, str, int]
"""A nose that goes in (1) or out (0) of a place, at a microsecond of the session."""
SubjectScript = Callable[[Body], Coroutine[Any, Any, None]]
"""A subject: a coroutine function that acts through a body."""

MAX_SESSION_S = 20_000.0
"""Virtual time ends here, so that a session that does not end fails its test."""


@dataclass(frozen=True)
class ValveOpening:
    """A valve that was open from ``t_us`` for ``us`` microseconds."""

    place: str
    t_us: int
    us: int | None


class FaultHarness(SessionHarness):
    """A session harness that injects faults: of the link, and of a disk that is full after ``room`` lines."""

    room = float("inf")
    """Lines of the journal that the disk can take."""

    def __init__(self, spec: SessionSpec, **settings: Any) -> None:
        self.observer = RecordingObserver()
        super().__init__(spec, observer=self.observer, **settings)

    def append(self, line: bytes) -> None:
        if len(self.journal) >= self.room:
            raise RecordError("the disk is full")
        super().append(line)

    # --- faults ----------------------------------------------------------------------------------------------

    def delay(self, seconds: float) -> None:
        """Set the latency of both directions of the link from now on."""
        for channel in (self.rig.cable.to_board, self.rig.cable.to_host):
            channel._latency_s = seconds
            channel._perfect = False  # bytes already sent keep their order

    def stall(self, seconds: float) -> None:
        """Stop the host's reads for some seconds; it still sends."""
        self._hold(seconds, self.rig.cable.to_host)

    def block_input(self, seconds: float) -> None:
        """Hold all bytes to the board for some seconds, then deliver them at once."""
        self._hold(seconds, self.rig.cable.to_board)

    def _hold(self, seconds: float, channel: Any) -> None:
        if channel.held is None:
            channel.hold()
            asyncio.get_running_loop().call_later(seconds, channel.release)

    # --- results -----------------------------------------------------------------------------------------

    @property
    def log(self) -> list[Any]:
        """Return what a :class:`tests.session_specs.PortTask` has noted."""
        log: list[Any] = self.session.runner.task.log
        return log

    @property
    def orders(self) -> list[tuple[int, str]]:
        """Return the orders as short texts, each with its time in microseconds."""
        return [(t_us, str(order)) for t_us, order in super().orders]

    @property
    def valve_openings(self) -> list[ValveOpening]:
        """Return the openings of all valves in order of time; one that never closed has no length."""
        places = ("left", "right")
        found = [ValveOpening(place, *opening) for place in places for opening in self.openings(f"{place}.valve")]
        return sorted(found, key=lambda opening: opening.t_us)

    def opened(self, place: str) -> list[int]:
        """Return the times in microseconds at which the valve of a place opened."""
        return [opening.t_us for opening in self.openings(f"{place}.valve")]

    def replayed(self, lines: Sequence[SessionLine] | None = None) -> list[SessionLine]:
        """Return the decisions of a replay: the protocol runs again on the journal's inputs."""
        with patch.object(replay, "spec_of_header", lambda header, *code: self.spec):
            return replayed_decisions(self.journal if lines is None else lines)

    def assert_replay_agrees(self) -> None:
        """Check that a replay decides as the journal says, though the journal shows it no decision.

        `tests/rules/test_rule_7_a_replay_decides_the_same.py` replays whole journals too.
        """
        decided = recorded_decisions(self.journal)
        decisions = (StateLine, TrialLine, Command, RewardLine, BatchDone, OutputDone, AllOffDone, Note)
        assert self.replayed([line for line in self.journal if not isinstance(line, decisions)]) == decided


Fault = tuple[float, Callable[[FaultHarness], object]]
"""A time in seconds of the session, and the function that injects the fault then."""


async def do_nothing(body: Body) -> None:
    """Stay away from every sensor."""


def run_harness(
    spec: SessionSpec,
    subject: SubjectScript | Sequence[EdgeAt] | None = do_nothing,
    *injected: Fault,
    seed: int = 1,
    carried_over: Mapping[str, Any] | None = None,
    cut: frozenset[str] = frozenset(),
    faults: LinkFaults | None = None,
    model: Model | None = None,
    arrange: Callable[[FaultHarness], object] = lambda harness: None,
    camera: Camera | None = None,
    folder: Path | None = None,
    after_s: float = 5.0,
    loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
    t_max: float = MAX_SESSION_S,
    board: str = "sim",
    keep_error: bool = False,
) -> FaultHarness:
    """Run a session to its end, and watch the pins for ``after_s`` seconds longer.

    The ``subject`` is a coroutine function or a list of edges; a ``model`` takes its place. ``faults`` are those of
    the cable, ``cut`` names channels whose wires are cut. ``arrange`` is called before the session begins. A rig with
    a tracker has the simulated camera unless ``camera`` is given, and writes positions into ``folder``.
    Raises what the session raises, unless ``keep_error``: then ``error`` has it.
    """
    if not spec.request.subject and spec.request.seed == 0:
        spec = session_spec(spec, seed, carried_over)
    simulation = SimulationOptions(seed=seed, cut=cut, faults={} if faults is None else asdict(faults))
    harness = FaultHarness(spec, board=board, rehearsal=simulation, camera=camera, folder=folder)
    living = subject if callable(subject) else None
    edges = () if subject is None or callable(subject) else subject
    harness.run(
        [*edge_moves(edges), *fault_moves(injected)],
        living if model is None else model.live,
        arrange=arrange,
        after_s=after_s,
        loop=loop or (lambda: VirtualLoop(t_max=t_max)),
        keep_error=keep_error,
    )
    return harness


def run_with_faults(
    spec: SessionSpec,
    edges: SubjectScript | Sequence[EdgeAt] = (),
    *injected: Fault,
    after_s: float = 6.0,
    **settings: Any,
) -> FaultHarness:
    """Run a session that may fail: what it raises is kept in ``error``."""
    return run_harness(spec, edges, *injected, after_s=after_s, keep_error=True, **settings)


def edge_moves(edges: Sequence[EdgeAt]) -> list[Move]:
    """Return the moves of a script for some edges."""
    return [_edge(*edge) for edge in edges]


def fault_moves(injected: Iterable[Fault]) -> list[Move]:
    """Return the moves of a script that inject faults."""
    return [_fault(*fault) for fault in injected]


def _edge(t_us: int, place: str, level: int) -> Move:
    return at(t_us / 1e6, place, enter if level else leave)


def _fault(at_s: float, inject: Callable[[FaultHarness], object]) -> Move:
    return Move(round(at_s * 1e6), lambda harness: None if harness.is_over else inject(harness))


def nose_pokes(*visits: tuple[int, str, int]) -> list[EdgeAt]:
    """Return the edges of visits ``(t_us, place, for_us)``, in order of time."""
    return sorted(edge for t_us, place, for_us in visits for edge in ((t_us, place, 1), (t_us + for_us, place, 0)))


def bad_link(seed: int, rate: float = 1e-3, latency_s: float = 0.001, jitter_s: float = 0.004) -> LinkFaults:
    """Return the faults of a link that flips, drops and doubles bytes, each at ``rate``."""
    return LinkFaults(latency_s, jitter_s, flip=rate, drop=rate, double=rate, seed=seed)


Pokes = Sequence[tuple[float, str, int]]
"""Seconds of the session, place, in or out."""


def poke(place: str, at_s: float, for_s: float = 0.1) -> Pokes:
    """Return a visit to a place: in at ``at_s`` seconds, out ``for_s`` later."""
    return [(at_s, place, 1), (at_s + for_s, place, 0)]


def scripted_subject(*pokes: Pokes) -> SubjectScript:
    """Return a subject that makes these pokes."""
    moves = sorted(chain.from_iterable(pokes), key=lambda move: move[0])

    async def live(body: Body) -> None:
        for at_s, place, level in moves:
            await body.wait_until_us(round(at_s * 1e6))
            (body.enter if level else body.leave)(place)

    return live


def run_as(spec: SessionSpec, request: SessionRequest, **given: Any) -> SessionResult:
    """Run a session of a specification with another request."""
    with patch.object(run_session_module, "GcPaused", CollectorLeftAlone):
        return run_session(replace(spec, request=request), **given)


class CollectorLeftAlone(GcPaused):
    """Leaves the garbage collector alone, whose full collection of all that tests have imported takes 0.2 s."""

    def __enter__(self) -> CollectorLeftAlone:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

"""Sessions of shipped protocols in memory, with an animal that is a coroutine."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from rig.camera.interface import Camera
from rig.core.errors import RecordError
from rig.core.model.rig_spec import SimulationOptions
from rig.session.build.build import build_spec
from rig.session.build.request import SessionRequest
from rig.session.build.spec import SessionSpec
from rig.session.run.run_session import SessionResult, run_session
from rig.testing import SessionHarness
from sim_hardware.link_model import LinkFaults
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.body import Body
from tests.order_text import order_text
from tests.recording_observer import RecordingObserver

Line = dict[str, Any]
Animal = Callable[[Body], Coroutine[Any, Any, None]]

LATE = 3_600.0
"""No session here lasts so long: virtual time stops instead of running on."""


class Stage(SessionHarness):
    """A session whose disk may be full: it takes ``room`` lines."""

    room = float("inf")

    def __init__(self, spec: SessionSpec, **settings: Any) -> None:
        self.observer = RecordingObserver()
        super().__init__(spec, observer=self.observer, **settings)

    @property
    def orders(self) -> list[tuple[int, str]]:
        """Every order as a person would say it, and when it was given."""
        return [(t_us, order_text(order)) for t_us, order in super().orders]

    def append(self, line: bytes) -> None:
        if len(self.journal) >= self.room:
            raise RecordError("the disk is full")
        super().append(line)


async def nobody(body: Body) -> None:
    """An animal that does nothing."""


Pokes = Sequence[tuple[float, str, int]]
"""Seconds of the session, place, in or out."""


def poke(place: str, at_s: float, for_s: float = 0.1) -> Pokes:
    """A nose goes in, and out again."""
    return [(at_s, place, 1), (at_s + for_s, place, 0)]


def script_for(*pokes: Pokes) -> Animal:
    """An animal that follows a list."""
    moves = sorted(chain.from_iterable(pokes), key=lambda move: move[0])

    async def live(body: Body) -> None:
        for at_s, place, level in moves:
            await body.wait_until_us(round(at_s * 1e6))
            (body.enter if level else body.leave)(place)

    return live


def setting(protocol: str = "two_armed_bandit", /, rig: str | None = None, **values: Any) -> SessionSpec:
    """Prepare a protocol; ``iti_min_s=2`` changes a parameter, ``stop_session_s=60`` a limit.

    A bandit's pokes may be as short as a rig believes them, unless ``min_poke_ms`` is given.
    """
    if protocol.startswith("two_armed_bandit"):
        values = {"min_poke_ms": 0, **values}
    return _prepared(protocol, rig, tuple(values.items()))


@cache
def _prepared(protocol: str, rig: str | None, values: tuple[tuple[str, Any], ...]) -> SessionSpec:
    sets = [
        f"stop.{name.removeprefix('stop_')}={value}" if name.startswith("stop_") else f"params.{name}={value}"
        for name, value in values
    ]
    return build_spec(SessionRequest(protocol, rig, sets))


def session_of(
    spec: SessionSpec, seed: int = 1, carried_over: Mapping[str, Any] | None = None, **asked: Any
) -> SessionSpec:
    """The specification of one session; ``asked`` are further fields of its request."""
    request = replace(spec.request, **{"subject": "M1", "seed": seed, **asked})
    return replace(spec, request=request, carried_over=spec.carried_over if carried_over is None else carried_over)


def run_as(spec: SessionSpec, request: SessionRequest, **given: Any) -> SessionResult:
    """Run a session that is asked for in another way."""
    return run_session(replace(spec, request=request), **given)


def play(
    spec: SessionSpec,
    animal: Animal | None = nobody,
    *,
    seed: int = 1,
    carried_over: Mapping[str, Any] | None = None,
    cut: frozenset[str] = frozenset(),
    faults: LinkFaults | None = None,
    direct: Callable[[Stage], object] = lambda stage: None,
    camera: Camera | None = None,
    folder: Path | None = None,
    after_s: float = 5.0,
    loop: Callable[[], asyncio.AbstractEventLoop] = lambda: VirtualLoop(t_max=LATE),
) -> Stage:
    """Run a session to its end. ``direct`` is called before it begins, to arrange what will happen.

    A rig with a tracker has the simulated camera, or another ``camera``; positions go into a ``folder``, if any.
    The pins are watched for ``after_s`` seconds longer: a board left alone goes dark.
    """
    if not spec.request.subject:
        spec = session_of(spec, seed, carried_over)
    rehearsal = SimulationOptions(seed=seed, cut=cut, faults={} if faults is None else asdict(faults))
    stage = Stage(spec, rehearsal=rehearsal, camera=camera, folder=folder)
    stage.run(subject=animal, arrange=direct, after_s=after_s, loop=loop)
    return stage

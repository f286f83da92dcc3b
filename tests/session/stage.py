"""A session on a stage: a simulated rig, an animal that is a coroutine, and everything that came of it."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal import Journal
from rig.core.plan import Rehearsal
from rig.hardware.boards import Connection, make_board
from rig.hardware.camera.seam import Camera
from rig.records.read import Reader, rows_of, tables_of
from rig.session.session import Outcome, Script, Session
from rig.session.setup import Prepared, prepare
from rig.session.tracking import tracker_of
from sim_hardware.body import Body
from sim_hardware.driver import SimDriver, SimRig
from sim_hardware.loop import VirtualLoop
from sim_hardware.wire import Faults

Line = dict[str, Any]
Animal = Callable[[Body], Coroutine[Any, Any, None]]

LATE = 3_600.0
"""No session here lasts so long: virtual time stops instead of running on."""


@dataclass
class Stage:
    """One rig and one session on it, while it runs and afterwards."""

    sim: SimRig
    session: Session
    journal: list[Line] = field(default_factory=list)
    outcome: Outcome | None = None
    room: float = float("inf")
    """How many lines the disk still takes."""
    reader: Reader = field(default_factory=Reader)
    at_end: Callable[[], object] = lambda: None
    """Called when the session has ended."""

    def append(self, line: bytes) -> None:
        if len(self.journal) >= self.room:
            raise RecordError("the disk is full")
        found = self.reader.take(line[:-1])
        assert len(found) == 1, found
        assert isinstance(found[0], dict), "what is written is what a reader takes"
        self.journal.append(found[0])

    def of_kind(self, kind: str) -> list[Line]:
        return [line for line in self.journal if line["k"] == kind]

    @property
    def rows(self) -> list[Line]:
        return rows_of(self.journal)

    def table(self, name: str) -> list[Line]:
        return tables_of(self.journal, self.journal[0])[name]

    @property
    def states(self) -> list[tuple[str, int]]:
        """Every state entered, and when."""
        return [(line["name"], line["t"]) for line in self.of_kind("state")]

    @property
    def orders(self) -> list[tuple[int, str]]:
        """Every order, and when it was given."""
        return [(line["t"], order) for line in self.of_kind("command") for order in line["orders"]]

    @property
    def footer(self) -> Line:
        assert self.journal[-1]["k"] == "footer"
        return self.journal[-1]

    @property
    def trace(self) -> list[tuple[int, str, int]]:
        """Every change of a pin: when, which, to what."""
        assert self.sim.world.trace is not None
        return self.sim.world.trace

    def changes(self, channel: str) -> list[tuple[int, int]]:
        return [(t_us, value) for t_us, name, value in self.trace if name == channel]

    def openings(self, side: str) -> list[tuple[int, int]]:
        """When the valve of a side opened, and for how many microseconds."""
        edges = self.changes(f"{side}.valve")
        assert [value for _, value in edges] == [1, 0] * (len(edges) // 2), "a valve is left open"
        return [(on, off - on) for (on, _), (off, _) in zip(edges[::2], edges[1::2], strict=True)]

    def on_at_the_end(self) -> list[str]:
        """What is still on."""
        last = {name: value for _, name, value in self.trace if not name.endswith(".beam")}
        return sorted(name for name, value in last.items() if value)


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


def setting(protocol: str = "two_armed_bandit", /, rig: str | None = None, **values: Any) -> Prepared:
    """Prepare a protocol; ``iti_min_s=2`` changes a parameter, ``stop_session_s=60`` a limit.

    A bandit's pokes may be as short as a rig believes them, unless ``min_poke_ms`` is given.
    """
    if protocol.startswith("two_armed_bandit"):
        values = {"min_poke_ms": 0, **values}
    return _prepared(protocol, rig, tuple(values.items()))


@cache
def _prepared(protocol: str, rig: str | None, values: tuple[tuple[str, Any], ...]) -> Prepared:
    sets = [
        f"stop.{name.removeprefix('stop_')}={value}" if name.startswith("stop_") else f"params.{name}={value}"
        for name, value in values
    ]
    return prepare(protocol, rig, sets)


def play(
    script: Script | Prepared,
    animal: Animal | None = nobody,
    *,
    seed: int = 1,
    carried: Mapping[str, Any] | None = None,
    cut: frozenset[str] = frozenset(),
    faults: Faults | None = None,
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
    if isinstance(script, Prepared):
        script = script.script(seed, carried or {}, subject="M1")
    stages: list[Stage] = []

    async def main() -> None:
        sim = SimRig(script.plan, Rehearsal(seed=seed, cut=cut), faults)
        sim.world.trace = []
        connection = Connection(sim.transport, screen=sim.screen, tell=sim.body.tell)
        stage = Stage(
            sim,
            Session(
                script,
                Journal(lambda line: stage.append(line), connection.tell),
                lambda inbox: make_board(SimDriver(), connection, script.plan, inbox, 1),
                tracker_of(script.plan, sim.camera if camera is None else camera, folder),
            ),
        )
        stages.append(stage)
        direct(stage)
        stage.outcome = await stage.session.run(None if animal is None else animal(sim.body))
        stage.at_end()
        await asyncio.sleep(after_s)

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main())
    return stages[0]

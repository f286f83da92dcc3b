"""The two-armed bandit as a plain SimPy model: a mouse, a rig with two cables, a task, one line per event.

It draws from the same random streams as the full stack and must give the same trace to the microsecond. Time is in
whole microseconds from the opening of the session (SimPy's types call any time a float). The rig has only what is
visible from outside: beams have a confirmation time and a lock-out, drops are delivered by reflex at the confirmed
edge, both cables take 0.5 ms, and a deadline has passed when the board has answered a time query. The model has only
the default parameters, and no poke before the reflex is armed, which this mouse never makes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Generator
from types import ModuleType
from typing import Any, NamedTuple, TextIO, TypeAlias

import simpy

from protocols.two_armed_bandit.blocks import blocks_of
from protocols.two_armed_bandit.params import Params
from protocols.two_armed_bandit.subjects.nose_port_mouse import FLIGHT_S
from protocols.two_armed_bandit.subjects.rflr import RflrParams
from protocols.two_armed_bandit.subjects.tempo import FLIGHT, PACE, Tempo
from rig.core.task.random_streams import RandomStreams
from sim_hardware.models.base import lognormal

CENTER, LEFT, RIGHT = "center", "left", "right"
PORTS = (LEFT, CENTER, RIGHT)

# Link, beam and valve times of the rig in ``stack``; any difference gives different traces.
LINK_US = 500
CONFIRM_US = 100
LOCKOUT_US = 5_000
ASK_AGAIN_US = 1_000
OPEN_US = 40_000
GRACE_US = 30_000_000
MAX_REWARDS = 800

CONFIGURED_US = 4_500
"""Time at which the board is configured: the mouse starts, and the host queries the board's time."""

TASTE_S = 0.12
LONGEST_FLIGHT_S = 1.99
LONGEST_BREAK_S = 300.0

Trace: TypeAlias = list[tuple[float, str, int]]
Process: TypeAlias = Generator[simpy.Event, Any, Any]


class Edge(NamedTuple):
    """A beam was broken (level 1) or cleared (level 0)."""

    port: str
    level: int
    t_us: float


class Arm(NamedTuple):
    """Armed reflex: the next poke until ``until_us`` ends it; it is rewarded at ports where ``pays`` is true."""

    until_us: float
    pays: dict[str, bool]


class Light(NamedTuple):
    """Order to switch a light."""

    port: str
    on: int


class SessionOver(Exception):  # noqa: N818
    """End of the session, raised in the task."""


class SerialCable:
    """Cable that delivers everything ``LINK_US`` later, in the same order."""

    def __init__(self, env: simpy.Environment, kernel: ModuleType) -> None:
        self.env = env
        self.store = kernel.Store(env)

    def put(self, thing: Any) -> None:
        """Send an object."""
        self.env.process(self._carry(thing))

    def _carry(self, thing: Any) -> Process:
        yield self.env.timeout(LINK_US)
        self.store.put(thing)

    def get(self) -> Any:
        """Return an event for the next object to arrive."""
        return self.store.get()


class Beam:
    """Beam of a port with a confirmation time for breaks and a lock-out after each reported change."""

    def __init__(self, rig: Rig, port: str) -> None:
        self.rig = rig
        self.env = rig.env
        self.port = port
        self.level = 0
        self.changed_us: float = 0
        self.moved = self.env.event()
        self.env.process(self.watch())

    def move(self, level: int) -> None:
        """Set the beam: broken (1) or clear (0)."""
        self.rig.record(f"{self.port}.beam", level)
        self.level, self.changed_us = level, self.env.now
        moved, self.moved = self.moved, self.env.event()
        moved.succeed()

    def watch(self) -> Process:
        """Send every confirmed change to the rig."""
        reported, locked_until = 0, 0.0
        while True:
            if self.level == reported:
                yield self.moved
                continue
            due = max(self.changed_us + (CONFIRM_US if self.level else 0), locked_until)
            if due > self.env.now:
                yield self.env.timeout(due - self.env.now) | self.moved
                continue
            reported, locked_until = self.level, self.changed_us + LOCKOUT_US
            self.rig.on_edge(Edge(self.port, self.level, self.changed_us))


class Rig:
    """Three ports with lights, two valves, and the reflex from beam to valve."""

    def __init__(self, env: simpy.Environment, kernel: ModuleType, log: TextIO) -> None:
        self.env = env
        self.log = log
        self.trace: Trace = []
        self.to_host, self.to_board = SerialCable(env, kernel), SerialCable(env, kernel)
        self.beams = {port: Beam(self, port) for port in PORTS}
        self.lights = dict.fromkeys(PORTS, 0)
        self.center_lit = env.event()
        self.water = dict.fromkeys(PORTS, 0)
        self.armed: Arm | None = None
        env.process(self.serve())

    def record(self, channel: str, value: int) -> None:
        """Record an edge or an output in the trace and the log."""
        self.trace.append((self.env.now, channel, value))
        self.log.write(f"{self.env.now},{channel},{value}\n")

    def on_edge(self, edge: Edge) -> None:
        """Run the reflex, then send the edge to the host."""
        if edge.level and self.armed is not None and edge.t_us <= self.armed.until_us:
            if self.armed.pays.get(edge.port):
                self.env.process(self.drop(edge.port))
            self.armed = None
        self.to_host.put(edge)

    def drop(self, port: str) -> Process:
        """Open a valve for one drop, ``OPEN_US``."""
        self.record(f"{port}.valve", 1)
        yield self.env.timeout(OPEN_US)
        self.record(f"{port}.valve", 0)
        self.water[port] += 1

    def serve(self) -> Process:
        """Run the orders of the host."""
        while True:
            for order in (yield self.to_board.get()):
                if isinstance(order, Arm):
                    self.armed = order
                else:
                    self.switch(order.port, order.on)

    def switch(self, port: str, on: int) -> None:
        """Set a light; no trace if it is already in that state."""
        if on == self.lights[port]:
            return
        self.lights[port] = on
        self.record(f"{port}.light", on)
        if port == CENTER and on:
            lit, self.center_lit = self.center_lit, self.env.event()
            lit.succeed()


class Mouse:
    """RFLR mouse with timing fitted to the public data of Beron et al. 2022."""

    def __init__(self, rig: Rig, params: RflrParams, seed: int) -> None:
        self.rig = rig
        self.env = rig.env
        self.params = params
        self.draw = random.Random(f"{seed}/model")
        self.decay = math.exp(-1.0 / params.tau)
        self.phi = self.psi = 0.0
        self.pace = Tempo(PACE, params.speed, params.speed_sd, params.changes)
        self.flight = Tempo(FLIGHT, 1.0, params.flight_sd, params.changes)
        self.poked_at = 0.0
        self.rewarded = False

    @property
    def now_s(self) -> float:
        """Return the seconds since the opening of the session."""
        return self.env.now / 1e6

    def wait(self, seconds: float) -> simpy.Event:
        """Return an event after some seconds."""
        return self.env.timeout(round(seconds * 1e6))

    def live(self) -> Process:
        """Run the mouse until the session interrupts it."""
        yield self.env.timeout(CONFIGURED_US)
        try:
            yield from self.do_trials()
        except simpy.Interrupt:
            return

    def do_trials(self) -> Process:
        """Run trials."""
        for tempo in (self.pace, self.flight):
            tempo.begin(self.draw)
        last_side = ""
        while True:
            yield from self.start()
            failed, self.rewarded = not self.rewarded, False
            if self.draw.random() < self.params.p_omission:
                yield self.wait(3.0)
            elif self.draw.random() < self.params.p_double:
                yield self.wait(0.1)
                yield from self.poke(CENTER, 0.15, 0.4)
            else:
                side = LEFT if self.draw.random() < 1.0 / (1.0 + math.exp(-self.psi)) else RIGHT
                hesitates_s = (0.03 if failed else 0.0) + (0.03 if last_side not in ("", side) else 0.0)
                flight = self.flight.factor * lognormal(self.draw, FLIGHT_S, 0.28) + hesitates_s
                landing = self.poked_at + min(LONGEST_FLIGHT_S, flight)
                yield self.wait(max(0.02, landing - self.now_s))
                yield from self.visit(side)
                last_side = side

    def start(self) -> Process:
        """Poke the center when its lamp calls."""
        for tempo in (self.pace, self.flight):
            tempo.step(self.draw, self.now_s / self.params.session_s)
        if self.draw.random() < self.params.p_early and not self.rig.lights[CENTER]:
            yield self.wait(lognormal(self.draw, 0.5, 0.3))
            if not self.rig.lights[CENTER]:
                yield from self.poke(CENTER, 0.15, 0.4)
        while True:
            if not self.rig.lights[CENTER]:
                yield self.rig.center_lit
            yield self.wait(self.pace.factor * lognormal(self.draw, 0.30, 0.5))
            if self.rig.lights[CENTER]:
                break
        self.poked_at = self.now_s
        yield from self.poke(CENTER, 0.15, 0.4, longest=0.4)

    def visit(self, side: str) -> Process:
        """Run a side visit: enter, detect the reward, stay, leave, and sometimes re-enter or pause."""
        entered = self.now_s
        self.rig.beams[side].move(1)
        yield self.wait(TASTE_S)
        # The mouse knows the outcome only after TASTE_S, when the drop is or is not there.
        rewarded, self.rig.water[side] = self.rig.water[side] > 0, 0
        self.rewarded = rewarded
        self.learn(side, rewarded)
        dwell = lognormal(self.draw, 0.60, 0.35) if rewarded else lognormal(self.draw, 0.25, 0.50)
        yield self.wait(max(0.01, dwell - TASTE_S))
        self.rig.beams[side].move(0)
        if self.draw.random() < (0.21 if rewarded else 0.30):
            bout = lognormal(self.draw, 2.55, 0.50) if rewarded else lognormal(self.draw, 1.85, 0.95)
            yield self.wait(max(0.05, entered + self.pace.factor * bout - self.now_s))
            yield from self.poke(side, 0.25, 0.5)
        yield from self.rest(rewarded)

    def learn(self, side: str, rewarded: bool) -> None:
        """Update the log-odds (Beron et al. 2022, equations 5 and 6)."""
        choice = 1.0 if side == LEFT else -1.0
        self.phi = self.params.beta * choice * rewarded + self.decay * self.phi
        self.psi = self.phi + self.params.alpha * choice

    def rest(self, rewarded: bool) -> Process:
        """Wait with a small probability; breaks are more frequent in the last quarter of the session."""
        if self.draw.random() < (0.005 if rewarded else 0.027):
            yield self.wait(5.0 - 5.0 * math.log(1.0 - self.draw.random()))
        late = self.now_s > 0.75 * self.params.session_s
        if self.draw.random() < (0.025 if late else 0.006):
            yield self.wait(min(LONGEST_BREAK_S, lognormal(self.draw, 14.0, 0.9)))

    def poke(self, port: str, median: float, sigma: float, longest: float = 5.0) -> Process:
        """Poke a port, and leave it after a lognormal time."""
        self.rig.beams[port].move(1)
        yield self.wait(max(0.01, min(longest, lognormal(self.draw, median, sigma))))
        self.rig.beams[port].move(0)


class Bandit:
    """Task at the host's end of the cables; orders between two waits are sent as one batch."""

    def __init__(self, rig: Rig, seed: int, session_us: float) -> None:
        self.rig = rig
        self.env = rig.env
        self.params = Params(min_poke_ms=0)
        self.streams = RandomStreams(seed)
        self.session_us = self.end_us = session_us
        self.now_us: float = 0
        self.answered_us: float = 0
        self.levels = dict.fromkeys(PORTS, 0)
        self.late: list[Edge] = []
        self.orders: list[Arm | Light] = []
        self.rewards = 0
        ends_us = session_us, session_us + GRACE_US
        self.ends: dict[float, simpy.Event] = {end_us: self.env.timeout(end_us + 2 * LINK_US) for end_us in ends_us}

    def run(self, mouse: simpy.Process) -> Process:
        """Run states until the session is over; then switch all lights off."""
        yield self.env.timeout(CONFIGURED_US + 2 * LINK_US)
        self.now_us = (
            CONFIGURED_US + LINK_US - 1
        )  # the board reports a time up to which no edge is missing: one tick back
        self.blocks = blocks_of(self.params, {}, self.streams("block"), self.streams("condition"))
        try:
            state = self.iti
            while True:
                self.check_limits(at_rest=state in (self.iti, self.ready))
                state = yield from state()
        except SessionOver:
            pass
        mouse.interrupt()
        yield self.env.timeout(LINK_US)
        for port in PORTS:
            self.rig.switch(port, 0)

    def check_limits(self, at_rest: bool) -> None:
        """End the session if this state allows it; set the time until which the state may last."""
        if at_rest and (self.now_us > self.session_us or self.rewards >= MAX_REWARDS):
            raise SessionOver
        self.end_us = self.session_us + (0 if at_rest else GRACE_US)

    def iti(self) -> Process:
        """Wait until all ports were empty for the whole interval; a poke restarts it."""
        poke: Edge | None = Edge("", 1, 0)
        while poke is not None:
            while busy := [(port, 0) for port in PORTS if self.levels[port]]:
                yield from self.first(*busy)
            poke = yield from self.first(*self.any_poke, within_s=self.params.iti_min_s)
        return self.ready

    def ready(self) -> Process:
        """Wait for the mouse at the center, whose lamp is on."""
        self.orders.append(Light(CENTER, 1))
        poke = yield from self.first(*self.any_poke)
        self.orders.append(Light(CENTER, 0))
        return self.choose if poke.port == CENTER else self.iti

    def choose(self) -> Process:
        """Arm the reflex and wait for the choice: the first side poked within the window."""
        odds, u = self.blocks.odds(), self.streams("reward").random()
        pays = {side: u < p for side, p in odds.items()}
        window_s = self.params.choice_window_s
        self.orders = [Arm(self.now_us + round(window_s * 1e6), pays), *self.orders, Light(LEFT, 1), Light(RIGHT, 1)]
        poke = yield from self.first(*self.any_poke, within_s=window_s)
        self.orders += [Light(RIGHT, 0), Light(LEFT, 0)]
        if poke is None:
            return self.ready
        if poke.port == CENTER:
            return self.iti
        self.paid = pays[poke.port]
        self.rewards += self.paid
        self.chosen = poke.port
        return self.outcome

    def outcome(self) -> Process:
        """Wait for the exit from the chosen port."""
        yield from self.first((self.chosen, 0))
        self.blocks.advance(self.paid)
        return self.iti

    any_poke = tuple((port, 1) for port in PORTS)

    def first(self, *wanted: tuple[str, int], within_s: float | None = None) -> Process:
        """Return the first wanted edge with a time stamp up to the deadline; None after the deadline."""
        if self.orders:
            self.rig.to_board.put(self.orders)
            self.orders = []
        own_us = self.end_us + 1 if within_s is None else self.now_us + round(within_s * 1e6)
        deadline_us = min(own_us, self.end_us)
        asks_us = max(deadline_us, self.answered_us + ASK_AGAIN_US, self.env.now)
        answer = self.ends.get(asks_us) or self.env.timeout(asks_us + 2 * LINK_US - self.env.now)
        unread, self.late = self.late, []
        while True:
            edge = unread.pop(0) if unread else (yield from self.next_edge(answer))
            if edge is None:
                break
            self.late.append(edge)
            if edge.t_us > deadline_us:
                continue
            for read in self.late:
                self.levels[read.port] = read.level
            self.late = []
            if (edge.port, edge.level) in wanted:
                self.late = unread
                self.now_us = max(self.now_us, edge.t_us)
                return edge
        self.now_us = max(self.now_us, deadline_us)
        if own_us > self.end_us:
            raise SessionOver
        return None

    def next_edge(self, answer: simpy.Event) -> Process:
        """Return the next edge on the cable; None when the board confirms that the deadline has passed."""
        arrival = self.rig.to_host.get()
        yield arrival | answer
        if arrival.triggered:
            return arrival.value
        arrival.cancel()
        self.answered_us = self.env.now
        return None


def simulate(seed: int, log: TextIO, session_s: float = 2400, kernel: ModuleType = simpy) -> Trace:
    """Run one session; return every edge and output, and write each as a line of ``log``.

    ``kernel`` runs the model: SimPy, or ``plain_loop``.
    """
    env = kernel.Environment()
    rig = Rig(env, kernel, log)
    mouse = env.process(Mouse(rig, RflrParams(session_s=session_s), seed).live())
    env.run(until=env.process(Bandit(rig, seed, round(session_s * 1e6)).run(mouse)))
    return rig.trace

"""Whole sessions over a TCP port, in virtual time: their records are those of the link in memory."""

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rig.boards.serial.board import SerialBoard
from rig.boards.serial.driver import opened
from rig.boards.simulation import PinChange
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.journal.journal import Journal
from rig.session.run.footer import Outcome
from rig.session.run.run_session import simulation_options
from rig.session.run.session import Session
from rig.session.spec.session_spec import SessionSpec
from rig.system.tcp_address import LOOPBACK, TcpAddress
from sim_hardware.avr.tcp_port import TcpPort
from sim_hardware.bootloader import NO_BOOTLOADER
from sim_hardware.driver import SimRig, subject
from sim_hardware.link_model import LinkFaults
from tests.session_specs import DROP_US, protocol_spec
from tests.virtual_sockets import socket_loops

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux's loopback delivers at once")


class ServedRig:
    """A rig whose cable ends at a TCP port."""

    def __init__(self, rig: SimRig) -> None:
        self.rig = rig
        self.port = TcpPort(TcpAddress(LOOPBACK, 0), self)
        self.port.plug()

    def handle_opening(self) -> None:
        self.rig.transport.start(self.port.write, lambda why: None)

    def handle_bytes(self, data: bytes) -> None:
        self.rig.transport.write(data)


def run(
    spec: SessionSpec,
    faults: LinkFaults | None = None,
    act: Callable[[ServedRig], object] = lambda served: None,
    *,
    over_tcp: bool = True,
) -> tuple[list[bytes], Outcome, list[PinChange]]:
    """Run a session; return its lines, its outcome, and what the pins did until well after its end."""
    raw: list[bytes] = []
    options = simulation_options(spec)

    async def main() -> tuple[Outcome, list[PinChange]]:
        rig = SimRig(spec.plan, options, faults, bootloader=NO_BOOTLOADER)
        pins = rig.record_pins()
        served = ServedRig(rig) if over_tcp else None
        transport: Transport = rig.transport if served is None else opened(served.port.name, 500_000)
        session = Session(spec, Journal(raw.append), lambda inbox: SerialBoard(transport, running(), inbox))
        if served is not None:
            act(served)
        living = subject(options, rig.body)
        outcome = await session.run(None if living is None else living())
        await asyncio.sleep(2 * spec.plan.wiring.lease_s)
        if served is not None:
            served.port.unplug()
        return outcome, pins

    with socket_loops() as runner:
        return raw, *runner.run(main())


def lines_of_kinds(raw: list[bytes]) -> dict[str, list[dict[str, Any]]]:
    """Return the lines of each kind in their order, without their numbers.

    A socket joins frames of one instant to one read. What the host writes about the first of them then stands behind
    the second one, as it does with every port. The footer's digest is that of the whole journal.
    """
    kinds: dict[str, list[dict[str, Any]]] = {}
    for line in map(json.loads, raw):
        for key in ("seq", "crc", "digest"):
            line.pop(key, None)
        kinds.setdefault(line["k"], []).append(line)
    return kinds


def spec_of(protocol: str, model: str, rig: str | None = None, **values: float) -> SessionSpec:
    spec = protocol_spec(protocol, rig, **values)
    simulation = replace(spec.request.simulation, model=model)
    return replace(spec, request=replace(spec.request, simulation=simulation))


BANDIT = spec_of("two_armed_bandit", "rflr")
SHORT = spec_of("two_armed_bandit", "rflr", stop_session_s=120)


@pytest.mark.parametrize(
    "spec",
    [pytest.param(BANDIT, id="bandit, 40 min"), pytest.param(spec_of("delay_discounting", "rat"), id="T-maze")],
)
def test_a_session_over_a_tcp_port_writes_the_records_of_the_link_in_memory(spec: SessionSpec) -> None:
    raw, outcome, pins = run(spec)
    in_memory = run(spec, over_tcp=False)
    assert (outcome.reason, outcome.rows > 50) in (("time_limit", True), ("trial_limit", True))
    assert lines_of_kinds(raw) == lines_of_kinds(in_memory[0])
    assert pins == in_memory[2]


def openings(pins: list[PinChange]) -> int:
    return sum(name.endswith("valve") and value == 1 for _, name, value in pins)


def test_noise_on_the_cable_costs_no_reward_and_gives_none_twice() -> None:
    raw, outcome, pins = run(SHORT, LinkFaults(flip=1e-3, drop=1e-3, double=1e-3, seed=3))
    footer = lines_of_kinds(raw)["footer"][0]
    counters = lines_of_kinds(raw)["health"][0]["counters"]
    assert (outcome.reason, footer["complete"]) == ("time_limit", True)
    assert min(counters["damaged"], counters["board_damaged"]) > 5
    assert footer["rewards"] == openings(pins) > 5


def test_a_connection_that_breaks_in_a_reward_ends_the_session_and_the_board_closes_everything() -> None:
    breaks: list[bool] = []

    def break_in_a_reward(served: ServedRig) -> None:
        """Pull the cable within a millisecond of the second opening of a valve."""
        if openings(served.rig.record_pins()) < 2:
            running().call_later(0.001, break_in_a_reward, served)
        else:
            breaks.append(served.port.is_open)
            served.port.unplug()

    raw, outcome, pins = run(SHORT, act=break_in_a_reward)
    assert (outcome.reason, "hung up" in outcome.detail, breaks) == ("fault", True, [True])
    outputs = [pin for pin in pins if not pin[1].endswith("beam")]
    opened_us, valve, _ = [pin for pin in outputs if pin[1].endswith("valve") and pin[2] == 1][-1]
    assert (opened_us + DROP_US, valve, 0) in outputs
    assert set({name: value for _, name, value in outputs}.values()) == {0}
    assert max(t_us for t_us, *_ in outputs) <= opened_us + (SHORT.plan.wiring.lease_s + 0.1) * 1e6
    assert lines_of_kinds(raw)["footer"][0]["rewards"] == openings(pins) == 2

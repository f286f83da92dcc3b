"""`rig board bench`."""

import asyncio
import json
import sys

import pytest

from rig.boards.serial.board import SerialBoard
from rig.cli.board import bench
from rig.core.clock import running
from rig.core.errors import LinkLostError
from rig.core.model.board import BoardCapacity, BoardInfo, Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from rig.diagnostics.host_latency import LatencyMeasurement, measure
from sim_hardware.driver import SimRig
from sim_hardware.link_model import LinkFaults
from sim_hardware.loop import VirtualLoop
from tests.cli.conftest import Rig
from tests.cli.simulated_port import board_at_a_port

PLAN = RigSpec("bench", BoardSpec("board", "sim"), Wiring(()))


def test_a_simulated_board_is_as_fast_as_its_cable(rig: Rig) -> None:
    said = rig("board", "bench", "--board", "sim", "-n", "200", "--json")
    assert said.status == 0
    found = json.loads(said.out)
    assert found["time"] == "virtual"
    for each in found["latencies"].values():
        assert each["n"] == 200
        assert 1000 <= each["median_us"] <= each["p99_us"] <= each["p999_us"] <= each["max_us"] < 1100
    assert set(found["latencies"]) == {"order to acknowledgement", "question to answer"}


def test_it_is_printed_as_a_histogram_with_the_hash_of_the_firmware(rig: Rig) -> None:
    said = rig("board", "bench", "--board", "sim", "-n", "50").out
    assert "order to acknowledgement, us: n 50, median 1000" in said
    assert "########" in said
    assert "SHA-256" in said
    assert "in virtual time" in said


@pytest.mark.parametrize(
    ("says", "words", "file"),
    [
        ("pico", (), "pico.uf2"),
        ("mega", (), "mega.hex"),
        ("sim", (), "uno.hex"),
        ("pico", ("--chip", "uno"), "uno.hex"),
        ("pico", ("--board", "pico"), "pico-uart.uf2"),
    ],
)
def test_the_firmware_is_that_of_the_driver_or_of_the_chip_that_is_named_or_that_the_board_names(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, says: str, words: tuple[str, ...], file: str
) -> None:
    measured = LatencyMeasurement(BoardInfo(says, "7F3A", "1.0", BoardCapacity(1, 1, 1, 1, 1, 1, 1, 1)), (), 0, {})
    monkeypatch.setenv("PATH", "")  # without a compiler the shipped firmware is taken
    monkeypatch.setattr(bench, "_measured", lambda driver, plan, n: measured)
    monkeypatch.setattr(bench, "timing_rows", lambda driver, plan, n: ())
    assert f"firmware   {file}, SHA-256 " in rig("board", "bench", *words).out


def test_nothing_to_measure_is_your_mistake(rig: Rig) -> None:
    said = rig("board", "bench", "--board", "sim", "-n", "0")
    assert (said.status, "-n 0: wanted 1 or more" in said.err) == (2, True)


def test_a_board_that_is_not_there_is_said(rig: Rig) -> None:
    said = rig("board", "bench", "--port", "/dev/no_such_port")
    assert (said.status, "there is no such port" in said.err) == (3, True)


@pytest.mark.real_time
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_a_board_on_a_port_is_measured_in_real_time(rig: Rig) -> None:
    with board_at_a_port() as port:
        said = rig("board", "bench", "--port", port, "-n", "20", "--json")
    assert said.status == 0, said.err
    found = json.loads(said.out)
    assert (found["time"], found["board"]["id"]) == ("real", "5131")
    assert all(each["n"] == 20 and each["median_us"] > 0 for each in found["latencies"].values())


def on_sim(faults: LinkFaults, unplug_after_s: float | None = None) -> list[float]:
    async def main() -> list[float]:
        rig = SimRig(PLAN, SimulationOptions(), faults)
        if unplug_after_s is not None:
            running().call_later(unplug_after_s, rig.cable.disconnect)
        found = await measure(lambda inbox: SerialBoard(rig.transport, running(), inbox), running(), 100)
        return [each.quantile(0.5) for each in found.latencies]

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(t_max=1000)) as runner:
        return runner.run(main())


def test_a_slower_cable_is_measured_as_slower() -> None:
    for median_us in on_sim(LinkFaults(latency_s=0.004)):
        assert 8000 <= median_us < 8100


def test_a_cable_that_is_pulled_ends_it() -> None:
    with pytest.raises(LinkLostError, match="the cable was pulled"):
        on_sim(LinkFaults(), unplug_after_s=0.05)

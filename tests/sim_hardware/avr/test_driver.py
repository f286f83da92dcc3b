"""``driver: avr``: what is its own, beside all that it has in common with ``driver: sim``."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rig.boards.serial.board import SerialBoard
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError, ConfigError
from rig.core.journal.journal import Journal
from rig.core.model.actions import Set
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import Fault
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from sim_hardware import loop as virtual
from sim_hardware.avr import firmware as binary
from sim_hardware.avr.driver import AvrDriver
from sim_hardware.avr.rig import AvrRig
from sim_hardware.bootloader import ATMEGABOOT, NO_BOOTLOADER, OPTIBOOT, START_UP_S, STK500V2, Bootloader

CHANNELS = (
    Input("port", Role.BEAM, 2),
    Output("port", Role.LIGHT, 8),
    Output("port", Role.VALVE, 9, max_on_us=100_000),
)


def plan(**spec: Any) -> RigSpec:
    spec_ = BoardSpec("here", "avr", **spec)
    return RigSpec("small", spec_, Wiring(CHANNELS), {"port.valve": lambda us: us / 10_000})


def open_board(rig: AvrRig) -> tuple[SerialBoard, Inbox]:
    inbox = Inbox(Journal(lambda line: None))
    return SerialBoard(rig.transport, running(), inbox), inbox


@pytest.mark.parametrize(("chip", "name"), [(None, "uno"), ("uno", "uno"), ("mega", "mega")])
def test_the_chip_is_the_one_of_the_rig_file_or_an_uno(chip: str | None, name: str) -> None:
    async def main() -> str:
        board, _ = open_board(AvrRig(plan(chip=chip), SimulationOptions()))
        opened = await board.open(plan().wiring)
        await board.close()
        return opened.name

    assert virtual.run(main()) == name


@pytest.mark.parametrize(
    ("chip", "bootloader"), [("uno", NO_BOOTLOADER), ("uno", OPTIBOOT), ("uno", ATMEGABOOT), ("mega", STK500V2)]
)
def test_the_firmware_opens_within_3_s_behind_every_bootloader(chip: str, bootloader: Bootloader) -> None:
    async def main() -> tuple[float, int]:
        rig = AvrRig(plan(chip=chip), SimulationOptions(), bootloader=bootloader)
        board, _ = open_board(rig)
        await board.open(plan().wiring)
        opened_at = running().time()
        return opened_at, (await board.close()).counters["board_damaged"]

    opened_at, damaged = virtual.run(main())
    assert bootloader.starts_after_s < opened_at < bootloader.starts_after_s + 0.1 < 3
    assert damaged == 0


def test_pins_that_an_uno_has_not_are_refused_with_the_way_out() -> None:
    wiring = Wiring((*CHANNELS, Output("far", Role.LIGHT, 40), Output("serial", Role.LIGHT, 1)))

    async def main(chip: str | None) -> None:
        AvrDriver().connect(replace(plan(chip=chip), wiring=wiring), SimulationOptions())

    with pytest.raises(ConfigError, match=r"far\.light is on pin 40.*: use 2 to 19 of an Arduino Uno; .*chip: mega"):
        virtual.run(main(None))
    with pytest.raises(ConfigError, match=r"serial\.light is on pin 1: use 2 to 69 of an Arduino Mega$"):
        virtual.run(main("mega"))


def test_the_chip_of_a_pico_is_refused_with_the_board_that_would_be_right() -> None:
    async def main() -> None:
        AvrDriver().connect(plan(chip="pico"), SimulationOptions())

    with pytest.raises(ConfigError, match="names the chip of a Raspberry Pi Pico: give --board pico"):
        virtual.run(main())


def test_a_host_of_another_speed_finds_nothing_that_it_understands() -> None:
    async def main() -> None:
        board, _ = open_board(AvrRig(plan(baud=115_200), SimulationOptions()))
        try:
            await board.open(plan().wiring)
        finally:
            board.abort()

    with pytest.raises(BoardNotFoundError):
        virtual.run(main())


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_firmware_that_hangs_lets_go_of_everything_and_the_host_is_reported_why(interrupts: bool) -> None:
    async def main() -> tuple[list[tuple[int, str, int]], int, list[str]]:
        rig = AvrRig(plan(), SimulationOptions())
        board, inbox = open_board(rig)
        await board.open(plan().wiring)
        board.batch([Set("port.light", True), Set("port.valve", True)], 0, 0, 1)
        await asyncio.sleep(0.05)
        rig.world.trace = []
        hung_us = rig.now_us()
        rig.board.hang(interrupts=interrupts)
        await asyncio.sleep(0.6)
        board.abort()
        return rig.world.trace, hung_us, [event.detail for event in inbox.events if isinstance(event, Fault)]

    trace, hung_us, faults = virtual.run(main())
    assert sorted((name, value) for _, name, value in trace) == [("port.light", 0), ("port.valve", 0)]
    assert all(t_us - hung_us < 300_000 for t_us, _, _ in trace)
    assert len(faults) == 1
    assert "watchdog" in faults[0]


def test_two_boards_live_in_one_time() -> None:
    async def main() -> list[int]:
        rigs = [AvrRig(plan(chip=chip), SimulationOptions(seed=seed)) for seed, chip in enumerate(("uno", "mega"))]
        boards = [open_board(rig)[0] for rig in rigs]
        await asyncio.gather(*(board.open(plan().wiring) for board in boards))
        for rig, board in zip(rigs, boards, strict=True):
            rig.world.trace = []
            board.batch([Set("port.light", True)], 0, 0, 1)
        await asyncio.sleep(0.05)
        await asyncio.gather(*(board.close() for board in boards))
        return [len(rig.world.trace or ()) for rig in rigs]

    assert virtual.run(main()) == [2, 2]


def test_the_firmware_is_built_when_a_source_is_newer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(binary, "FOLDER", tmp_path)
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "a.cpp").write_text("")
    (tmp_path / "Makefile").write_text("uno:\n\techo $@ >> build/$@.elf\n")
    for _ in range(2):
        assert binary.firmware("uno").read_text() == "uno\n"
    later = time.time() + 10
    os.utime(tmp_path / "core" / "a.cpp", (later, later))
    assert binary.firmware("uno").read_text() == "uno\nuno\n"


def test_a_firmware_that_does_not_build_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(binary, "FOLDER", tmp_path)
    (tmp_path / "Makefile").write_text("uno:\n\t@echo no such board >&2; exit 1\n")
    with pytest.raises(ConfigError, match=r"does not build.*apt-get install(.|\n)*no such board"):
        binary.firmware("uno")


def test_where_the_compiler_is_absent_its_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(binary, "FOLDER", tmp_path)
    monkeypatch.setenv("PATH", "")
    (tmp_path / "Makefile").write_text("")
    with pytest.raises(ConfigError, match=r"gcc-avr.*is not installed.*sudo apt-get install"):
        binary.firmware("uno")


def test_far_from_a_checkout_it_says_that_it_needs_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(binary, "FOLDER", tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="install this program from a checkout"):
        binary.firmware("uno")


def test_a_reset_cuts_short_what_is_being_sent() -> None:
    async def main() -> None:
        rig = AvrRig(plan(), SimulationOptions())
        heard: list[tuple[float, bytes]] = []
        await asyncio.sleep(0.1)
        rig.transport.start(lambda data: heard.append((running().time(), data)), lambda why: None)
        begun = running().time() + START_UP_S
        await asyncio.sleep(0.1)
        ((at, hello),) = heard
        heard.clear()
        rig.board.reset()
        await asyncio.sleep(at - begun - rig.cable.faults.latency_s - 0.000_3)
        sent = rig.board.half_sent
        assert 0 < sent < len(hello)
        rig.board.reset()
        await asyncio.sleep(0.1)
        assert [data for _, data in heard] == [hello[:sent] + hello]

    virtual.run(main())

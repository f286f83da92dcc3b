"""The first step of an acceptance, with a Pico that has no firmware yet."""

import argparse
from dataclasses import replace
from pathlib import Path

import pytest

from rig.boards.boot_drive import PICO, BootDrive
from rig.boards.driver_lookup import find_driver
from rig.boards.ports import SerialPort
from rig.cli.board import accept_firmware
from rig.cli.board.accept_firmware import put_firmware
from rig.core.errors import BoardNotFoundError
from rig.diagnostics.acceptance.site import LoopPins, Site, SiteOperator
from rig.session.spec.build import load_rig_spec
from tests.cli.conftest import UNO
from tests.diagnostics.acceptance.site_helpers import Onlooker

DRIVE = BootDrive(Path("/media/anna/RPI-RP2"), PICO)
BACK = replace(UNO, description="rig board", vid=0x2E8A, pid=0x000A, product="rig board")
"""A Pico, at the port at which the fixture ``opened`` has a board."""
OTHER = SerialPort("/dev/ttyUSB7", "a scale", 0x0403, 0x6001)


class Desk:
    """The ports and drives of a computer; flashing makes a port of the drive."""

    def __init__(self, ports: list[SerialPort], drives: list[BootDrive]) -> None:
        self.ports = ports
        self.drives = drives
        self.flashed: list[str | None] = []

    def flash(self, arguments: argparse.Namespace) -> int:
        assert (arguments.chip, arguments.drive, arguments.hex, arguments.dry_run) == ("pico", None, None, False)
        self.flashed.append(arguments.port)
        self.ports, self.drives = [BACK], []
        return 0


class Doubter(Onlooker):
    """A person who confirms nothing."""

    async def confirm(self, question: str) -> bool:
        self.said.append(question)
        return False


def put(
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
    *,
    port: str | None = None,
    flash: bool = False,
    operator: SiteOperator | None = None,
) -> dict[str, str]:
    """Do the step for a rig whose board is at a port; return what was found, by row."""
    monkeypatch.setenv("PATH", "")  # without a compiler the shipped firmware is taken
    monkeypatch.setattr(accept_firmware, "ports_here", lambda: desk.ports)
    monkeypatch.setattr(accept_firmware, "boot_drives", lambda: desk.drives)
    monkeypatch.setattr(accept_firmware.flashing, "run", desk.flash)
    plan = load_rig_spec("nose_ports_uno")
    plan = replace(plan, board=replace(plan.board, chip="pico", port=port))
    site = Site(plan, find_driver("serial"), operator or Onlooker(), "pico", LoopPins(27, 28))
    rows, _ = put_firmware(site, flash=flash)
    return {row.what: row.found for row in rows}


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(("ports", "port"), [([], None), ([OTHER], None), ([OTHER], BACK.device)])
def test_a_pico_that_waits_as_a_drive_is_flashed_and_then_asked_at_its_port(
    ports: list[SerialPort], port: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(ports, [DRIVE])
    found = put(desk, monkeypatch, port=port)
    assert desk.flashed == [None]
    assert found["flashed"].startswith("pico.uf2, SHA-256 ")
    assert found["board id"] == f"5131 (sim) on {BACK.device}"


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(
    ("drives", "port"), [([], None), ([DRIVE], BACK.device), ([BootDrive(Path("/media/x"), "RP2350")], None)]
)
def test_a_pico_that_answers_is_not_flashed_unless_asked_for(
    drives: list[BootDrive], port: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk([BACK], drives)
    put(desk, monkeypatch, port=port)
    assert desk.flashed == []
    put(desk, monkeypatch, port=port, flash=True)
    assert desk.flashed == [BACK.device]


def test_which_pico_is_meant_is_asked_if_one_runs_and_another_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk([BACK], [DRIVE])
    why = f"which board\\? One Pico is at {BACK.device}, another waits for its firmware as /media/anna/RPI-RP2"
    with pytest.raises(BoardNotFoundError, match=why):
        put(desk, monkeypatch)
    assert desk.flashed == []


@pytest.mark.usefixtures("opened")
def test_what_answers_as_no_board_of_a_rig_is_overwritten_only_after_a_confirmation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(accept_firmware, "_hello", lambda port, baud: (None, "no board answered in 3 s"))
    desk, doubter = Desk([OTHER], []), Doubter()
    found = put(desk, monkeypatch, operator=doubter)
    assert doubter.said[0] == "/dev/ttyUSB7 (a scale): no board answered in 3 s"
    assert "Raspberry Pi Pico of this rig? Its program will be overwritten" in doubter.said[1]
    assert (desk.flashed, found) == ([], {"firmware": "/dev/ttyUSB7: no board answered in 3 s; nothing was written"})
    put(desk, monkeypatch, operator=Onlooker())
    assert desk.flashed == [OTHER.device]

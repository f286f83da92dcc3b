"""What is wrong with a computer, a port or a board: every finding names the line that puts it right."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rig.boards.ports import VENDORS, SerialPort
from rig.boards.serial.hello import Hello
from rig.boards.wire import messages as wire
from rig.core.model.board import BoardCapacity, BoardInfo
from rig.diagnostics import port_checks
from rig.diagnostics.host_system import RULE, HostSystem
from rig.diagnostics.port_checks import CheckResult

UNO = SerialPort("/dev/ttyACM0", "Arduino Uno", 0x2341, 0x43)
FTDI = SerialPort("/dev/ttyUSB0", "FT232R", 0x0403, 0x6001)
SCALE = SerialPort("/dev/ttyUSB7", "a scale", 0x1234, 0x1)
HELLO = Hello(wire.VERSION, BoardInfo("uno", "7F3A", "1.0", BoardCapacity(14, 16, 8, 24, 8, 48, 40, 1 << 30)), 4000, 12)


@dataclass(frozen=True)
class Desk(HostSystem):
    """A computer made of a folder."""

    system: str = "linux"
    allowed: bool = True
    member: bool = False
    there: bool = True

    def has(self, device: str) -> bool:
        return self.there

    def may_use(self, device: str) -> bool:
        return self.allowed

    def group_of(self, device: str) -> str:
        return "dialout"

    def is_member(self, group: str) -> bool:
        return self.member

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def with_rule(self) -> "Desk":
        self.write(f"etc/udev/rules.d/{RULE.name}", RULE.read_text())
        return self

    def with_modem_manager(self) -> "Desk":
        self.write("proc/812/comm", "ModemManager\n")
        return self

    def that_ignores(self, device: str) -> "Desk":
        self.write(f"sys/class/tty/{os.path.basename(device)}/dev", "166:0\n")
        self.write("run/udev/data/c166:0", "S:x\nE:ID_MODEL=y\nE:ID_MM_DEVICE_IGNORE=1\n")
        return self

    def with_latency(self, device: str, ms: str) -> "Desk":
        self.write(f"sys/bus/usb-serial/devices/{os.path.basename(device)}/latency_timer", ms)
        return self


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def bad(findings: Iterable[CheckResult]) -> list[CheckResult]:
    found = [finding for finding in findings if finding.verdict in ("error", "warning")]
    assert all(finding.fix for finding in found)
    return found


def test_a_computer_that_is_set_up_has_nothing_to_be_said_of(desk: Desk) -> None:
    ready = desk.with_rule().with_modem_manager().that_ignores(FTDI.device).with_latency(FTDI.device, "1\n")
    assert bad(port_checks.check_system(ready)) == []
    assert bad(port_checks.check_port(FTDI, ready)) == []


def test_without_the_rule_the_line_that_installs_it_is_given(desk: Desk) -> None:
    (finding,) = bad(port_checks.check_system(desk))
    assert (finding.what, finding.verdict) == ("udev rule", "warning")
    assert finding.fix.startswith(f"sudo cp {RULE} /etc/udev/rules.d/ && sudo udevadm control --reload")


def test_modem_manager_makes_a_missing_rule_a_mistake(desk: Desk) -> None:
    rule, manager = bad(port_checks.check_system(desk.with_modem_manager()))
    assert (rule.verdict, manager.verdict) == ("error", "error")
    assert manager.fix.endswith("sudo systemctl disable --now ModemManager")


def test_a_user_outside_the_group_gets_the_command_to_join(desk: Desk) -> None:
    finding = next(port_checks.check_port(UNO, replace(desk, allowed=False)))
    assert finding.text == "permission denied: you are not in the group dialout"
    assert finding.fix.startswith("sudo usermod -a -G dialout $USER")


def test_a_user_who_joined_the_group_is_asked_to_log_in_again(desk: Desk) -> None:
    finding = next(port_checks.check_port(UNO, replace(desk, allowed=False, member=True)))
    assert finding.fix == "log out and in again"


def test_a_port_that_is_not_there_is_not_called_forbidden(desk: Desk) -> None:
    (finding,) = port_checks.check_port(UNO, replace(desk, there=False, allowed=False))
    assert finding.text == "there is no such port"


def test_a_busy_port_is_named_with_the_process_that_has_it(desk: Desk) -> None:
    finding = next(port_checks.check_port(replace(UNO, held_by="process 41 (rig run free_water)"), desk))
    assert (finding.verdict, finding.text) == ("warning", "is in use by process 41 (rig run free_water)")


def test_a_board_plugged_in_before_the_rule_came_is_to_be_plugged_in_again(desk: Desk) -> None:
    (finding,) = bad(port_checks.check_port(UNO, desk.with_rule()))
    assert finding.fix == "plug the board out and in again"


def test_a_vendor_that_the_rule_does_not_know_gets_a_rule_of_its_own(desk: Desk) -> None:
    (finding,) = bad(port_checks.check_port(SCALE, desk.with_rule().with_modem_manager()))
    assert finding.verdict == "error"
    assert 'ATTRS{idVendor}=="1234", ENV{ID_MM_DEVICE_IGNORE}="1"' in finding.fix


def test_an_ftdi_chip_that_keeps_bytes_back_is_found(desk: Desk) -> None:
    (finding,) = bad(port_checks.check_port(FTDI, desk.that_ignores(FTDI.device).with_latency(FTDI.device, "16\n")))
    assert "keeps bytes back for 16 ms" in finding.text
    assert finding.fix.startswith(f"echo 1 | sudo tee {desk.latency_file(FTDI.device)}")


def test_other_chips_have_no_latency_to_look_at(desk: Desk) -> None:
    assert not any("keeps bytes" in finding.text for finding in port_checks.check_port(UNO, desk))


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_say_what_does_not_apply(desk: Desk, system: str) -> None:
    elsewhere = replace(desk, system=system)
    (finding,) = port_checks.check_system(elsewhere)
    assert finding.verdict == "unavailable"
    assert list(port_checks.check_port(UNO, elsewhere)) == []


def test_on_windows_an_ftdi_chip_is_set_in_the_device_manager(desk: Desk) -> None:
    (finding,) = bad(port_checks.check_port(FTDI, replace(desk, system="win32")))
    assert finding.fix.startswith("Device Manager > Ports")


def test_a_board_that_speaks_our_wire_is_good() -> None:
    assert port_checks.check_firmware("COM3", HELLO, "7f3a").verdict == "ok"


def test_another_wire_version_is_to_be_flashed() -> None:
    finding = port_checks.check_firmware("COM3", replace(HELLO, version=wire.VERSION + 1))
    assert (finding.verdict, finding.fix) == ("error", "rig board flash --port COM3")


def test_another_board_is_not_taken_for_the_rigs_own() -> None:
    finding = port_checks.check_firmware("COM3", HELLO, "1111")
    assert finding.verdict == "error"
    assert 'id: "7F3A"' in finding.fix


def test_a_board_of_another_kind_is_not_taken_for_that_of_the_rig_file() -> None:
    finding = port_checks.check_firmware("COM3", HELLO, "7F3A", "pico")
    assert (finding.verdict, finding.text) == ("error", "the board is an Arduino Uno, the rig file says chip: pico")
    assert "chip: uno" in finding.fix
    assert port_checks.check_firmware("COM3", HELLO, "7F3A", "uno").verdict == "ok"


def test_silence_and_another_speed_are_distinguished() -> None:
    assert port_checks.no_answer("COM3", "no board answered", 500_000).text == "at 500000 baud: no board answered"
    assert "baud: 500000" in port_checks.wrong_speed("COM3", 115_200, 500_000).fix


def test_the_rule_names_the_vendors_that_the_program_knows() -> None:
    vendors = re.findall(r'ATTRS\{idVendor\}=="([^"]+)"', RULE.read_text())
    assert len(vendors) == 2
    for listed in vendors:
        assert {int(vendor, 16) for vendor in listed.split("|")} == set(VENDORS)

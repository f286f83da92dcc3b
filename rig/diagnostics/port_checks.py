"""Check the computer, its ports and boards; each error comes with a fix."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rig.boards.boot_drive import BootDrive
from rig.boards.chips import CHIPS
from rig.boards.ports import VENDORS, SerialPort
from rig.boards.serial.hello import Hello
from rig.core.errors import FirmwareMismatchError
from rig.diagnostics.host_system import MODEM_MANAGER, RULE, HostSystem
from rig.platform.command_line import quoted

Verdict = Literal["ok", "warning", "error", "unavailable"]
FTDI = 0x0403
FAST_MS = 1


@dataclass(frozen=True)
class CheckResult:
    """The result of one check; ``fix`` is the command or action for a warning or an error."""

    what: str
    verdict: Verdict
    text: str
    fix: str = ""


def check_system(computer: HostSystem) -> Iterator[CheckResult]:
    """Check what concerns every port: the udev rule, and ModemManager."""
    if not computer.linux:
        text = "groups, udev and ModemManager are Linux's; nothing of the kind is in the way on this system"
        yield CheckResult("system", "unavailable", text)
        return
    running = computer.runs(MODEM_MANAGER)
    if computer.rule_is_installed:
        yield CheckResult("udev rule", "ok", f"{RULE.name} is installed")
    else:
        # ModemManager sends modem commands to a board that the rule does not protect.
        verdict: Verdict = "error" if running else "warning"
        yield CheckResult("udev rule", verdict, f"{RULE.name} is not installed", install_rule())
    if running:
        text = "runs, and talks to every serial port that it is not told to leave alone; the udev rule tells it so"
        yield CheckResult("ModemManager", "ok" if computer.rule_is_installed else "error", text, _keep_away(computer))
    else:
        yield CheckResult("ModemManager", "ok", "does not run")


def install_rule() -> str:
    """Return the command that installs the udev rule."""
    return (
        f"sudo cp {shlex.quote(str(RULE))} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger"
    )


def _keep_away(computer: HostSystem) -> str:
    if computer.rule_is_installed:
        return ""
    return f"install the udev rule, or: sudo systemctl disable --now {MODEM_MANAGER}"


def check_port(port: SerialPort, computer: HostSystem) -> Iterator[CheckResult]:
    """Check one port: permissions, current user, ModemManager, and latency of its chip."""
    if port.held_by is not None:
        text = f"is in use by {port.held_by}"
        yield CheckResult(port.device, "warning", text, "wait for its end, or close that program")
    if not computer.linux:
        if port.vid == FTDI:
            yield CheckResult(port.device, "warning", *_ELSEWHERE.get(computer.system, _ANYWHERE))
        return
    if not computer.has(port.device):
        yield CheckResult(port.device, "error", "there is no such port", "rig board list")
        return
    yield _permission(port, computer)
    if port.vid is not None:
        yield _left_alone(port, computer)
    latency_ms = computer.latency_ms(port.device)
    if latency_ms is not None:
        yield _latency(port, computer, latency_ms)


_ELSEWHERE = {
    "win32": (
        "has an FTDI chip, which keeps bytes back for 16 ms unless it is told otherwise",
        "Device Manager > Ports > its Properties > Port Settings > Advanced > Latency Timer: 1",
    )
}
_ANYWHERE = ("has an FTDI chip; the system's own driver keeps bytes back for up to 16 ms", "use a board without FTDI")


def _permission(port: SerialPort, computer: HostSystem) -> CheckResult:
    if computer.may_use(port.device):
        return CheckResult(port.device, "ok", "you may use it")
    group = computer.group_of(port.device)
    # A process has the groups of its login, so a later membership has no effect in it.
    if computer.is_member(group):
        text = f"permission denied, though you are in the group {group}: that holds from the next login on"
        return CheckResult(port.device, "error", text, "log out and in again")
    text = f"permission denied: you are not in the group {group}"
    return CheckResult(port.device, "error", text, f"sudo usermod -a -G {group} $USER   # then log out and in again")


def _left_alone(port: SerialPort, computer: HostSystem) -> CheckResult:
    if computer.property_of(port.device, "ID_MM_DEVICE_IGNORE") == "1":
        return CheckResult(port.device, "ok", f"{MODEM_MANAGER} leaves it alone")
    verdict: Verdict = "error" if computer.runs(MODEM_MANAGER) else "warning"
    text = f"{MODEM_MANAGER} is not told to leave it alone"
    if not port.may_be_board:
        return CheckResult(port.device, verdict, f"{text}: our udev rule does not know its vendor", _rule_for(port))
    if computer.rule_is_installed:
        # udev applies its rules when a device is plugged in.
        text += ": udev has not looked at it since the rule was installed"
        return CheckResult(port.device, verdict, text, "plug the board out and in again")
    return CheckResult(port.device, verdict, text, install_rule())


def _rule_for(port: SerialPort) -> str:
    rule = f'ATTRS{{idVendor}}=="{port.vid:04x}", ENV{{ID_MM_DEVICE_IGNORE}}="1"'
    return f"echo '{rule}' | sudo tee /etc/udev/rules.d/60-my-board.rules && sudo udevadm trigger"


def _latency(port: SerialPort, computer: HostSystem, latency_ms: int) -> CheckResult:
    if latency_ms <= FAST_MS:
        return CheckResult(port.device, "ok", f"its {VENDORS[FTDI]} chip hands bytes over after {latency_ms} ms")
    text = f"its {VENDORS[FTDI]} chip keeps bytes back for {latency_ms} ms"
    file = shlex.quote(str(computer.latency_file(port.device)))
    return CheckResult(
        port.device, "warning", text, f"echo {FAST_MS} | sudo tee {file}   # our udev rule does it for good"
    )


def check_firmware(port: str, hello: Hello, uid: str | None = None, chip: str | None = None) -> CheckResult:
    """Check the wire version of a board, and its id and kind if the rig file names them."""
    board = hello.opened
    try:
        hello.check_version()
    except FirmwareMismatchError as error:
        return CheckResult(port, "error", str(error), f"rig board flash --port {port}")
    try:
        hello.check_uid(uid)
    except FirmwareMismatchError as error:
        return CheckResult(port, "error", str(error), f'boards: ... id: "{board.uid}"   # if this is the right board')
    if chip is not None and board.name in CHIPS and board.name != chip:
        text = f"the board is {CHIPS[board.name].a_board}, the rig file says chip: {chip}"
        return CheckResult(port, "error", text, f"boards: ... chip: {board.name}   # if this is the right board")
    return CheckResult(port, "ok", f"board {board.uid} ({board.name}), firmware {board.firmware}")


def waiting_drive(drive: BootDrive, *, alone: bool) -> CheckResult:
    """Return that a Pico waits for its firmware: an error if it is the only board."""
    fix = f"rig board flash --drive {quoted(str(drive.path))}" if drive.is_mounted else drive.mount_command
    return CheckResult(str(drive.path), "error" if alone else "warning", "a Pico waits for its firmware", fix)


def port_not_opened(port: str, why: str) -> CheckResult:
    """Return the error of a port that cannot be opened; the reason includes the fix."""
    return CheckResult(port, "error", why.removeprefix(f"{port}: "))


def no_answer(port: str, why: str, baud: int) -> CheckResult:
    """Return the error of a port without an answer."""
    return CheckResult(port, "error", f"at {baud} baud: {why}", f"rig board flash --port {port}")


def wrong_speed(port: str, asked: int, answered: int) -> CheckResult:
    """Return the error of a board that answers at another baud rate than the rig file's."""
    text = f"the board answers at {answered} baud, the rig file says {asked}"
    return CheckResult(port, "error", text, f"boards: ... baud: {answered}   # in the rig file, or take the line out")

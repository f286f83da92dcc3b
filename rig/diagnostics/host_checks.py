"""What is wrong with a computer, a port or a board, each with the line that puts it right."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rig.boards.ports import VENDORS, SerialPort
from rig.boards.serial.hello import Hello
from rig.core.errors import FirmwareMismatchError
from rig.diagnostics.host_system import MODEM_MANAGER, RULE, HostSystem

Verdict = Literal["ok", "warning", "error", "unavailable"]
FTDI = 0x0403
FAST_MS = 1


@dataclass(frozen=True)
class CheckResult:
    """One thing that was looked at; ``fix`` is what to type, or to do, when it is not good."""

    what: str
    verdict: Verdict
    text: str
    fix: str = ""


def check_system(computer: HostSystem) -> Iterator[CheckResult]:
    """Look at what holds for every port: our udev rule, and ModemManager."""
    if not computer.linux:
        text = "groups, udev and ModemManager are Linux's; nothing of the kind is in the way on this system"
        yield CheckResult("system", "unavailable", text)
        return
    running = computer.runs(MODEM_MANAGER)
    if computer.rule_is_installed:
        yield CheckResult("udev rule", "ok", f"{RULE.name} is installed")
    else:
        verdict: Verdict = "error" if running else "warning"
        yield CheckResult("udev rule", verdict, f"{RULE.name} is not installed", install_rule())
    if running:
        text = "runs, and talks to every serial port that it is not told to leave alone; the udev rule tells it so"
        yield CheckResult("ModemManager", "ok" if computer.rule_is_installed else "error", text, _keep_away(computer))
    else:
        yield CheckResult("ModemManager", "ok", "does not run")


def install_rule() -> str:
    """Return the line that installs our udev rule."""
    return (
        f"sudo cp {shlex.quote(str(RULE))} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger"
    )


def _keep_away(computer: HostSystem) -> str:
    if computer.rule_is_installed:
        return ""
    return f"install the udev rule, or: sudo systemctl disable --now {MODEM_MANAGER}"


def check_port(port: SerialPort, computer: HostSystem) -> Iterator[CheckResult]:
    """Look at one port: who may use it, who does, what udev and its chip do with it."""
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


def check_firmware(port: str, hello: Hello, uid: str | None = None) -> CheckResult:
    """Look at what a board says of itself: is it the one, and does it speak our wire?"""
    board = hello.opened
    try:
        hello.check_version()
    except FirmwareMismatchError as error:
        return CheckResult(port, "error", str(error), f"rig board flash --port {port}")
    try:
        hello.check_uid(uid)
    except FirmwareMismatchError as error:
        return CheckResult(port, "error", str(error), f'boards: ... id: "{board.uid}"   # if this is the right board')
    return CheckResult(port, "ok", f"board {board.uid} ({board.name}), firmware {board.firmware}")


def port_not_opened(port: str, why: str) -> CheckResult:
    """Return why a port could not even be opened; what is to be done about it is part of the reason."""
    return CheckResult(port, "error", why.removeprefix(f"{port}: "))


def no_answer(port: str, why: str, baud: int) -> CheckResult:
    """Return what to do with a port on which nobody has answered."""
    return CheckResult(port, "error", f"{why}, at {baud} baud", f"rig board flash --port {port}")


def wrong_speed(port: str, asked: int, answered: int) -> CheckResult:
    """Say that a board answers, though not at the speed of the rig file."""
    text = f"the board answers at {answered} baud, the rig file says {asked}"
    return CheckResult(port, "error", text, f"boards: ... baud: {answered}   # in the rig file, or take the line out")

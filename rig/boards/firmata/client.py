"""pyfirmata2 on a transport of ours: its language and its pins, without its port, its thread and its waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyfirmata2

from rig.boards.transport import Transport

LONGEST_MESSAGE = 1024
"""The longest is a Mega's list of what its pins can do; what is longer without an end is rubbish."""

_END_OF_PIN = 0x7F


class _MoreToComeError(Exception):
    """A message is not whole yet."""


class _Line:
    """What pyfirmata2 takes for a serial port: bytes that have arrived, read one by one, and a transport."""

    def __init__(self, transport: Transport) -> None:
        self.arrived = bytearray()
        self.at = 0
        self._transport = transport

    def read(self) -> bytes:
        if self.at >= len(self.arrived):
            raise _MoreToComeError
        self.at += 1
        return bytes(self.arrived[self.at - 1 : self.at])

    def write(self, data: bytearray) -> None:
        self._transport.write(bytes(data))


class FirmataTalk(pyfirmata2.Board):  # type: ignore[misc]
    """One board that speaks StandardFirmata.

    ``on_version``, ``on_firmware`` and ``on_pins`` are called when it has told its version, the name of its firmware,
    and what its pins can do.
    """

    def __init__(
        self,
        transport: Transport,
        on_version: Callable[[], None],
        on_firmware: Callable[[], None],
        on_pins: Callable[[], None],
    ) -> None:
        # pyfirmata2 would open a port here, and keep the processor busy for five seconds.
        self.sp = _Line(transport)
        self.name = "Firmata"
        self._command_handlers: dict[int, Any] = {}  # pyfirmata2 shares one among all boards
        self.analog: list[Any] = []
        self.digital: list[Any] = []
        self.digital_ports: list[Any] = []
        self._on_version = on_version
        self._on_firmware = on_firmware
        self._on_pins = on_pins
        self.damaged = 0
        self._set_default_handlers()
        # pyfirmata2 adds it only in `auto_setup`, which keeps the processor busy for 0.1 s.
        self.add_cmd_handler(pyfirmata2.pyfirmata2.CAPABILITY_RESPONSE, self._handle_report_capability_response)

    def exit(self) -> None:
        """Close nothing when pyfirmata2 deletes a board: the code that opened the transport closes it."""

    def feed(self, data: bytes) -> None:
        """Handle received bytes: parse them, and call the handler of each complete message."""
        line: _Line = self.sp
        line.arrived += data
        while line.arrived:
            # From the first byte: pyfirmata2 expects a blocking read, and cannot resume an incomplete message.
            line.at = 0
            try:
                self.iterate()
            except _MoreToComeError:
                if len(line.arrived) <= LONGEST_MESSAGE:
                    return
                self.damaged += 1
                # Skip one byte and search for the next message: damage must not block the stream.
                line.at = 1
            except (LookupError, TypeError, ValueError):  # rubbish, as a bootloader talks
                self.damaged += 1
            del line.arrived[: line.at]

    def ask_version(self) -> None:
        """Send a version query, which the board answers in order, after all earlier messages."""
        self.sp.write(bytearray([pyfirmata2.pyfirmata2.REPORT_VERSION]))

    def ask_firmware(self) -> None:
        """Send a query for the firmware's name, which a board also reports when it boots."""
        self.send_sysex(pyfirmata2.pyfirmata2.REPORT_FIRMWARE, [])

    def ask_pins(self) -> None:
        """Send a query for the capabilities of the pins."""
        self.send_sysex(pyfirmata2.pyfirmata2.CAPABILITY_QUERY, [])

    # --- what pyfirmata2 calls ------------------------------------------------------------------------------

    def _handle_report_version(self, major: int, minor: int) -> None:
        super()._handle_report_version(major, minor)
        self._on_version()

    def _handle_report_firmware(self, *data: int) -> None:
        super()._handle_report_firmware(*data)
        self._on_firmware()

    def _handle_report_capability_response(self, *data: int) -> None:
        # pyfirmata2 looks for OUTPUT right behind INPUT, where newer firmware has INPUT_PULLUP in between.
        pins = _pins(data)
        usable = [{pyfirmata2.INPUT, pyfirmata2.OUTPUT} <= set(modes[::2]) for modes in pins]
        disabled = tuple(number for number, can in enumerate(usable) if not can)
        layout = {"digital": tuple(range(len(pins))), "analog": (), "pwm": (), "disabled": disabled}
        self.setup_layout(layout)
        self._on_pins()


def _pins(data: tuple[int, ...]) -> list[list[int]]:
    """Parse a list of capabilities into pins, each of modes and their resolutions in turn."""
    pins: list[list[int]] = [[]]
    for value in data:
        if value == _END_OF_PIN:
            pins.append([])
        else:
            pins[-1].append(value)
    return pins[:-1]

"""A scale at a serial port."""

from __future__ import annotations

import os
import re
from typing import Any, Protocol

import serial

from rig.core.errors import ConfigError, ScaleError
from rig.scales.lines import NoReading, Reading, parse_line
from rig.system.tcp_address import is_url, parse_url

SILENCE_S = 1.0
"""After so long without a line the scale is asked: it may be set to answer, not to send."""
MOST_LINES = 120
"""After so many lines or silences without a stable weight the scale is given up."""
LONGEST_LINE = 200
"""No scale sends so many bytes without the end of a line."""
SILENCES = 6
AGREE_MG = 1.0
"""Two stable weights in a row may differ by so much, or by the scale's last digit."""
ASK = b"S\r\n"
"""Send the stable weight: MT-SICS and A&D."""

# Some scales end a line with CR alone; with CR LF, LF may arrive later.
_LINE = re.compile(rb"[\r\n]*([^\r\n]+)[\r\n]")
_PLACE = re.compile(r"(?P<port>.+?)(?::(?P<baud>\d+)(?::(?P<frame>[78][NEOneo][12]))?)?")


class LinePort(Protocol):
    """The part of a serial port that a scale uses."""

    @property
    def in_waiting(self) -> int:
        """Return how many bytes have arrived."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, or what has arrived of them within ``SILENCE_S``."""

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""

    def reset_input_buffer(self) -> None:
        """Remove what has arrived."""


class SerialScale:
    """A scale that sends its weight as lines of text, by itself or when it is asked."""

    def __init__(self, port: LinePort, name: str) -> None:
        self._port = port
        self._name = name
        self._received = b""

    def stable_mg(self) -> float:
        """Return the weight in mg once two stable ones in a row agree. Raises ``ScaleError``."""
        try:
            # What arrived earlier was weighed before the vial was on the pan.
            self._port.reset_input_buffer()
            self._received = b""
            return self._two_that_agree()
        except (serial.SerialException, OSError) as error:
            raise ScaleError(f"scale at {self._name}: the connection is lost ({error}): plug it in again") from error

    def _two_that_agree(self) -> float:
        last: Reading | None = None
        silent, problem, nonsense = 0, "", b""
        for _ in range(MOST_LINES):
            raw = self._line()
            if not raw:
                silent += 1
                if silent > SILENCES:
                    break
                self._port.write(ASK)
                continue
            found = parse_line(raw.decode("ascii", "replace"))
            if isinstance(found, NoReading):
                problem = found.problem
            nonsense = raw if found is None else b""
            if not isinstance(found, Reading) or not found.stable:
                last = None if found is not None else last
                continue
            if last is not None and abs(found.mg - last.mg) <= max(AGREE_MG, 1.001 * found.step_mg):
                return found.mg
            last = found
            if silent:  # it answers only when it is asked
                self._port.write(ASK)
        raise ScaleError(self._nothing(silent, problem, nonsense))

    def _line(self) -> bytes:
        """Return the next line, or what has arrived of it when the scale is silent. Raises ``ScaleError``."""
        while (found := _LINE.match(self._received)) is None:
            more = self._port.read(max(1, min(self._port.in_waiting, LONGEST_LINE)))
            if not more:
                line, self._received = self._received, b""
                return line.strip(b"\r\n")
            self._received += more
            if len(self._received) > 2 * LONGEST_LINE:
                raise ScaleError(self._nothing(0, "", self._received))
        self._received = self._received[found.end() :]
        return found[1]

    def _nothing(self, silent: int, problem: str, nonsense: bytes) -> str:
        how = "Speed and frame are set as PORT:BAUD:FRAME, such as /dev/ttyUSB0:2400:7E1"
        if problem:
            return f"scale at {self._name}: {problem}"
        if nonsense:
            return f"scale at {self._name}: sends {nonsense[:20]!r}, which is no weight. {how}"
        if silent > SILENCES:
            return f"scale at {self._name}: sends nothing: is it on, and set to send its weight continuously? {how}"
        return f"scale at {self._name}: no stable weight: shut the draught shield, and leave the table alone"


def open_scale(place: str) -> SerialScale:
    """Open a scale at ``PORT``, ``PORT:BAUD`` or ``PORT:BAUD:FRAME``, by default 9600 baud and 8N1, or at a TCP port.

    Raises ``ConfigError`` for another form, and ``ScaleError`` when the port cannot be opened.
    """
    name, settings = _parsed(place)
    try:
        port = serial.serial_for_url(name, timeout=SILENCE_S, write_timeout=SILENCE_S, **settings)
    except (serial.SerialException, OSError, ValueError) as error:
        raise ScaleError(
            f"--scale {place}: cannot be opened: {_reason(error)}: is the scale plugged in? `rig board list` lists the "
            "ports"
        ) from error
    return SerialScale(port, name)


def _parsed(place: str) -> tuple[str, dict[str, Any]]:
    """Return the port of a scale, and the settings of its line. Raises ``ConfigError``."""
    if is_url(place):
        return str(parse_url(place)), {}
    match = _PLACE.fullmatch(place)
    if match is None:
        raise ConfigError(f"--scale {place}: wanted PORT, PORT:BAUD or PORT:BAUD:FRAME, such as COM4:2400:7E1")
    frame = (match["frame"] or "8N1").upper()
    settings = {"bytesize": int(frame[0]), "parity": frame[1], "stopbits": int(frame[2])}
    return match["port"], {"baudrate": int(match["baud"] or 9600), **settings}


def _reason(error: Exception) -> str:
    """Return why a port cannot be opened; pyserial's text names the system's error twice."""
    system_error = error if isinstance(error, OSError) and error.errno else error.__context__
    number = system_error.errno if isinstance(system_error, OSError) else None
    return str(error) if number is None else os.strerror(number)

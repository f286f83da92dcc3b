"""TCP ports that stand for serial ports: ``socket://HOST:PORT``, as pyserial writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rig.core.errors import ConfigError

LOOPBACK = "127.0.0.1"
EXAMPLE = f"socket://{LOOPBACK}:5331"

# "COM3:" and "C:\ports" are no URLs.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
# Python's socket module refuses an empty or longer part of a name with an error that is none of the system's.
_NAME = r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?"
_HOST = rf"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<host>{_NAME}))"
_URL = re.compile(rf"(?i:socket)://{_HOST}:(?P<port>[0-9]{{1,5}})/?")
_PLACE = re.compile(rf"(?:{_HOST}:)?(?P<port>[0-9]{{1,5}})")
_MOST = 65_535


@dataclass(frozen=True)
class TcpAddress:
    """A port of a computer; port 0 is for the system to choose. As text it is its URL."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"socket://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def is_of_this_computer(self) -> bool:
        """Whether no other computer can reach it."""
        return self.host in ("localhost", "::1") or self.host.startswith("127.")


def is_url(port: str) -> bool:
    """Whether the name of a port is that of no serial port, but a URL."""
    return _SCHEME.match(port) is not None


def parse_url(text: str) -> TcpAddress:
    """Return the address in a URL. Raises ``ConfigError``."""
    match = _URL.fullmatch(text)
    if match is None or not 0 < int(match["port"]) <= _MOST:
        raise ConfigError(f"{text}: is no port: wanted a serial port, or a TCP port such as {EXAMPLE}")
    return TcpAddress((match["ipv6"] or match["host"]).lower(), int(match["port"]))


def parse_place(text: str, option: str) -> TcpAddress:
    """Return the address at which a command line's option wants to listen: ``PORT`` of the loopback interface.

    ``HOST:PORT`` is for other computers too, and port 0 is one that the system chooses. Raises ``ConfigError``.
    """
    match = _PLACE.fullmatch(text)
    if match is None or int(match["port"]) > _MOST:
        raise ConfigError(f"{option} {text}: wanted the number of a TCP port, such as 5331, or HOST:PORT")
    return TcpAddress((match["ipv6"] or match["host"] or LOOPBACK).lower(), int(match["port"]))


def check_port(port: str) -> str:
    """Return the name of a port in a rig file. Raises ``ValueError`` for a URL that cannot be opened."""
    if is_url(port):
        try:
            parse_url(port)
        except ConfigError as error:
            raise ValueError(str(error)) from None
    return port

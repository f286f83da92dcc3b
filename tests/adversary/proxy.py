"""A cable that can be bad: a pseudo-terminal on the one side, a port on the other, and bytes that suffer between."""

import asyncio
import os
import random
import tty
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sim_hardware.avr.pseudo_port import is_open_elsewhere
from sim_hardware.avr.terminal_port import POLL_S

LONGEST_DELAY_S = 0.03
KINDS = ("damaged", "dropped", "doubled", "delayed")


class Way:
    """One direction: what is given to it comes out in order, perhaps later, perhaps not as it was."""

    def __init__(self, draw: random.Random, rate: float, out: Callable[[bytes], None], suffered: Counter[str]) -> None:
        self._draw = draw
        self._rate = rate
        self._out = out
        self._suffered = suffered
        self._free_at = 0.0

    def carry(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        ready = bytearray()
        for byte in data:
            kind = self._draw.choice(KINDS) if self._draw.random() < self._rate else ""
            if kind == "delayed":
                self._send(ready, now)
                ready = bytearray()
                self._free_at = max(self._free_at, now) + self._draw.random() * LONGEST_DELAY_S
            if kind == "damaged":
                ready.append(byte ^ 1 << self._draw.randrange(8))
            elif kind != "dropped":
                ready += bytes([byte]) * (2 if kind == "doubled" else 1)
            if kind:
                self._suffered[kind] += 1
        self._send(ready, now)

    def _send(self, data: bytearray, now: float) -> None:
        if not data:
            return
        if self._free_at <= now:
            self._out(bytes(data))
        else:
            asyncio.get_running_loop().call_at(self._free_at, self._out, bytes(data))


class Proxy:
    """Stands between the program that opens ``outer`` and the port ``inner``, which is opened and closed with it."""

    def __init__(self, inner: Path, outer: Path, rate: float, seed: int) -> None:
        self.suffered: Counter[str] = Counter()
        self._inner = inner
        self._outer = outer
        draw = random.Random(f"{seed}/proxy")
        self._to_board = Way(draw, rate, lambda data: self._write(self._board, data), self.suffered)
        self._to_host = Way(draw, rate, lambda data: self._write(self._host, data), self.suffered)
        self._board: int | None = None
        self._host, end = os.openpty()
        tty.setraw(end)
        outer.symlink_to(os.ttyname(end))
        os.close(end)
        os.set_blocking(self._host, False)
        self._loop = asyncio.get_running_loop()
        self._looking = self._loop.call_soon(self._look)

    def close(self) -> None:
        self._looking.cancel()
        self._hang_up()
        self._outer.unlink()
        os.close(self._host)

    def _look(self) -> None:
        if not is_open_elsewhere(self._host):
            self._hang_up()
        elif self._board is None:
            self._board = os.open(self._inner, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            tty.setraw(self._board)
            self._loop.add_reader(self._board, self._read, self._board, self._to_host)
            self._loop.add_reader(self._host, self._read, self._host, self._to_board)
        self._looking = self._loop.call_later(POLL_S, self._look)

    def _hang_up(self) -> None:
        if self._board is not None:
            self._loop.remove_reader(self._host)
            self._loop.remove_reader(self._board)
            os.close(self._board)
            self._board = None

    def _read(self, fd: int, way: Way) -> None:
        try:
            way.carry(os.read(fd, 4096))
        except BlockingIOError:
            return
        except OSError:  # one of the two has closed its end
            self._hang_up()

    @staticmethod
    def _write(fd: int | None, data: bytes) -> None:
        if fd is not None:
            try:
                os.write(fd, data)
            except OSError:  # no reader, and no room for more
                return

"""StandardFirmata 2.5, as an Arduino Uno runs it: what a person uploads from the examples of the Arduino program."""

from collections.abc import Callable

INPUT, OUTPUT = 0, 1
CAN_DO = {**dict.fromkeys((0, 1), ()), **dict.fromkeys(range(2, 20), (0, 1, 11, 1, 1, 1, 4, 14))}
VERSION = bytes((0xF9, 2, 5))
NAME = "StandardFirmata.ino"


class Sketch:
    """Takes bytes, answers bytes; ``trace`` holds every level that it put on a pin, ``now`` times them."""

    def __init__(self, send: Callable[[bytes], None], now: Callable[[], float] = lambda: 0.0) -> None:
        self.send = send
        self.now = now
        self.modes: dict[int, int] = {}
        self.levels = [0] * 20
        self.outputs: dict[int, int] = {}
        self.reporting: set[int] = set()
        self.trace: list[tuple[float, int, int]] = []
        self.mute = False
        self._arrived = bytearray()

    def boot(self) -> None:
        """Start again, as after a reset: outputs off, nothing reported; say so."""
        self.modes.clear()
        self.reporting.clear()
        for pin in list(self.outputs):
            self._put(pin, 0)
        self._answer(VERSION + self._firmware())

    def drive(self, pin: int, level: int) -> None:
        """Let the world put a level on a pin."""
        self.levels[pin] = level
        if self.modes.get(pin) == INPUT and pin // 8 in self.reporting:
            self._report(pin // 8)

    def receive(self, data: bytes) -> None:
        self._arrived += data
        while self._arrived and (length := self._length()) and len(self._arrived) >= length:
            message = bytes(self._arrived[:length])
            del self._arrived[:length]
            self._handle(message)

    def _length(self) -> int:
        first = self._arrived[0]
        if first == 0xF0:
            return self._arrived.find(0xF7) + 1
        kind = first & 0xF0 if first < 0xF0 else first
        return {0x90: 3, 0xE0: 3, 0xC0: 2, 0xD0: 2, 0xF4: 3}.get(kind, 1)

    def _handle(self, message: bytes) -> None:
        kind = message[0] & 0xF0 if message[0] < 0xF0 else message[0]
        if kind == 0xF4:
            _, pin, mode = message
            self.modes[pin] = mode
            if mode == OUTPUT:
                self._put(pin, 0)
        elif kind == 0x90:
            mask = message[1] | message[2] << 7
            for pin in range(8 * (message[0] & 0xF), 8 * (message[0] & 0xF) + 8):
                if self.modes.get(pin) == OUTPUT:
                    self._put(pin, mask >> pin % 8 & 1)
        elif kind == 0xD0:
            (self.reporting.add if message[1] else self.reporting.discard)(message[0] & 0xF)
            self._report(message[0] & 0xF)
        elif kind == 0xF9:
            self._answer(VERSION)
        elif message[:2] == b"\xf0\x79":
            self._answer(self._firmware())
        elif message[:2] == b"\xf0\x6b":
            pins = b"".join(bytes((*CAN_DO[pin], 0x7F)) for pin in range(20))
            self._answer(b"\xf0\x6c" + pins + b"\xf7")

    def _put(self, pin: int, level: int) -> None:
        if self.outputs.get(pin, 0) != level:
            self.trace.append((self.now(), pin, level))
        self.outputs[pin] = level

    def _report(self, port: int) -> None:
        inputs = [pin for pin in range(8 * port, min(8 * port + 8, 20)) if self.modes.get(pin) == INPUT]
        mask = sum(self.levels[pin] << pin % 8 for pin in inputs)
        self._answer(bytes((0x90 | port, mask & 0x7F, mask >> 7)))

    def _firmware(self) -> bytes:
        return b"\xf0\x79\x02\x05" + b"".join(bytes((ord(c), 0)) for c in NAME) + b"\xf7"

    def _answer(self, data: bytes) -> None:
        if not self.mute:
            self.send(data)

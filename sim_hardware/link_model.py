"""A model of a serial cable: latency, jitter, damaged bytes, and the USB chip that holds bytes back."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from rig.boards.transport import QUIET_S, Transport
from rig.core.clock import Clock, posting
from rig.core.errors import ConfigError


@dataclass(frozen=True)
class LinkFaults:
    """Latency and faults of a cable, the same in both directions; probabilities are per byte.

    The USB chip of a board hands bytes to the host every ``bridge_s`` seconds, or as soon as it has ``bridge_bytes``;
    0 s is none.
    """

    latency_s: float = 0.0005
    jitter_s: float = 0.0
    flip: float = 0.0
    drop: float = 0.0
    double: float = 0.0
    cut_after_bytes: int | None = None
    bridge_s: float = 0.0
    bridge_bytes: int = 96
    seed: int = 0

    @classmethod
    def of(cls, given: Mapping[str, float], seed: int) -> LinkFaults:
        """Build faults from their names; they are drawn with ``seed`` unless they name one. Raises ``ConfigError``."""
        known = [each.name for each in fields(cls)]
        if unknown := [name for name in given if name not in known]:
            has = ", ".join(known)
            raise ConfigError(*(f"a cable has no fault '{name}': wanted some of {has}" for name in unknown))
        return cls(**{"seed": seed, **given})  # type: ignore[arg-type]

    @property
    def clean(self) -> bool:
        """Whether every byte arrives as it was sent."""
        return not (self.flip or self.drop or self.double)


UNO_BRIDGE = {"bridge_s": 0.004_096, "bridge_bytes": 96}
"""The ATmega16U2 of an Uno or a Mega: the overflow of its timer 0, and the limit of Arduino-usbserial.c."""
FTDI_BRIDGE = {"bridge_s": 0.016, "bridge_bytes": 62}
"""An FT232R: its latency timer as it is delivered, and a full USB packet."""

Receive = Callable[[bytes], None]


class LinkDirection:
    """One direction of a cable: first in, first out, delayed and perhaps damaged; ``deliver`` takes what arrives."""

    def __init__(self, cable: SerialCable, name: str, deliver: Receive) -> None:
        faults = cable.faults
        self._cable = cable
        self._clock = cable.clock
        self._post = posting(cable.clock)
        self._faults = faults
        # A stream for each direction, so that bytes one way do not change the faults of the other
        # (docs/decisions/random-streams.md).
        self._random = random.Random(f"{faults.seed}/{name}")
        self._due = 0.0
        # Most sessions have a clean cable: a message then costs one timer, and nothing is drawn.
        self._perfect = faults.clean and not faults.jitter_s and faults.cut_after_bytes is None
        self._latency_s = faults.latency_s
        self.held: list[bytes] | None = None
        self.deliver = deliver

    def send(self, data: bytes) -> None:
        """Send bytes, if the cable is still connected."""
        if not self._perfect:
            self._send_imperfectly(data)
        elif self._cable.plugged:
            # By a timer even without latency: no hardware delivers within the call that sends.
            self._post(self._latency_s, self._arrive, data)

    def _send_imperfectly(self, data: bytes) -> None:
        data = self._cable.pass_on(data)
        if not data:
            return
        if not self._faults.clean:
            data = self._damage(data)
        due = self._clock.time() + self._latency_s + self._random.random() * self._faults.jitter_s
        # Jitter delays bytes and never reorders them, as on a serial line.
        self._due = max(self._due, due)
        self._clock.call_at(self._due, self._arrive, data)

    def _arrive(self, data: bytes) -> None:
        if self.held is not None:
            self.held.append(data)
        elif self._cable.plugged:
            self.deliver(data)

    def hold(self) -> None:
        """Queue what arrives, as for a receiver that does not read."""
        self.held = self.held or []

    def release(self) -> None:
        """Send all held bytes to the receiver, in one piece."""
        held, self.held = self.held, None
        if held and self._cable.plugged:
            self.deliver(b"".join(held))

    def _damage(self, data: bytes) -> bytes:
        faults, draw = self._faults, self._random.random
        out = bytearray()
        for byte in data:
            if draw() < faults.drop:
                continue
            damaged = byte ^ (1 << int(draw() * 8)) if draw() < faults.flip else byte
            out.append(damaged)
            if draw() < faults.double:
                out.append(damaged)
        return bytes(out)


class UsbBridge:
    """The USB chip of a board, on the way to the host; ``deliver`` takes what it hands over."""

    def __init__(self, clock: Clock, faults: LinkFaults, deliver: Receive) -> None:
        self._clock = clock
        self._period_s = faults.bridge_s
        self._most_bytes = faults.bridge_bytes
        # Its timer runs from its own power-on, which no session knows.
        self._phase_s = random.Random(f"{faults.seed}/bridge").random() * self._period_s
        self._waiting = bytearray()
        self._is_due = False
        self._deliver = deliver

    def receive(self, data: bytes) -> None:
        """Handle bytes of the board: deliver them when the chip's timer overflows, or in full packets."""
        self._waiting += data
        while len(self._waiting) >= self._most_bytes:
            self._hand_over(self._most_bytes)
        if self._waiting and not self._is_due:
            self._is_due = True
            overflows = math.floor((self._clock.time() - self._phase_s) / self._period_s) + 1
            self._clock.call_at(self._phase_s + overflows * self._period_s, self._overflow)

    def _overflow(self) -> None:
        self._is_due = False
        if self._waiting:
            self._hand_over(len(self._waiting))

    def _hand_over(self, count: int) -> None:
        data = bytes(self._waiting[:count])
        del self._waiting[:count]
        self._deliver(data)


class SerialCable:
    """Both directions and the plug: ``to_board`` delivers to the board, ``to_host`` to the opened port."""

    def __init__(self, clock: Clock, faults: LinkFaults | None = None, to_board: Receive = lambda data: None) -> None:
        self.faults = faults or LinkFaults()
        self.clock = clock
        self.carried = 0
        self.plugged = True
        self.to_board = LinkDirection(self, "to_board", to_board)
        bridge = UsbBridge(clock, self.faults, self._reach_port) if self.faults.bridge_s else None
        self.to_host = LinkDirection(self, "to_host", self._reach_port if bridge is None else bridge.receive)
        self._on_bytes: Receive = lambda data: None
        self._on_lost: Callable[[str], None] = lambda why: None

    def open_port(self, on_bytes: Receive, on_lost: Callable[[str], None]) -> None:
        """Start to deliver what arrives at the host; ``on_lost`` is called when the cable is disconnected."""
        self._on_bytes, self._on_lost = on_bytes, on_lost

    def close_port(self) -> None:
        """Stop delivery to the host; bytes that arrive are lost."""
        self._on_bytes = lambda data: None

    def _reach_port(self, data: bytes) -> None:
        self._on_bytes(data)

    def pass_on(self, data: bytes) -> bytes:
        """Return the bytes that pass before the cable is cut, and count them."""
        if not self.plugged:
            return b""
        limit = self.faults.cut_after_bytes
        if limit is not None and self.carried + len(data) > limit:
            data = data[: max(0, limit - self.carried)]
            # Not at once, because the sender is still in its call.
            self.clock.call_soon(self.disconnect)
        self.carried += len(data)
        return data

    def disconnect(self) -> None:
        """Remove the cable: nothing arrives any more, and ``on_lost`` is called."""
        if self.plugged:
            self.plugged = False
            self.clock.call_soon(self._on_lost, "the cable was pulled")

    def connect(self) -> None:
        """Add the cable again; the host must open its port again."""
        self.plugged = True


class CableTransport(Transport):
    """The host's end of a cable; opening it resets nothing."""

    quiet_s = 0.0

    def __init__(self, cable: SerialCable) -> None:
        self._cable = cable

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver what arrives."""
        self._cable.open_port(on_bytes, on_lost)

    def write(self, data: bytes) -> None:
        """Send bytes to the board."""
        self._cable.to_board.send(data)

    def close(self) -> None:
        """Close the port; the board goes off when its lease expires."""
        self._cable.close_port()


class ResettingTransport(CableTransport):
    """The host's end of a cable whose opening resets the board, as a computer does by DTR."""

    quiet_s = QUIET_S

    def __init__(self, cable: SerialCable, reset: Callable[[], None]) -> None:
        super().__init__(cable)
        self._reset = reset

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver what arrives, after a reset of the board."""
        self._reset()
        super().start(on_bytes, on_lost)

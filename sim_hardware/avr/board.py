"""A board with a simulated chip, between the cable and the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.model.board import AnalogSource, Channel, Input, Source
from sim_hardware.avr.chip import Event, ResetCause, TraceEvent
from sim_hardware.avr.lockstep import Lockstep
from sim_hardware.avr.seam import SimulatedChip

CYCLES_PER_US = 16
_TICKS = "1"
"""The timer whose count is the low half of the firmware's stamps."""
# The firmware's prescaler of that timer.
_TICK_CYCLES = 8
_PACKET_BYTES = 64


class SessionZero:
    """Finds the cycle at which a session began, from the timestamp in the firmware's OPENED message.

    The stamp's low half is the count of a timer, so the cycle is that in which the timer last showed it.
    """

    def __init__(self, chip: SimulatedChip) -> None:
        self.cycle = 0
        self._chip = chip
        self._deframer = frame.Deframer()
        self._opened = b""

    def detect_open(self, data: bytes) -> bool:
        """Parse bytes to the host; return whether they open a session."""
        for payload in self._deframer.feed(data):
            if payload[0] == wire.OPENED.code and payload != self._opened:
                self._opened = payload
                stamp = wire.OPENED.size.unpack(payload)[-1]
                zero, round_ = self._chip.timer(_TICKS)
                now = self._chip.cycle
                self.cycle = now - (now - zero - stamp * _TICK_CYCLES) % round_
                return True
        return False

    def forget(self) -> None:
        """Remove what is known of the session, after a reset of the chip."""
        self._opened = b""


class FirmwareCrashError(RuntimeError):
    """The firmware executed an invalid instruction or address."""


class AvrBoard:
    """Bytes on one side, pins on the other; it runs in step with the loop that runs when it is made.

    ``send`` takes the bytes for the host, ``drive(pin, value)`` what the board does to the pins of the outputs among
    ``channels``; those in ``speakers`` are heard by their frequency. ``on_open`` is called when a session is opened.
    """

    def __init__(
        self,
        chip: SimulatedChip,
        channels: Iterable[Channel],
        send: Callable[[bytes], None],
        drive: Callable[[int, int], None],
        on_open: Callable[[], None] = lambda: None,
        *,
        speakers: frozenset[str] = frozenset(),
        ppm: float = 0.0,
    ) -> None:
        self.chip = chip
        self.on_open = on_open
        self.driven_at = 0
        """The cycle of the last call of ``drive``; a tone is detected only after it has lasted."""
        self.overruns = 0
        self.resets = 0
        self._send = send
        self._drive = drive
        self._said = bytearray()
        self._life = 0
        self._joined: set[int] = set()
        self._turned: dict[str, int] = {}
        """How many steps each encoder has been turned since the board was opened."""
        self._zero = SessionZero(chip)
        for channel in channels:
            if not isinstance(channel, Input):
                chip.watch(channel.pin, int(channel.inverted), speaker=channel.name in speakers)
        self.lockstep = Lockstep(chip, self._on_trace_event, ppm)

    # --- what is done to it -----------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Handle bytes from the host."""
        self.chip.send(data)

    def put(self, pin: int, level: int) -> None:
        """Set the level that the world puts on a pin."""
        self.chip.pin(pin, level)

    def set_value(self, source: Source, value: int) -> None:
        """Set what the world gives to a source: a voltage, or the steps of an encoder since it is counted."""
        if isinstance(source, AnalogSource):
            self.chip.set_voltage(source.pin, value)
        else:
            self.chip.turn(source.pin_a, source.pin_b, value - self._turned.get(source.name, 0))
            self._turned[source.name] = value

    def join(self, output: int, to: int) -> None:
        """Add a jumper from an output pin, which leads to nothing else, to an input pin."""
        self._joined.add(output)
        self.chip.join(output, to)

    def part(self, output: int) -> None:
        """Remove the jumper from an output pin."""
        self.chip.part(output)

    def reset(self, cause: ResetCause = ResetCause.BUTTON) -> None:
        """Start the chip again by a reset, as opening its port or its power does; without the time of a bootloader."""
        self.chip.reset(cause)
        # The reset is handled at once, before a byte of the time before it is passed on.
        for event in self.chip.run(self.chip.cycle):
            self._on_trace_event(event)

    def hang(self, *, interrupts: bool) -> None:
        """Stop the program, as a bug would."""
        self.chip.hang(interrupts=interrupts)

    # --- what it does -----------------------------------------------------------------------------------------

    def now_us(self) -> int:
        """Return the session's time by the chip's crystal."""
        return self.us_of(self.lockstep.cycle_now())

    @property
    def half_sent(self) -> int:
        """Return the number of bytes of the frame that is being sent."""
        return len(self._said)

    def us_of(self, cycle: int) -> int:
        """Return the session's time of a cycle, in whole microseconds that have passed."""
        return (cycle - self._zero.cycle) // CYCLES_PER_US

    def exact_us_of(self, cycle: int) -> float:
        """Return the session's time of a cycle, in microseconds."""
        return (cycle - self._zero.cycle) / CYCLES_PER_US

    def time_of_us(self, t_us: float) -> float:
        """Return the loop's time of a microsecond of the session."""
        return self.lockstep.time_of(self._zero.cycle + t_us * CYCLES_PER_US)

    def _pass_on(self) -> None:
        # Bytes are passed on by frames, as by a USB bridge; a part of a frame cannot be used.
        data = bytes(self._said)
        self._said.clear()
        if self._zero.detect_open(data):
            self._turned.clear()
            self.on_open()
        self._send(data)

    def _on_trace_event(self, event: Event) -> None:
        if event.kind is TraceEvent.BYTE:
            if event.pin == self._life:  # a reset cuts short what is being sent
                self._said.append(event.value)
                if not event.value or len(self._said) == _PACKET_BYTES:
                    self._pass_on()
        elif event.kind in (TraceEvent.LEVEL, TraceEvent.TONE):
            self.driven_at = event.cycle
            if event.pin not in self._joined:
                self._drive(event.pin, event.value)
        elif event.kind is TraceEvent.RESET:
            self.resets += 1
            self._life = event.pin
            self._zero.forget()
        elif event.kind is TraceEvent.OVERRUN:
            self.overruns += 1
        else:
            raise FirmwareCrashError(f"the firmware crashed at 0x{event.value:x}")

"""A board's self-description: wait for it, and check that a session can use the board."""

from __future__ import annotations

from dataclasses import dataclass

from rig.boards.chips import SAMPLING_BOARDS
from rig.boards.serial.requests import RequestTracker
from rig.boards.wire import messages as wire
from rig.boards.wire.messages import Message
from rig.boards.wire.orders import TICK_NS
from rig.core.errors import BoardNotFoundError, FirmwareMismatchError, OrderRefusedError
from rig.core.model.board import BoardCapacity, BoardInfo, Tones, Wiring

HORIZON_TICKS = 1 << 30
"""The largest schedule ahead: a quarter of the 32-bit clock, so that past and future differ."""

HORIZON_US = HORIZON_TICKS * TICK_NS // 1000

_RESETS = wire.words("RESET")

TONE_STEPS = 256
"""The resolution of a tone's half period, as a fraction of a tick."""


@dataclass(frozen=True)
class Hello:
    """A board's self-description."""

    version: int
    opened: BoardInfo
    tick_ns: int
    power_ons: int
    """How often the board has lost what it had kept."""
    reset: str = ""
    """The cause of the board's last reset."""

    @classmethod
    def of(cls, message: Message) -> Hello:
        """Parse a HELLO message."""
        says = dict(zip((name for name, _ in wire.HELLO.layout), message[1:], strict=True))
        limits = BoardCapacity(
            channels=says["channels"],
            sources=says["sources"],
            groups=says["groups"],
            members=says["members"],
            entries=says["entries"],
            sequences=says["sequences"],
            events=says["events"],
            # No more than a chip has: what is rehearsed on a simulated board must run on a chip.
            horizon_us=min(HORIZON_US, HORIZON_TICKS * says["tick_ns"] // 1000),
            openings=says["openings"],
        )
        name = says["name"].rstrip(b"\0").decode("ascii", "replace")
        firmware = f"{says['firmware'] >> 8}.{says['firmware'] & 0xFF}"
        tones = Tones("square", says["tick_ns"] / TONE_STEPS)
        return cls(
            says["wire"],
            BoardInfo(name, f"{says['uid']:04X}", firmware, limits, tones),
            says["tick_ns"],
            says["power_ons"],
            _RESETS.get(says["reset"], "unknown"),
        )

    def check(self, uid: str | None, wiring: Wiring, named_by: str = "rig file") -> None:
        """Check version, id and capacity of a board; ``named_by`` names the file with the id.

        Raises ``FirmwareMismatchError`` or ``OrderRefusedError``.
        """
        # The version first: in another one the other fields may have another meaning.
        self.check_version()
        self.check_uid(uid, named_by)
        if len(wiring.channels) > self.opened.limits.channels:
            raise OrderRefusedError(
                f"the rig file wires {len(wiring.channels)} channels, "
                f"this board has room for {self.opened.limits.channels}"
            )
        room = self.opened.limits.sources
        if len(wiring.sources) > room:
            names = ", ".join(source.name for source in wiring.sources)
            mend = f"remove {len(wiring.sources) - room}" if room else SAMPLING_BOARDS
            raise OrderRefusedError(
                f"the rig file has {len(wiring.sources)} inputs to sample ({names}), this board has room for {room}: "
                f"{mend}"
            )

    def check_version(self) -> None:
        """Check the wire version. Raises ``FirmwareMismatchError``."""
        if self.version != wire.VERSION:
            raise FirmwareMismatchError(
                f"the board speaks wire version {self.version}, this program version {wire.VERSION}: "
                "flash the firmware that came with it"
            )

    def check_uid(self, uid: str | None, named_by: str = "rig file") -> None:
        """Check that the board is the one that a file names. Raises ``FirmwareMismatchError``."""
        if uid is not None and self.opened.uid != uid.upper():
            raise FirmwareMismatchError(
                f"this is board {self.opened.uid}, the {named_by} names board {uid}: "
                f"another cable, or another {named_by}"
            )


WHAT_TO_TRY = (
    "is this the right port (`rig board list`), does the cable carry data (some only charge), "
    "and has the board this program's firmware (`rig board flash`)?"
)


async def read_hello(requests: RequestTracker, quiet_s: float) -> Hello:
    """Return the HELLO that a board sends after its reset; request it when ``quiet_s`` seconds have passed without.

    A byte that the host sends earlier goes to the bootloader. That of an Arduino Mega then waits for 5 s of silence
    (docs/decisions/opening-a-board.md). Raises ``BoardNotFoundError``.
    """
    try:
        greeting = await requests.wait_quietly(wire.HELLO, quiet_s)
        return Hello.of(greeting or await requests.request(wire.GET_HELLO, (), wire.HELLO))
    except BoardNotFoundError as error:
        # A lost port has its own reason.
        if requests.lost is not None:
            raise
        raise BoardNotFoundError(f"{error}: {WHAT_TO_TRY}") from None

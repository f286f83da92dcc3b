"""Nonsense on the line, at its full speed, while the outputs are in use: the firmware heeds none of it."""

import random
from dataclasses import dataclass
from itertools import pairwise

import pytest

from rig.boards.chips import AVRS
from rig.boards.wire import messages as wire
from rig.boards.wire.orders import read_orders
from rig.core.model.actions import Arm, Disarm, Load, Order, Pulse, Set, Start, Stop, Train
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from sim_hardware.avr.chip import HZ
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr
from tests.avr_tools import need_avr_tools
from tests.sim_hardware.avr.line import LEASE_MS, Line

CHANNELS = (
    Input("left", Role.LINE, 2),
    Input("plain", Role.LINE, 3, 0, 0, 0),
    Output("valve", Role.LINE, 8, max_on_us=100_000),
    Output("feeder", Role.LINE, 9, max_on_us=200_000),
    Output("light", Role.LINE, 10),
    Output("one", Role.LINE, 14, max_on_us=50_000, interlocked=True),
    Output("other", Role.LINE, 15, max_on_us=50_000, interlocked=True),
)
PIN = {channel.name: channel.pin for channel in CHANNELS}
LIMITED = {channel.pin: channel.max_on_us for channel in CHANNELS if isinstance(channel, Output) and channel.max_on_us}
ACTIONS: tuple[tuple[Order, ...], ...] = (
    (Set("valve", True),),
    (Set("one", True), Pulse("feeder", 150_000)),
    (Train("valve", 40_000, 60_000, 10), Set("light", True)),
    (Pulse("other", 50_000),),
    (Arm(1, None, (("plain", 1, Set("valve", True)), ("left", 1, Pulse("one", 30_000)))),),
    (Set("feeder", True), Set("other", True)),
)
"""What is ordered between the nonsense; some of it is refused, because it overlaps."""
LONG_BATCHES: tuple[tuple[Order, ...], ...] = (
    (
        Load(1, tuple((at_us, Pulse("valve", 9_000)) for at_us in range(0, 120_000, 10_000))),
        Arm(2, None, tuple((name, level, Start(1)) for name in ("left", "plain") for level in (0, 1))),
        Pulse("feeder", 20_000),
        Start(1),
    ),
    (
        Disarm(2),
        Arm(
            1,
            None,
            tuple((name, level, Train("one", 9_000, 20_000, 3)) for name in ("left", "plain") for level in (0, 1)),
        ),
        Set("light", True),
        Stop(1),
    ),
)
"""What travels in several frames."""
LATE_US = 150
"""How much later than its limit an output may go off; on a Mega it has been 110 µs in 300 s of nonsense."""
BURST_BYTES, BURST_FRAMES = 2_500, 50
NAMED = wire.BATCH.size.size - 1
"""The bytes of a frame that name it; behind them come the number of its orders, and these."""
ROUND = 20
"""So many bursts belong to one session."""


@dataclass(frozen=True)
class Amount:
    """How much nonsense there is."""

    random_bytes: int
    damaged_frames: int
    mutated_frames: int
    """Whose checksum is right."""


OVERRUN_PER_BYTES = 10_000
"""An edge that fires keeps interrupts off for up to 60 us, and at full line speed a byte may be lost to that now and
then: its frame is sent again."""
SHORT, LONG = Amount(100_000, 1_000, 1_000), Amount(10_000_000, 100_000, 100_000)


def gibberish(chance: random.Random, count: int) -> bytes:
    """Draw bytes, with as many zeros as make frames of any length."""
    fewer_zeros_than = chance.choice((1, 16, 64))
    return chance.randbytes(count).translate(bytes(0 if value < fewer_zeros_than else value for value in range(256)))


def damaged(chance: random.Random, good: bytes) -> bytes:
    """Damage a frame in one or two places, but for the zero at its end."""
    frame = bytearray(good[:-1])
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(len(frame))
        kind = chance.randrange(5)
        if kind == 0:
            frame[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            frame[place] = (frame[place] + chance.randint(1, 255)) % 256
        elif kind == 2:
            del frame[place:]
            frame += b"\1"
        elif kind == 3 and len(frame) > 1:
            del frame[place]
        else:
            frame.insert(place, frame[place] ^ chance.randrange(256))
    return bytes(frame) + b"\0"


def mutated(chance: random.Random, payload: bytes) -> bytes:
    """Change up to three places of a payload, behind what names its frame."""
    body = bytearray(payload[NAMED:])
    for _ in range(chance.randint(0, 3)):
        place = chance.randrange(len(body))
        kind = chance.randrange(4)
        if kind == 0:
            body[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            body[place] = chance.randrange(256)
        elif kind == 2 and len(body) > 1:
            del body[place]
        else:
            body.insert(place, body[place])
    return payload[:NAMED] + bytes(body)


def configures(payload: bytes) -> bool:
    """Whether a frame gives a channel another pin or another limit: then there is nothing to hold an output to."""
    count = payload[NAMED] & ~wire.MORE_FRAMES
    orders = read_orders(payload, wire.BATCH.size.size, count) or []
    kinds = {wire.ORDER_INPUT.code, wire.ORDER_OUTPUT.code, wire.ORDER_PANIC.code}
    return any(order[0] in kinds for order in orders)


def send_mutated(line: Line, chance: random.Random, frames: int) -> None:
    """Change the orders of some frames, compute the checksum of each, and send them."""
    while frames > 0:
        for payload in line.frames(*chance.choice(ACTIONS + LONG_BATCHES)):
            changed = mutated(chance, payload)
            if not configures(changed):
                line.ask_once(changed, wire.ACK)
            frames -= 1


def act(line: Line, chance: random.Random) -> None:
    """Use the outputs: by order and by reflex. That the frames are acknowledged shows that they are understood."""
    line.order(*chance.choice(ACTIONS))
    for name in ("left", "plain"):
        line.chip.pin(PIN[name], chance.randrange(2))


def burst(line: Line, chance: random.Random, nonsense: str) -> None:
    """Send random bytes, or damaged or mutated frames."""
    if nonsense == "random":
        line.send(gibberish(chance, BURST_BYTES))
    elif nonsense == "mutated":
        send_mutated(line, chance, BURST_FRAMES)
    else:
        line.send(b"\0" + b"".join(damaged(chance, line.batch(*chance.choice(ACTIONS))) for _ in range(BURST_FRAMES)))


def openings(line: Line, pin: int) -> list[tuple[int, int]]:
    """List from which cycle to which an output was on."""
    changes = [(cycle, level) for cycle, which, level in line.levels if which == pin]
    if changes and not changes[0][1]:  # it was switched off when it was wired
        del changes[0]
    ends = [cycle for cycle, _ in changes[1::2]] + ([line.chip.cycle] if len(changes) % 2 else [])
    assert [level for _, level in changes] == [1, 0] * (len(changes) // 2) + [1] * (len(changes) % 2)
    return list(zip([cycle for cycle, _ in changes[::2]], ends, strict=True))


def assert_within_limits(line: Line) -> int:
    """Hold every output to its limit, and those that lock each other out to that; count the openings."""
    count = 0
    for pin, limit_us in LIMITED.items():
        for start, end in openings(line, pin):
            count += 1
            assert (end - start) * 1_000_000 // HZ <= limit_us + LATE_US, (pin, start)
    ones, others = openings(line, PIN["one"]), openings(line, PIN["other"])
    both = sorted([*ones, *others])
    assert all(end <= start for (_, end), (start, _) in pairwise(both))
    return count


def endure(board: str, amount: Amount, make_chip: MakeChip = firmware_on_simavr, part: int | None = None) -> None:
    chance = random.Random(f"noise on a {board}" if part is None else f"noise {part} on a {board}")
    line = Line(board, CHANNELS, make_chip)
    bursts = ["random"] * (amount.random_bytes // BURST_BYTES)
    bursts += ["damaged"] * (amount.damaged_frames // BURST_FRAMES) + ["mutated"] * (
        amount.mutated_frames // BURST_FRAMES
    )
    chance.shuffle(bursts)
    openings_seen = 0
    for first in range(0, len(bursts), ROUND):
        line.open()
        for nonsense in bursts[first : first + ROUND]:
            act(line, chance)
            burst(line, chance, nonsense)
            if nonsense == "mutated":
                # What these frames have begun, such as a train of a thousand pulses, must not slow the next ones.
                line.open()
        openings_seen += assert_within_limits(line)
        line.ask(wire.ALL_OFF.pack(1), wire.ALL_OFF_DONE)
        line.levels.clear()
        line.answers.clear()
    assert openings_seen >= len(bursts) // 2
    assert line.overruns <= amount.random_bytes // OVERRUN_PER_BYTES


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


@pytest.mark.parametrize("board", AVRS)
@pytest.mark.parametrize("amount", [SHORT, pytest.param(LONG, marks=pytest.mark.campaign)], ids=["short", "long"])
def test_nonsense_opens_nothing_hangs_nothing_and_the_next_good_frame_is_understood(board: str, amount: Amount) -> None:
    endure(board, amount)


@pytest.mark.parametrize("board", AVRS)
def test_nonsense_renews_no_lease(board: str) -> None:
    chance = random.Random(7)
    line = Line(board, CHANNELS)
    line.open()
    line.order(Set("light", True), Set("valve", True))
    start = line.chip.cycle
    while line.chip.cycle < start + 2 * LEASE_MS * HZ // 1000:
        line.send(gibberish(chance, BURST_BYTES))
    (light,) = openings(line, PIN["light"])
    assert (light[1] - light[0]) / HZ == pytest.approx(LEASE_MS / 1000, abs=0.01)
    assert [message[0] for message in line.answers].count(wire.LEASE.code) >= 1

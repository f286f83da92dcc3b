"""The wire, described once: every message and every order, field by field.

``make pages`` writes ``firmware/core/messages.h`` from this file; a test says when that
is stale. All numbers are little-endian. Stamps are 32-bit ticks of the board's raw clock, which wraps; events
and batches are counted modulo 2^16 and 2^8.

A message is ``code`` and its fields; its length is exact. A BATCH is followed by ``count`` orders, an order by
its fields; an ARM or MEMBERS by ``count`` members, and a LOAD or ENTRIES by ``count`` entries, each of which ends in
one order. SAMPLES and COUNTS are followed by ``count`` values, of 16 and of 32 bits. An order whose first byte is MORE
has a second byte that says which one it is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from rig.boards.wire.constants import CONSTANTS as CONSTANTS
from rig.boards.wire.constants import DANGEROUS as DANGEROUS
from rig.boards.wire.constants import EXCLUSIVE as EXCLUSIVE
from rig.boards.wire.constants import INVERTED as INVERTED
from rig.boards.wire.constants import LEVEL as LEVEL
from rig.boards.wire.constants import MAX_ORDERS as MAX_ORDERS
from rig.boards.wire.constants import MORE_FRAMES as MORE_FRAMES
from rig.boards.wire.constants import words as words
from rig.boards.wire.kind import NAME_BYTES as NAME_BYTES
from rig.boards.wire.kind import CannotPack as CannotPack
from rig.boards.wire.kind import Kind as Kind
from rig.boards.wire.kind import Layout as Layout
from rig.boards.wire.kind import describe

VERSION = 9
"""Raised whenever a byte changes its meaning; boards of another version are refused."""

GET_HELLO = describe(0x01, "GET_HELLO", "Request self-description. Answered by HELLO.")
OPEN = describe(
    0x02,
    "OPEN",
    "All off; clear channels, groups, sequences; start an epoch; count events from 1. Idempotent per nonce.",
    ("nonce", "u16"),
    ("lease_ms", "u16"),
    ("resend_ms", "u16"),
)
BATCH = describe(
    0x03,
    "BATCH",
    "A frame of a batch: with its last frame its orders are executed in one pass. number counts the frames of the "
    "epoch; MORE_FRAMES in count: another frame of this batch follows. heard: last event journaled; seen: last event "
    "the task had read.",
    ("epoch", "u8"),
    ("number", "u8"),
    ("heard", "u16"),
    ("seen", "u16"),
    ("count", "u8"),
)
EVENT_ACK = describe(
    0x04,
    "EVENT_ACK",
    "Events up to heard are journaled. A keepalive_id other than 0 is answered by KEEPALIVE_ACK.",
    ("heard", "u16"),
    ("keepalive_id", "u8"),
)
GET_TIME = describe(0x05, "GET_TIME", "Request the time. Answered by TIME in the event stream.", ("heard", "u16"))
ALL_OFF = describe(0x06, "ALL_OFF", "Everything off; start an epoch. Idempotent per nonce.", ("nonce", "u8"))
GET_HEALTH = describe(0x07, "GET_HEALTH", "Request counters. Answered by HEALTH.")
GET_OPENING = describe(
    0x08,
    "GET_OPENING",
    "Request a kept opening: place 0 is the latest. Answered by OPENING, also by a board that is not open.",
    ("place", "u8"),
)

HELLO = describe(
    0x81,
    "HELLO",
    "Self-description. Unsolicited (solicited = 0) after a reset, and when a closed board gets orders.",
    ("wire", "u8"),
    ("firmware", "u16"),
    ("uid", "u32"),
    ("power_ons", "u16"),
    ("tick_ns", "u16"),
    ("channels", "u8"),
    ("sources", "u8"),
    ("groups", "u8"),
    ("members", "u8"),
    ("sequences", "u8"),
    ("entries", "u8"),
    ("openings", "u8"),
    ("events", "u16"),
    ("solicited", "u8"),
    ("reset", "u8"),
    ("name", f"char{NAME_BYTES}"),
)
OPENED = describe(0x82, "OPENED", "The answer to OPEN.", ("nonce", "u16"), ("epoch", "u8"), ("stamp", "u32"))
ACK = describe(
    0x83,
    "ACK",
    "Frame number of this epoch was received; if it is the last one of its batch, the batch was executed at stamp.",
    ("epoch", "u8"),
    ("number", "u8"),
    ("stamp", "u32"),
)
ALL_OFF_DONE = describe(
    0x84,
    "ALL_OFF_DONE",
    "The answer to ALL_OFF: all outputs are off since stamp; event and executed are the last before it.",
    ("nonce", "u8"),
    ("epoch", "u8"),
    ("event", "u16"),
    ("executed", "u8"),
    ("stamp", "u32"),
)
HEALTH = describe(
    0x85,
    "HEALTH",
    "Counters since OPEN.",
    ("damaged", "u16"),
    ("resent", "u16"),
    ("refused", "u16"),
    ("lost", "u16"),
    ("leases", "u8"),
    ("limits", "u16"),
    ("longest_loop_us", "u32"),
)
KEEPALIVE_ACK = describe(
    0x86,
    "KEEPALIVE_ACK",
    "The answer to EVENT_ACK with a keepalive_id; the time is stamp.",
    ("keepalive_id", "u8"),
    ("stamp", "u32"),
)
# No event: the host asks again if no answer comes, and nothing else follows from it.
OPENING = describe(
    0x87,
    "OPENING",
    "One of kept openings of dangerous outputs: its number since power came, its channel and epoch, cause, by and part "
    "as in ON, when it began, its length. flags: OPENING_OPEN, OPENING_CUT. Without one, all fields after kept are 0.",
    ("place", "u8"),
    ("kept", "u8"),
    ("number", "u16"),
    ("channel", "u8"),
    ("epoch", "u8"),
    ("cause", "u8"),
    ("by", "u8"),
    ("part", "u8"),
    ("flags", "u8"),
    ("stamp", "u32"),
    ("ticks", "u32"),
)

_BLOCK_HEAD = (
    ("source", "u8"),
    ("block", "u32"),
    ("lost", "u16"),
    ("stamp", "u32"),
    ("period_ticks", "u32"),
    ("count", "u8"),
)
# No events: the board keeps no block, so that their number cannot fill its memory. The host sees what is lost. The
# numbers do not wrap: at the shortest period 2^32 blocks take 124 days, and lost stays at its largest value.
SAMPLES = describe(
    0x88,
    "SAMPLES",
    "count values of an analog source, the first at stamp and one every period_ticks. block counts those of the source "
    "since OPEN, and lost those of them that the board could not send, at most 65,535.",
    *_BLOCK_HEAD,
    values="i16",
)
COUNTS = describe(
    0x89,
    "COUNTS",
    "count values of an encoder, its steps since COUNT; all other fields as in SAMPLES.",
    *_BLOCK_HEAD,
    values="i32",
)

# Events have the highest codes, so one comparison with FIRST_EVENT tells them from answers.
EDGE = describe(
    0x91,
    "EDGE",
    "An input changed at stamp; level in bit 7 of channel; fired: the group it fired, 0 if none.",
    ("number", "u16"),
    ("channel", "u8"),
    ("fired", "u8"),
    ("stamp", "u32"),
)
TIME = describe(
    0x92,
    "TIME",
    "No edge stamped up to stamp will still be reported; executed: how many batches of the epoch were executed.",
    ("number", "u16"),
    ("stamp", "u32"),
    ("executed", "u8"),
)
STARTED = describe(
    0x93,
    "STARTED",
    "A sequence started, by an order of batch by, a member of group by, or an entry of sequence by: cause as in ON.",
    ("number", "u16"),
    ("sequence", "u8"),
    ("cause", "u8"),
    ("by", "u8"),
    ("stamp", "u32"),
)
DONE = describe(
    0x94,
    "DONE",
    "An output's action ended: why is DONE_FINISHED, DONE_STOPPED or DONE_LIMIT.",
    ("number", "u16"),
    ("channel", "u8"),
    ("why", "u8"),
    ("stamp", "u32"),
)
REFUSED = describe(
    0x95,
    "REFUSED",
    "An order of a batch, or an entry of a sequence, was not executed, for reason. cause, by and part as in ON, but "
    "never CAUSE_REFLEX. part WHOLE_BATCH: no order of the batch was executed that gives something.",
    ("number", "u16"),
    ("cause", "u8"),
    ("by", "u8"),
    ("part", "u8"),
    ("reason", "u8"),
    ("stamp", "u32"),
)
LEASE = describe(
    0x96,
    "LEASE",
    "The lease expired: all outputs are off, epoch has started; executed: last batch of the old epoch.",
    ("number", "u16"),
    ("epoch", "u8"),
    ("executed", "u8"),
    ("stamp", "u32"),
)
OVERFLOW = describe(
    0x97,
    "OVERFLOW",
    "The event buffer was full: lost events were dropped, or more if it is 255. effects of them, at most MAX_EFFECTS, "
    "were an EDGE that fired, STARTED, REFUSED or ON; executed: last batch that had begun when the last of these was "
    "dropped.",
    ("number", "u16"),
    ("lost", "u8"),
    ("executed", "u8"),
    ("effects", "u8"),
    ("stamp", "u32"),
)
PANIC = describe(
    0x98,
    "PANIC",
    "The panic input was active: all outputs are off, and epoch has started. No batch is executed until OPEN; "
    "executed: last batch of the old epoch.",
    ("number", "u16"),
    ("epoch", "u8"),
    ("executed", "u8"),
    ("stamp", "u32"),
)
FLOOD = describe(
    0x99,
    "FLOOD",
    "An input changed too often, per_ms times a millisecond: its edges are ignored until it is quiet; then per_ms is 0 "
    "and its level is read again.",
    ("number", "u16"),
    ("channel", "u8"),
    ("per_ms", "u8"),
    ("stamp", "u32"),
)
ON = describe(
    0x9A,
    "ON",
    "A dangerous output went on at stamp. cause: CAUSE_ORDER, order part of batch by; CAUSE_REFLEX, the member of "
    "group by whose edge is part, level in bit 7; CAUSE_SEQUENCE, entry part of sequence by, in the order of delays.",
    ("number", "u16"),
    ("channel", "u8"),
    ("cause", "u8"),
    ("by", "u8"),
    ("part", "u8"),
    ("stamp", "u32"),
)

EVENTS = (EDGE, TIME, STARTED, DONE, REFUSED, LEASE, OVERFLOW, PANIC, FLOOD, ON)
FIRST_EVENT = EDGE.code
TO_BOARD = {kind.code: kind for kind in (GET_HELLO, OPEN, BATCH, EVENT_ACK, GET_TIME, ALL_OFF, GET_HEALTH, GET_OPENING)}
BLOCKS = (SAMPLES, COUNTS)
TO_HOST = {
    kind.code: kind for kind in (HELLO, OPENED, ACK, ALL_OFF_DONE, HEALTH, KEEPALIVE_ACK, OPENING, *BLOCKS, *EVENTS)
}

# A member that does nothing ends its group like any other, so NOTHING is also what cancels one.
ORDER_NOTHING = describe(0x00, "NOTHING", "Do nothing.")
ORDER_SET = describe(0x01, "SET", "Switch an output; level in bit 7 of channel.", ("channel", "u8"))
ORDER_PULSE = describe(0x02, "PULSE", "On for ticks.", ("channel", "u8"), ("ticks", "u32"))
ORDER_TRAIN = describe(
    0x03,
    "TRAIN",
    "count pulses of on_ticks, one every period_ticks.",
    ("channel", "u8"),
    ("on_ticks", "u32"),
    ("period_ticks", "u32"),
    ("count", "u16"),
)
ORDER_TONE = describe(0x04, "TONE", "Sound hz for ticks.", ("channel", "u8"), ("hz", "u16"), ("ticks", "u32"))
# Times in milliseconds: as ticks they would take 4 more of the 36 bytes that the orders of a frame have.
ORDER_RAMP = describe(
    0x05,
    "RAMP",
    "count tones from hz in steps of step_hz.",
    ("channel", "u8"),
    ("hz", "u16"),
    ("step_hz", "i16"),
    ("tone_ms", "u16"),
    ("period_ms", "u16"),
    ("count", "u16"),
)
ORDER_START = describe(0x06, "START", "Start a sequence now.", ("sequence", "u8"))
ORDER_START_AT = describe(
    0x07, "START_AT", "Start a sequence at stamp; refused when past.", ("sequence", "u8"), ("stamp", "u32")
)
ORDER_STOP = describe(0x08, "STOP", "Stop a sequence and what of it is on.", ("sequence", "u8"))
# Codes above STOP stand in no group and no sequence. The first sync code begins one bit after the stamp of its batch,
# so that its first edge is timed too.
ORDER_CODE = describe(
    0x09,
    "CODE",
    "Send a sync code every period_ms until the output is switched off: on for bit_ms, off for bit_ms, then the lowest "
    "bits of a word, the highest first. The word of code i is the MurmurHash3 finalizer of state + i * 0x9E3779B9.",
    ("channel", "u8"),
    ("state", "u32"),
    ("period_ms", "u16"),
    ("bit_ms", "u16"),
    ("bits", "u8"),
)
ORDER_LOAD = describe(
    0x0A,
    "LOAD",
    "Load a sequence: the entries that ENTRIES has brought, and count entries of (delay_ticks u32, order).",
    ("sequence", "u8"),
    ("count", "u8"),
)
# Each 32-bit value is a valid stamp, so `bounded` says whether `until` counts.
ORDER_ARM = describe(
    0x0B,
    "ARM",
    "Arm a group: the members that MEMBERS has brought, and count members of (channel u8 with the level in bit 7, "
    "order). bounded = 0: until is void.",
    ("group", "u8"),
    ("bounded", "u8"),
    ("until", "u32"),
    ("count", "u8"),
)
ORDER_DISARM = describe(0x0C, "DISARM", "Forget a group.", ("group", "u8"))
ORDER_INPUT = describe(
    0x0D,
    "INPUT",
    "Configure an input. flags: INVERTED. Its level follows as an EDGE that fires nothing, if it is on.",
    ("channel", "u8"),
    ("pin", "u8"),
    ("flags", "u8"),
    ("debounce_us", "u32"),
    ("confirm_on_us", "u32"),
    ("confirm_off_us", "u32"),
)
# 16 bits of milliseconds hold 65 s; a rig file allows at most 60 s.
ORDER_OUTPUT = describe(
    0x0E,
    "OUTPUT",
    "Configure an output, off. flags: INVERTED, DANGEROUS, EXCLUSIVE (no two such are on at once). "
    "max_on_ms bounds a dangerous one.",
    ("channel", "u8"),
    ("pin", "u8"),
    ("flags", "u8"),
    ("max_on_ms", "u16"),
)
MORE = 0x0F
"""The first byte of the orders of the second table: the codes of one byte are used up."""

ORDER_PANIC = describe(
    0x010F,
    "PANIC",
    "Configure the panic input; one that is active already panics at once. flags: INVERTED.",
    ("pin", "u8"),
    ("flags", "u8"),
)
# These two have no place in the batch: they are parts of the order that follows.
ORDER_MEMBERS = describe(
    0x020F, "MEMBERS", "Bring count members of a group ahead of its ARM.", ("group", "u8"), ("count", "u8")
)
ORDER_ENTRIES = describe(
    0x030F,
    "ENTRIES",
    "Bring count entries of a sequence ahead of its LOAD. The first ones stop and remove the sequence.",
    ("sequence", "u8"),
    ("count", "u8"),
)
# A board that samples nothing refuses these three as unknown.
ORDER_SAMPLE = describe(
    0x040F,
    "SAMPLE",
    "Sample an analog pin as a source, the first time at once; replaces the source and its thresholds.",
    ("source", "u8"),
    ("pin", "u8"),
    ("period_us", "u32"),
)
ORDER_COUNT = describe(
    0x050F,
    "COUNT",
    "Count the steps of an encoder as a source, from 0 on: each edge of either pin is one. pin_a ahead of pin_b counts "
    "up. Replaces the source and its thresholds.",
    ("source", "u8"),
    ("pin_a", "u8"),
    ("pin_b", "u8"),
    ("period_us", "u32"),
)
ORDER_THRESHOLD = describe(
    0x060F,
    "THRESHOLD",
    "Configure an input whose pin is virtual: high once a value of source is above or more, low once it is below or "
    "less. All else as in INPUT.",
    ("channel", "u8"),
    ("source", "u8"),
    ("below", "i32"),
    ("above", "i32"),
    ("flags", "u8"),
    ("debounce_us", "u32"),
    ("confirm_on_us", "u32"),
    ("confirm_off_us", "u32"),
)
CONTINUED = frozenset((ORDER_MEMBERS.code, ORDER_ENTRIES.code))
"""The codes of orders that bring a part of the order that follows."""

ORDERS = {
    kind.code: kind
    for kind in (
        ORDER_NOTHING,
        ORDER_SET,
        ORDER_PULSE,
        ORDER_TRAIN,
        ORDER_TONE,
        ORDER_RAMP,
        ORDER_START,
        ORDER_START_AT,
        ORDER_STOP,
        ORDER_CODE,
        ORDER_LOAD,
        ORDER_ARM,
        ORDER_DISARM,
        ORDER_INPUT,
        ORDER_OUTPUT,
        ORDER_PANIC,
        ORDER_MEMBERS,
        ORDER_ENTRIES,
        ORDER_SAMPLE,
        ORDER_COUNT,
        ORDER_THRESHOLD,
    )
}


Message: TypeAlias = tuple[Any, ...]
"""The code of a message and its fields."""


def unpack(payload: bytes, known: dict[int, Kind]) -> Message | None:
    """Read a message as ``(code, field, …)``; None when its code or its length is unknown.

    A BATCH is read as its head only: what follows it are orders. SAMPLES and COUNTS have a tuple of their values in
    place of ``count``.
    """
    kind = known.get(payload[0])
    if kind is None:
        return None
    if kind.values:
        return kind.unpack_values(payload)
    fields = kind.size
    # The length is a second check: one damaged frame in 65,536 passes a CRC of 16 bits.
    if len(payload) == fields.size:
        return fields.unpack(payload)
    return fields.unpack_from(payload) if kind is BATCH and len(payload) > fields.size else None


def unpack_other_hello(payload: bytes) -> Message | None:
    """Read only the version of a HELLO of another version, whatever its length; None when it is no such HELLO.

    All other fields are zeros, because they may have another meaning there.
    """
    # The version is the first byte after the code in every version: an older host must be able to name it.
    if payload[0] != HELLO.code or len(payload) < 2 or payload[1] == VERSION:
        return None
    return HELLO.size.unpack(payload[:2].ljust(HELLO.size.size, b"\0"))

"""Numbers of the wire that both sides must agree on."""

from __future__ import annotations

CONSTANTS: dict[str, int] = {
    # Bit 7 of a channel's byte is the level, so a board has at most 128 channels.
    "LEVEL": 0x80,
    # In the count of a BATCH: another frame of the same batch follows.
    "MORE_FRAMES": 0x80,
    # The most orders of a batch: on a Mega the parts of all causes fit one byte then.
    "MAX_ORDERS": 48,
    # As the part of a refused order: the whole batch.
    "WHOLE_BATCH": 0xFF,
    "INVERTED": 0x01,
    "DANGEROUS": 0x02,
    "EXCLUSIVE": 0x04,
    "DONE_FINISHED": 0,
    "DONE_STOPPED": 1,
    "DONE_LIMIT": 2,
    "CAUSE_ORDER": 0,
    "CAUSE_REFLEX": 1,
    "CAUSE_SEQUENCE": 2,
    # Reasons begin with 1: 0 means that the order was not refused.
    "REASON_NEWER_EDGE": 1,
    "REASON_BUSY": 2,
    "REASON_NO_ROOM": 3,
    "REASON_UNKNOWN": 4,
    "REASON_TOO_LONG": 5,
    "REASON_PAST": 6,
    "REASON_INTERLOCK": 7,
    # OVERFLOW counts effects up to this: the board keeps the number in four bits.
    "MAX_EFFECTS": 15,
    "OPENING_OPEN": 0x01,
    # Its exact length is not known.
    "OPENING_CUT": 0x02,
    "RESET_POWER": 0,
    "RESET_BUTTON": 1,
    "RESET_BROWN_OUT": 2,
    "RESET_WATCHDOG": 3,
}
"""Numbers that both sides must agree on."""

LEVEL, INVERTED, DANGEROUS, EXCLUSIVE, MORE_FRAMES, MAX_ORDERS = (
    CONSTANTS[name] for name in ("LEVEL", "INVERTED", "DANGEROUS", "EXCLUSIVE", "MORE_FRAMES", "MAX_ORDERS")
)


def words(prefix: str) -> dict[int, str]:
    """Return the constants of one family as words: ``words("REASON")[2] == "busy"``."""
    start = len(prefix) + 1
    return {value: name[start:].lower() for name, value in CONSTANTS.items() if name.startswith(prefix + "_")}

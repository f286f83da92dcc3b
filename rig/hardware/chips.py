"""The chips that the firmware is built for: their pins, and how much the firmware holds on each.

A board says the same of itself once it is open; this is what can be known of it before.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChipKind:
    """One kind of chip; pins 0 and 1 of either board are its serial port. A ramp or a train is one entry."""

    board: str
    pins: range
    channels: int
    reflexes: int
    entries: int
    events: int


CHIPS = {
    "uno": ChipKind("Arduino Uno", range(2, 20), channels=14, reflexes=16, entries=24, events=48),
    "mega": ChipKind("Arduino Mega", range(2, 70), channels=40, reflexes=32, entries=64, events=256),
}

"""Which level of a line a word or a number means."""

from __future__ import annotations

LEVELS = {
    **dict.fromkeys(("1", "1.0", "+1", "true", "t", "yes", "on", "high", "hi", "up", "rising", "rise"), 1),
    **dict.fromkeys(("0", "0.0", "-1", "-1.0", "false", "f", "no", "off", "low", "lo", "down", "falling", "fall"), 0),
}
WANTED_LEVELS = "wanted 1 or 0, on or off, true or false, high or low, rising or falling"


def level_of(text: str) -> int | None:
    """Return the level that a word means, None for a word that means none."""
    return LEVELS.get(text.strip().lower())

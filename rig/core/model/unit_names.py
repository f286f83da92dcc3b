"""The unit that the end of a name says: ``iti_s`` is in seconds."""

from __future__ import annotations

UNITS = {
    "us": "us",
    "ms": "ms",
    "s": "s",
    "min": "min",
    "hz": "Hz",
    "khz": "kHz",
    "ul": "ul",
    "ul_day": "ul/day",
    "ml": "ml",
    "mg": "mg",
    "g": "g",
    "mm": "mm",
    "cm": "cm",
    "px": "px",
    "deg": "degrees",
    "db": "dB",
    "pct": "%",
    "p": "probability",
}
"""What the last words of a name say of its unit."""

_FIRST = {"p": "probability", "q": "probability"}


def unit_of_name(name: str) -> str:
    """Return the unit that a name says; an empty text if it says none."""
    words = name.split("_")
    if len(words) > 2 and words[-2] == "per" and words[-1] in UNITS:
        return f"{UNITS.get(words[-3], '1')}/{UNITS[words[-1]]}"
    last = (UNITS.get("_".join(words[-count:])) for count in (2, 1) if len(words) > count)
    return next((unit for unit in last if unit), "") or _FIRST.get(words[0], "")

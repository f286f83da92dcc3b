"""Parse amounts on the command line: ``50ul``, ``3pellets``, ``2.5s``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rig.config.limits import Unit
from rig.core.errors import ConfigError

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ul|µl|μl|ml|pellets?|s)", re.IGNORECASE)
_UNITS: dict[str, tuple[Unit, float]] = {
    "ul": ("ul", 1),
    "µl": ("ul", 1),
    "μl": ("ul", 1),
    "ml": ("ul", 1000),
    "pellet": ("pellets", 1),
    "pellets": ("pellets", 1),
    "s": ("access_s", 1),
}
MOST = 1_000_000
"""A larger amount is a typing error."""


def read_amounts(option: str, words: Sequence[str]) -> dict[Unit, float]:
    """Parse amounts of different kinds. Raises ``ConfigError`` for an invalid one."""
    found: dict[Unit, float] = {}
    for word in words:
        match = _AMOUNT.fullmatch(word.strip())
        if match is None:
            raise ConfigError(f"{option} {word}: wanted an amount with its unit, such as 50ul, 3pellets or 2.5s")
        unit, factor = _UNITS[match[2].lower()]
        value = round(float(match[1]) * factor, 6)
        if unit in found:
            raise ConfigError(f"{option} {word}: there is an amount of {unit} already: give one of each kind")
        if value > MOST or (unit == "pellets" and value != int(value)):
            raise ConfigError(f"{option} {word}: wanted at most {MOST} {unit}{', whole ones' * (unit == 'pellets')}")
        found[unit] = value
    return found

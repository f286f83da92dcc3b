"""Parse amounts on the command line: ``50ul``, ``3pellets``, ``2.5s``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rig.cli.terminal.decimals import parse_decimal
from rig.config.limits import Unit
from rig.core.errors import ConfigError

_AMOUNT = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*(ul|µl|μl|ml|pellets?|s)", re.IGNORECASE)
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


ANY = "an amount with its unit, such as 50ul, 3pellets or 2.5s"


def read_amounts(option: str, words: Sequence[str], wanted: str = ANY) -> dict[Unit, float]:
    """Parse amounts of different kinds; ``wanted`` is said of an invalid one. Raises ``ConfigError``."""
    found: dict[Unit, float] = {}
    for word in words:
        match = _AMOUNT.fullmatch(word.strip())
        if match is None and word.strip().startswith("-"):
            raise ConfigError(
                f"{option} {word}: wanted an amount above 0; `rig subject undo NAME` takes the last entry back"
            )
        if match is None:
            raise ConfigError(f"{option} {word}: wanted {wanted}")
        unit, factor = _UNITS[match[2].lower()]
        try:
            value = round(parse_decimal(match[1]) * factor, 6)
        except ValueError as error:
            raise ConfigError(f"{option} {word}: {error}") from None
        if unit in found:
            raise ConfigError(f"{option} {word}: there is an amount of {unit} already: give one of each kind")
        if value > MOST or (unit == "pellets" and value != int(value)):
            raise ConfigError(f"{option} {word}: wanted at most {MOST} {unit}{', whole ones' * (unit == 'pellets')}")
        found[unit] = value
    return found

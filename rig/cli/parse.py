"""Parse what a person types on a line: amounts, decimal numbers, times, and files to write."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from pathlib import Path

from rig.config.limits import Unit
from rig.core.errors import ConfigError

_THOUSANDS = re.compile(r"[0-9]{1,3},[0-9]{3}")


def parse_decimal(text: str) -> float:
    """Parse a number. Raises ``ValueError`` for one that can be read in two ways, such as ``1,200``."""
    if _THOUSANDS.fullmatch(text):
        whole, _, rest = text.partition(",")
        raise ValueError(f"can be read as {whole}{rest} or as {whole}.{rest}: wanted it without a comma")
    return float(text.replace(",", "."))


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
MOST_AMOUNT = 1_000_000
"""A larger amount is a typing error."""


ANY_AMOUNT = "an amount with its unit, such as 50ul, 3pellets or 2.5s"


def read_amounts(option: str, words: Sequence[str], wanted: str = ANY_AMOUNT) -> dict[Unit, float]:
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
        if value > MOST_AMOUNT or (unit == "pellets" and value != int(value)):
            whole = ", whole ones" if unit == "pellets" else ""
            raise ConfigError(f"{option} {word}: wanted at most {MOST_AMOUNT} {unit}{whole}")
        found[unit] = value
    return found


FORMS = '"18:30", "yesterday 18:30" or "2026-11-28 18:30"'
_DAYS = {"": 0, "today": 0, "yesterday": 1}
_RELATIVE = re.compile(r"(?:(today|yesterday)\s+)?(\d{1,2}):(\d\d)", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?")


def parse_at(text: str, now: datetime.datetime) -> datetime.datetime:
    """Return the local time that ``--at`` names. Raises ``ConfigError``."""
    text = text.strip()
    try:
        moment = _local(text) if _ISO.fullmatch(text) else _relative(text, now)
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        raise ConfigError(f"--at {text}: is no time: wanted {FORMS}")
    if moment.timestamp() > now.timestamp():
        raise ConfigError(f"--at {text}: lies in the future: now is {now:%Y-%m-%d %H:%M}; wanted {FORMS}")
    if datetime.datetime.fromtimestamp(moment.timestamp()) != moment:
        raise ConfigError(f"--at {text}: there was no such time: the clocks were set forward")
    return moment


def names_its_day(text: str) -> bool:
    """Whether ``--at`` names its day itself, so that it does not depend on this computer's clock."""
    return _ISO.fullmatch(text.strip()) is not None


def _local(text: str) -> datetime.datetime:
    moment = datetime.datetime.fromisoformat(text)
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)


def _relative(text: str, now: datetime.datetime) -> datetime.datetime | None:
    found = _RELATIVE.fullmatch(text)
    if found is None:
        return None
    day = now.date() - datetime.timedelta(days=_DAYS[(found[1] or "").lower()])
    return datetime.datetime.combine(day, datetime.time(int(found[2]), int(found[3])))


def check_html_file(path: str) -> None:
    """Check that a page may be written there. Raises ``ConfigError``."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        # A name that was completed one word too far must not replace a journal.
        raise ConfigError(f"--to {path}: a report is an HTML file: wanted a name that ends in .html")
    if not Path(path).absolute().parent.is_dir():
        raise ConfigError(f"--to {path}: there is no folder {Path(path).parent}")

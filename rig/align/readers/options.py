"""What a person says about the file of another system: where its times and levels are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from rig.align.readers.format_names import UNITS
from rig.core.errors import ConfigError

INSTALL = "pip install 'behavior-rig[nwb]'"


@dataclass(frozen=True)
class ReadOptions:
    """What the options of the command say; None where they say nothing.

    ``time``, ``level`` and ``number`` name columns, ``where`` is a column and its value. ``line`` is the number of a
    digital input, ``stream`` the name of its data stream, ``series`` that of an object in an NWB file. ``wrap_s`` is
    the time after which the clock begins again at 0.
    """

    time: str | None = None
    level: str | None = None
    number: str | None = None
    where: tuple[str, str] | None = None
    unit: str | None = None
    rate_hz: float | None = None
    line: int | None = None
    stream: str | None = None
    series: str | None = None
    wrap_s: float | None = None

    def second(self, default: str = "s") -> float:
        """Return how many seconds one unit of the times has. Raises ``ConfigError`` for samples without a rate."""
        unit = self.unit or default
        if unit in UNITS:
            return UNITS[unit]
        if self.rate_hz is None:
            raise ConfigError("--unit samples: needs the rate of the samples: --rate HZ")
        return 1 / self.rate_hz

    def resolution_s(self) -> float:
        """Return the period of the sampling, 0 if it is not known."""
        return 0.0 if self.rate_hz is None else 1 / self.rate_hz


def load_library(name: str, path: Path) -> ModuleType:
    """Load a library of the extra. Raises ``ConfigError`` that says what to install."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ConfigError(f"{path}: needs {package}, which is not installed: {INSTALL}") from error


def chosen(path: Path, option: str, wanted: str | None, names: list[str]) -> str:
    """Return the name that an option chooses, or the only one. Raises ``ConfigError`` with the names there are."""
    listed = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    if wanted is None:
        if len(names) == 1:
            return names[0]
        raise ConfigError(
            f"{path}: which one? {option} one of: {listed}" if names else f"{path}: has none for {option}"
        )
    if wanted not in names:
        raise ConfigError(f"{path}: has no {wanted!r:.60}; {option} one of: {listed or 'nothing'}")
    return wanted

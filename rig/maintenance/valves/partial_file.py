"""The bursts that were weighed so far, in a file: a calibration that was stopped goes on from it.

The first line says what is measured, each further line is one weighed burst. A line is on the disk before the next
burst is given. A last line without its end was being written at a power cut; it is cut off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rig.core.errors import ConfigError, RecordError
from rig.maintenance.valves.curve import Weighing
from rig.maintenance.valves.schedule import Burst
from rig.system.atomic_files import append_atomic, os_error_text, read_errors

RESTART = "--restart starts again, and keeps this file under another name"


class PartialFile:
    """The weighings of one valve; ``plan`` is what is measured: date, rig, water and bursts."""

    def __init__(self, path: Path, plan: Mapping[str, Any]) -> None:
        self.path = path
        self._plan = dict(plan)
        self.weighings: list[Weighing] = []
        """The bursts that were weighed, in their order."""

    def open(self) -> None:
        """Start the file, or read what it holds.

        Raises ``ConfigError`` when it holds something else than is to be measured now.
        """
        lines = self._lines()
        if not lines:
            self._append({"k": "plan", **self._plan})
            return
        plan = {key: value for key, value in lines[0].items() if key != "k"}
        if plan != self._plan:
            other = [key for key in sorted({*plan, *self._plan}) if plan.get(key) != self._plan.get(key)]
            raise ConfigError(f"{self.path}: was begun with another {', '.join(other)}: {RESTART}")
        try:
            self.weighings = [Weighing(one["open_us"], one["pulses"], float(one["mg"])) for one in lines[1:]]
        except (KeyError, TypeError, ValueError):
            raise ConfigError(f"{self.path}: holds a line that is no weighing: {RESTART}") from None

    def add(self, burst: Burst, mg: float) -> None:
        """Add a weighed burst. Raises ``RecordError``."""
        self._append({"k": "burst", "open_us": burst.open_us, "pulses": burst.pulses, "mg": mg})
        self.weighings.append(Weighing(burst.open_us, burst.pulses, mg))

    def set_aside(self, word: str) -> Path | None:
        """Move the file to a name with a word and a number in it, so that nothing is lost; return the new path."""
        if not self.path.exists():
            return None
        numbers = range(1, 10_000)
        names = (self.path.with_name(self.path.name.replace(".partial.", f".{word}.{number}.")) for number in numbers)
        aside = next(name for name in names if not name.exists())
        with read_errors(self.path):
            os.replace(self.path, aside)
        return aside

    def _lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        with read_errors(self.path):
            raw = self.path.read_bytes()
            whole = raw[: raw.rfind(b"\n") + 1]
            if whole != raw:
                os.truncate(self.path, len(whole))
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
        except ValueError:
            lines = [None]
        if not all(isinstance(line, dict) for line in lines):
            raise ConfigError(f"{self.path}: holds a line that is no JSON object: {RESTART}")
        return lines

    def _append(self, fields: Mapping[str, Any]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            append_atomic(self.path, json.dumps(fields).encode() + b"\n", synced=True)
        except OSError as error:
            raise RecordError(f"{self.path}: cannot be written: {os_error_text(error)}") from error

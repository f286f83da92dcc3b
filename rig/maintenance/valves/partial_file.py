"""The bursts that were weighed so far, in a file: a calibration that was stopped goes on from it.

The first line says what is measured. Each further line is a weighed burst, or takes the weight of one back. A line is
on the disk before the next burst is given. A last line without its end was being written at a power cut; it is cut off.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from rig.core.errors import ConfigError, RecordError
from rig.maintenance.valves.bursts import Burst
from rig.maintenance.valves.curve import Weighing
from rig.platform.files import move_path
from rig.system.atomic_files import append_atomic, os_error_text, read_errors

RESTART = "--restart starts again, and keeps this file under another name"


class PartialFile:
    """The weighings of one valve; ``plan`` is what is measured: date, rig, water and ``bursts``.

    ``with PartialFile(…) as partial:`` locks it: two programs would mix their bursts.
    """

    def __init__(self, path: Path, plan: Mapping[str, Any]) -> None:
        self.path = path
        self._plan = dict(plan)
        self._weighed: dict[int, Weighing] = {}
        self._has_plan = False
        self._lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)

    @property
    def numbers(self) -> list[int]:
        """Return the numbers of the bursts that were weighed, in the order of weighing; the first is 0."""
        return list(self._weighed)

    @property
    def weighings(self) -> list[Weighing]:
        """Return the bursts that were weighed, in the order of the plan."""
        return [self._weighed[number] for number in sorted(self._weighed)]

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            raise ConfigError(f"{self.path}: another program measures this valve: wait for its end") from None
        except OSError as error:
            raise RecordError(f"{self.path.parent}: cannot be written: {os_error_text(error)}") from error
        return self

    def __exit__(self, *exc: object) -> None:
        self._lock.release()

    def open(self) -> None:
        """Read what the file holds; it begins with the first burst that is weighed.

        Raises ``ConfigError`` when it holds something else than is to be measured now.
        """
        lines = self._lines()
        self._has_plan = bool(lines)
        if not lines:
            return
        plan = {key: value for key, value in lines[0].items() if key != "k"}
        if plan != self._plan:
            other = [key for key in sorted({*plan, *self._plan}) if plan.get(key) != self._plan.get(key)]
            raise ConfigError(f"{self.path}: was begun with another {', '.join(other)}: {RESTART}")
        for line in lines[1:]:
            self._take(line)

    def _take(self, line: Mapping[str, object]) -> None:
        """Add what a line says. Raises ``ConfigError`` when it does not fit to what was weighed before it."""
        number, kind = line.get("number"), line.get("k")
        if type(number) is not int or number not in range(len(self._plan["bursts"])):
            raise ConfigError(f"{self.path}: holds a line that is no weighing of its bursts: {RESTART}")
        if kind == "undo":
            self._weighed.pop(number, None)
        else:
            self._weighed[number] = self._weighing(line, self._plan["bursts"][number])

    def _weighing(self, line: Mapping[str, object], burst: Sequence[int]) -> Weighing:
        """Return the weighing of a line, which is that of a burst. Raises ``ConfigError``."""
        open_us, pulses = burst
        mg = line.get("mg")
        if (line.get("open_us"), line.get("pulses")) != (open_us, pulses) or not isinstance(mg, int | float):
            raise ConfigError(f"{self.path}: holds a line that is no weighing of its bursts: {RESTART}")
        if line["number"] in self._weighed or not (mg > 0 and math.isfinite(mg)):
            raise ConfigError(f"{self.path}: holds {mg} mg, which is no weight of a new burst: {RESTART}")
        return Weighing(open_us, pulses, float(mg))

    def add(self, number: int, burst: Burst, mg: float) -> None:
        """Add a weighed burst by its number. Raises ``RecordError``."""
        if not self._has_plan:
            self._append({"k": "plan", **self._plan})
            self._has_plan = True
        self._append({"k": "burst", "number": number, "open_us": burst.open_us, "pulses": burst.pulses, "mg": mg})
        self._weighed[number] = Weighing(burst.open_us, burst.pulses, mg)

    def undo(self, number: int) -> None:
        """Remove the weight of a burst. Raises ``RecordError``."""
        self._append({"k": "undo", "number": number})
        del self._weighed[number]

    def set_aside(self, word: str) -> Path | None:
        """Move the file to a name with a word and a number in it, so that nothing is lost; return the new path."""
        if not self.path.exists():
            return None
        numbers = range(1, 10_000)
        names = (self.path.with_name(self.path.name.replace(".partial.", f".{word}.{number}.")) for number in numbers)
        aside = next(name for name in names if not name.exists())
        with read_errors(self.path):
            move_path(self.path, aside)
        return aside

    def _lines(self) -> list[dict[str, object]]:
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

    def _append(self, fields: Mapping[str, object]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            append_atomic(self.path, json.dumps(fields).encode() + b"\n", synced=True)
        except OSError as error:
            raise RecordError(f"{self.path}: cannot be written: {os_error_text(error)}") from error

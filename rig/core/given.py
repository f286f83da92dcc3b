"""What a journal shows to have left the valves, whether or not a row was written about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_ARM = re.compile(r"arm (\d+)(?: until -?\d+)?: (.*)")
_MEMBER = re.compile(r"(\S+)([+-]) .*\(([\d.e+-]+) ul\)$")
_DROP = re.compile(r"pulse (\S+) \d+ \(([\d.e+-]+) ul\)$")

Batches = dict[int, dict[int, float]]
"""The drops of batches: number of the batch -> place of the order -> volume."""


class Given:
    """Follows a journal line by line: those drops that a reflex paid, and those whose order was executed."""

    def __init__(self) -> None:
        self._armed: dict[int, dict[tuple[str, int], float]] = {}
        self._ordered: Batches = {}
        self._era = 0

    def take(self, line: Mapping[str, Any]) -> list[float]:
        """Take the next line; return the volumes of the drops that it shows to have fallen."""
        kind = line["k"]
        if kind == "edge":
            paid = self._armed.get(line["fired"], {}).get((line["channel"], line["level"])) if line["fired"] else None
            return [] if paid is None else [paid]
        if kind == "command" and line["era"] == self._era:
            found = {place: self._take_order(order) for place, order in enumerate(line["orders"])}
            self._ordered[line["n"]] = {place: ul for place, ul in found.items() if ul is not None}
        elif kind == "done" and "batch" in line:
            return list(self._ordered.pop(line["batch"], {}).values())
        elif kind == "time":
            return self._executed(line["executed"])
        elif kind == "fault":
            return self._fault(line)
        return []

    def _fault(self, line: Mapping[str, Any]) -> list[float]:
        if line["what"] == "refused":
            self._ordered.get(line["batch"], {}).pop(line["order"], None)
        if line["what"] != "lease_expired":
            return []
        fallen = self._executed(line["executed"])
        self._era += 1
        self._ordered.clear()
        return fallen

    def _executed(self, executed: int) -> list[float]:
        done = sorted(number for number in self._ordered if number <= executed)
        return [ul for number in done for ul in self._ordered.pop(number).values()]

    def _take_order(self, order: str) -> float | None:
        arm = _ARM.match(order)
        if arm is not None:
            members = [_MEMBER.match(member) for member in arm[2].split("; ")]
            self._armed[int(arm[1])] = {(found[1], int(found[2] == "+")): float(found[3]) for found in members if found}
            return None
        drop = _DROP.match(order)
        return None if drop is None else float(drop[2])


def drops(lines: Iterable[Mapping[str, Any]]) -> Iterator[float]:
    """Give the volume of every drop that a journal shows to have fallen, in the order of its lines."""
    given = Given()
    return (ul for line in lines for ul in given.take(line))

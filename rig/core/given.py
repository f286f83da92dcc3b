"""What a journal shows to have left valves and feeders, whether or not a row was written about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rig.core.actions import Amount

_GIVES = r"\(([\d.e+-]+) (ul|pellets?|s)\)"
_ARM = re.compile(r"arm (\d+)(?: until -?\d+)?: (.*)")
_LOAD = re.compile(r"load (\d+): (.*)")
_MEMBER = re.compile(rf"(\S+)([+-]) .*{_GIVES}$")
_ENTRY = re.compile(rf"\+0 .*{_GIVES}$")
_GIFT = re.compile(rf"(?:pulse|train) .*{_GIVES}$")

Batches = dict[int, dict[int, Amount]]
"""The gifts of batches: number of the batch -> place of the order -> how much."""


class Given:
    """Follows a journal line by line: what reflexes and sequences paid, and what was ordered and executed."""

    def __init__(self) -> None:
        self._armed: dict[int, dict[tuple[str, int], Amount]] = {}
        self._loaded: dict[int, list[Amount]] = {}
        self._ordered: Batches = {}
        self._era = 0

    def take(self, line: Mapping[str, Any]) -> list[Amount]:
        """Take the next line; return the gifts that it shows to have been given."""
        kind = line["k"]
        if kind == "edge":
            paid = self._armed.get(line["fired"], {}).get((line["channel"], line["level"])) if line["fired"] else None
            return [] if paid is None else [paid]
        if kind == "started":
            return self._loaded.get(line["sequence"], [])
        if kind == "command" and line["era"] == self._era:
            found = {place: self._take_order(order) for place, order in enumerate(line["orders"])}
            self._ordered[line["n"]] = {place: gift for place, gift in found.items() if gift is not None}
        elif kind == "done" and "batch" in line:
            return list(self._ordered.pop(line["batch"], {}).values())
        elif kind == "time":
            return self._executed(line["executed"])
        elif kind == "fault":
            return self._fault(line)
        return []

    def _fault(self, line: Mapping[str, Any]) -> list[Amount]:
        if line["what"] == "refused":
            self._ordered.get(line["batch"], {}).pop(line["order"], None)
        if line["what"] != "lease_expired":
            return []
        fallen = self._executed(line["executed"])
        self._era += 1
        self._ordered.clear()
        return fallen

    def _executed(self, executed: int) -> list[Amount]:
        done = sorted(number for number in self._ordered if number <= executed)
        return [gift for number in done for gift in self._ordered.pop(number).values()]

    def _take_order(self, order: str) -> Amount | None:
        arm = _ARM.match(order)
        if arm is not None:
            members = [_MEMBER.match(member) for member in arm[2].split("; ")]
            self._armed[int(arm[1])] = {(found[1], int(found[2] == "+")): _amount(found) for found in members if found}
            return None
        load = _LOAD.match(order)
        if load is not None:
            entries = [_ENTRY.match(entry) for entry in load[2].split("; ")]
            self._loaded[int(load[1])] = [_amount(found) for found in entries if found]
            return None
        gift = _GIFT.match(order)
        return None if gift is None else _amount(gift)


def _amount(found: re.Match[str]) -> Amount:
    """Read how much is given: what stands last in an order."""
    *_, number, unit = found.groups()
    if unit == "s":
        return Amount(access_s=float(number))
    return Amount(pellets=int(number)) if unit != "ul" else Amount(float(number))


def gifts(lines: Iterable[Mapping[str, Any]]) -> Iterator[Amount]:
    """Give every gift that a journal shows to have been given, in the order of its lines."""
    given = Given()
    return (gift for line in lines for gift in given.take(line))

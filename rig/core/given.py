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


def drops(lines: Iterable[Mapping[str, Any]]) -> Iterator[float]:
    """Give the volume of every drop: those that a reflex paid, and those whose order was executed."""
    armed: dict[int, dict[tuple[str, int], float]] = {}
    ordered: Batches = {}
    era = 0
    for line in lines:
        kind = line["k"]
        if kind == "command" and line["era"] == era:
            found = {place: _take_order(order, armed) for place, order in enumerate(line["orders"])}
            ordered[line["n"]] = {place: ul for place, ul in found.items() if ul is not None}
        elif kind == "edge" and line["fired"]:
            paid = armed.get(line["fired"], {}).get((line["channel"], line["level"]))
            if paid is not None:
                yield paid
        elif kind == "done" and "batch" in line:
            yield from ordered.pop(line["batch"], {}).values()
        elif kind == "time":
            yield from _executed(ordered, line["executed"])
        elif kind == "fault" and line["what"] == "refused":
            ordered.get(line["batch"], {}).pop(line["order"], None)
        elif kind == "fault" and line["what"] == "lease_expired":
            yield from _executed(ordered, line["executed"])
            era += 1
            ordered.clear()


def _executed(ordered: Batches, executed: int) -> list[float]:
    return [ul for number in sorted(ordered) if number <= executed for ul in ordered.pop(number).values()]


def _take_order(order: str, armed: dict[int, dict[tuple[str, int], float]]) -> float | None:
    arm = _ARM.match(order)
    if arm is not None:
        members = [_MEMBER.match(member) for member in arm[2].split("; ")]
        armed[int(arm[1])] = {(found[1], int(found[2] == "+")): float(found[3]) for found in members if found}
        return None
    drop = _DROP.match(order)
    return None if drop is None else float(drop[2])

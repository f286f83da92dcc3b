"""What a journal shows to have left the valves, whether or not a row was written about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rig.records.read import Line

_ARM = re.compile(r"arm (\d+)(?: until -?\d+)?: (.*)")
_MEMBER = re.compile(r"(\S+)([+-]) .*\(([\d.e+-]+) ul\)$")
_DROP = re.compile(r"pulse (\S+) \d+ \(([\d.e+-]+) ul\)$")


def drops(lines: Sequence[Line]) -> Iterator[float]:
    """Give the volume of every drop: those that a reflex paid, and those whose order was executed."""
    armed: dict[int, dict[tuple[str, int], float]] = {}
    ordered: dict[tuple[int, int], list[float]] = {}
    era = 0
    for line in lines:
        kind = line["k"]
        if kind == "command":
            for order in line["orders"]:
                _take_order(order, armed, ordered.setdefault((line["era"], line["n"]), []))
        elif kind == "edge" and line["fired"]:
            paid = armed.get(line["fired"], {}).get((line["channel"], line["level"]))
            if paid is not None:
                yield paid
        elif kind == "done" and "batch" in line:
            yield from ordered.pop((era, line["batch"]), [])
        elif kind == "fault" and line["what"] == "lease_expired":
            era += 1


def _take_order(order: str, armed: dict[int, dict[tuple[str, int], float]], ordered: list[float]) -> None:
    arm = _ARM.match(order)
    if arm is not None:
        members = [_MEMBER.match(member) for member in arm[2].split("; ")]
        armed[int(arm[1])] = {(found[1], int(found[2] == "+")): float(found[3]) for found in members if found}
        return
    drop = _DROP.match(order)
    if drop is not None:
        ordered.append(float(drop[2]))

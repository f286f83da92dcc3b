"""A session in a few numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from rig.core.units import to_s

Row = Mapping[str, Any]


def summarise(header: Mapping[str, Any], footer: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    """Sum up a session from its header, its footer and its rows; no facts of the machine."""
    return {
        "subject": header.get("subject"),
        "protocol": header["protocol"],
        "start": header.get("start"),
        "model": header.get("model"),
        "seed": header["seed"],
        "reason": footer["reason"],
        "detail": footer["detail"],
        "duration_s": to_s(footer["t"]),
        "trials": len(rows),
        "outcomes": dict(Counter(str(row["outcome"]) for row in rows if "outcome" in row)),
        "rewards": footer["rewards"],
        "ul": footer["ul"],
        "unconfirmed": footer["unconfirmed"],
        **choices(rows),
    }


def choices(rows: Sequence[Row]) -> dict[str, float]:
    """Rate the choices, where the table has any: completed trials only, switches between neighbours."""
    done = [row for row in rows if row.get("choice") and row.get("outcome") in ("rewarded", "unrewarded")]
    if not done or "high_side" not in done[0]:
        return {}
    switches = [a["choice"] != b["choice"] for a, b in pairwise(done)]
    return {
        "completed": len(done),
        "reward_rate": _mean([row["outcome"] == "rewarded" for row in done]),
        "p_high": _mean([row["choice"] == row["high_side"] for row in done]),
        "p_switch": _mean(switches),
        "left_fraction": _mean([row["choice"] == "left" for row in done]),
    }


def _mean(values: Sequence[bool]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0

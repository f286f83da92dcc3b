"""The rows of a table: what must be, what was got, and whether that is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rig.diagnostics.latencies import Latencies

QUANTILES = {"median": 0.5, "p99": 0.99, "p99.9": 0.999, "max": 1.0}


@dataclass(frozen=True)
class Row:
    """One line; ``met`` is None when it was not measured, and ``got`` says why."""

    what: str
    must: str
    got: str
    met: bool | None
    n: int = 1
    spread: Latencies | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether it is met."""
        return "" if self.met is None else "met" if self.met else "NOT MET"

    def to_dict(self) -> dict[str, object]:
        """Return the row as plain data."""
        document: dict[str, object] = {
            "what": self.what,
            "must": self.must,
            "got": self.got,
            "met": self.met,
            "n": self.n,
            "note": self.note,
        }
        if self.spread is not None:
            document |= self.spread.summary() | {"histogram": [list(bar) for bar in self.spread.histogram()]}
        return document


def times(what: str, spread: Latencies, bounds: Mapping[str, float], *, missing: int = 0, note: str = "") -> Row:
    """Return a row that compares quantiles of times with bounds; with ``missing`` events it does not meet them."""
    must = ", ".join(f"{name} <= {bound:g}" for name, bound in bounds.items()) + " us"
    got = ", ".join(f"{name} {spread.quantile(part):.1f}" for name, part in QUANTILES.items()) + " us"
    met = not missing and all(spread.quantile(QUANTILES[name]) <= bound for name, bound in bounds.items())
    if missing:
        note = f"{missing} never came" + (f"; {note}" if note else "")
    return Row(what, must, got, met, spread.n, spread, note)


def figure(
    what: str,
    value: float,
    unit: str,
    *,
    at_most: float | None = None,
    at_least: float | None = None,
    n: int = 1,
    note: str = "",
) -> Row:
    """Return a row that compares one number with bounds."""
    met = (at_most is None or value <= at_most) and (at_least is None or value >= at_least)
    bounds = (("<=", at_most), (">=", at_least))
    must = ", ".join(f"{sign} {bound:g}" for sign, bound in bounds if bound is not None)
    return Row(what, f"{must} {unit}", f"{value:.5g} {unit}", met, n, None, note)


def unmeasured(what: str, why: str) -> Row:
    """Return a row of a quantity that was not measured, with the reason."""
    return Row(what, "", f"not measured: {why}", None, 0)

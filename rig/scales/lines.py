"""Parse a line that a scale sends: Ohaus, Mettler Toledo (MT-SICS), A&D and Sartorius.

| maker | stable | not stable | no weight |
|---|---|---|---|
| Mettler Toledo (MT-SICS) | ``S S     100.00 g`` | ``S D     100.00 g`` | ``S I``, ``S +``, ``S -`` |
| A&D, standard format | ``ST,+00123.45  g`` | ``US,+00123.45  g`` | ``OL,+9999999E+19`` |
| Sartorius, 16 or 22 characters | ``N     +  123.45 g`` | the same without a unit | ``High``, ``Low``, ``Err 54`` |
| Ohaus | ``    123.45 g`` | ``    123.45 g ?`` | ``Err 8.3`` |

A last digit in brackets, as verified scales print it, is read as any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MG = {"mg": 1.0, "g": 1000.0, "kg": 1_000_000.0}
# A code before the weight: MT-SICS "S S", A&D "ST,", Sartorius "N", each with its meaning.
_CODE = r"(?:(?P<sics>S[IX]?\s+[SD])\s+|(?P<and>ST|US)\s*,(?:(?:GS|NT|TR)\s*,)?\s*|(?P<kind>[GNT]|Net|Gross)\s+)?"
_NUMBER = r"(?P<sign>[+-]?)\s*(?P<number>\d{1,12}(?:[.,]\d{0,6}(?:\[\d\])?)?|\d{1,12}\[\d\])"
_END = r"\s*(?P<unit>[A-Za-z]+)?\s*(?P<doubt>\?)?\s*(?:[GNT]|NET|Net|GR|B/G)?"
_WEIGHT = re.compile(_CODE + _NUMBER + _END)
_PROBLEMS = (
    (re.compile(r"(S[IX]?\s+\+|OL\b.*|\+?\s*High|H+|.*overload.*)", re.IGNORECASE), "too much is on the pan"),
    (
        re.compile(r"(S[IX]?\s+-|-OL\b.*|UL\b.*|-?\s*Low|L+|.*underload.*)", re.IGNORECASE),
        "the pan is lifted or missing",
    ),
    (re.compile(r"(Err?\.?\s*[\d.]+.*)", re.IGNORECASE), "the scale reports an error"),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A weight in mg as the scale reported it; ``step_mg`` is the value of its last digit."""

    mg: float
    stable: bool
    step_mg: float


@dataclass(frozen=True, slots=True)
class NoReading:
    """A line that reports why there is no weight."""

    problem: str


def parse_line(line: str) -> Reading | NoReading | None:
    """Parse a line of a scale; return None for a line that is no report of a weight, such as one that was cut."""
    text = line.strip("\0\x02\x03 \t\r\n")
    for pattern, problem in _PROBLEMS:
        if pattern.fullmatch(text):
            return NoReading(f"{problem} ('{text[:40]}')")
    match = _WEIGHT.fullmatch(text)
    return None if match is None else _reading(match)


def _reading(match: re.Match[str]) -> Reading | NoReading:
    number = re.sub(r"[\[\]]", "", match["number"]).replace(",", ".")
    unit = match["unit"]
    if unit is None:
        # Sartorius leaves the unit out while the weight changes; the value is then of no use.
        return Reading(0.0, False, 0.0)
    if unit not in _MG:
        return NoReading(f"the scale shows {unit}: set it to g or mg")
    factor = _MG[unit]
    value = float(f"{match['sign']}{number}") * factor
    decimals = len(number.partition(".")[2])
    stable = match["doubt"] is None and match["and"] != "US" and not (match["sics"] or "").endswith("D")
    return Reading(value, stable, factor / 10**decimals)

"""Numbers of a study as texts, for its page and for the terminal."""

from __future__ import annotations

import math

from rig.config.models.study_file import ExpectedFigure
from rig.studies.analysis_jobs import Estimate
from rig.studies.results import FigureResult, Verdict
from rig.terminal.format import with_unit

_MOST_DIGITS = 6

VERDICTS: dict[Verdict, str] = {
    "within": "within tolerance",
    "explained": "outside, explained",
    "off": "OUTSIDE",
    "unknown": "NO NUMBER",
}


def obtained_text(found: Estimate) -> str:
    """Return a number with its error: as many digits as two digits of the error have."""
    if math.isnan(found.value):
        return "-"
    form = _format(found.error if found.error > 0 else abs(found.value) / 100)
    value = format(found.value, form)
    if not math.isfinite(found.error):
        return value
    return f"{value} ± {format(found.error, form)}" if found.error else f"{value} ± 0"


def _format(step: float) -> str:
    """Return the format of a number that shows two digits of a step."""
    if not math.isfinite(step) or step <= 0:
        return "g"
    digits = max(0, 1 - math.floor(math.log10(step)))
    return f".{digits}f" if digits <= _MOST_DIGITS else ".1e"


def expected_text(figure: ExpectedFigure) -> str:
    """Return what a number should be."""
    if figure.expected is not None:
        return f"{figure.expected:g} ± {figure.tolerance:g}"
    if figure.at_most is None:
        return f"≥ {figure.at_least:g}"
    return f"≤ {figure.at_most:g}" if figure.at_least is None else f"{figure.at_least:g} to {figure.at_most:g}"


def named(figure: ExpectedFigure) -> str:
    """Return the name of a number with its unit."""
    return with_unit(figure.name, figure.unit)


def summary(results: tuple[FigureResult, ...]) -> str:
    """Return how many numbers are what they should be, in a sentence."""
    counts = {verdict: sum(result.verdict == verdict for result in results) for verdict in VERDICTS}
    parts = [f"{counts['within']} of {len(results)} numbers are within tolerance"]
    parts += [f"{counts['explained']} outside with an explanation"] if counts["explained"] else []
    parts += [f"{counts['off']} outside"] if counts["off"] else []
    parts += [f"{counts['unknown']} without a number"] if counts["unknown"] else []
    return ", ".join(parts) + "."

"""Printed tables of a power analysis."""

from __future__ import annotations

from collections.abc import Iterator

from rig.analysis.common.tables import Table, number, spread
from rig.studies.power.result import TARGETS, Design, PowerResult, Rate, Smallest
from rig.terminal.format import with_unit

NOT_SIMULATED = "-"


def tables(result: PowerResult) -> Iterator[Table]:
    """Yield the compared values, the designs, and the smallest designs."""
    yield Table.of(compared_title(result), compared_header(result), compared_rows(result))
    yield Table.of(designs_title(result), designs_header(result), designs_rows(result))
    yield Table.of(smallest_title(result), smallest_header(), smallest_rows(result))


def named(result: PowerResult) -> str:
    """Return the name of the statistic with its unit."""
    return with_unit(result.statistic, result.unit)


def per_group(result: PowerResult) -> str:
    """Return what the numbers of subjects count."""
    return "subjects in each group" if result.design == "between" else "subjects"


def test_text(result: PowerResult) -> str:
    """Return the test in words."""
    name = "permutation test" if result.test == "permutation" else "mixed model"
    return f"{name} between two groups" if result.design == "between" else f"{name} within subjects"


def designs_title(result: PowerResult) -> str:
    """Return the title of the table of designs."""
    return f"{test_text(result)}, level {result.alpha:g}; {result.experiments} experiments for each design"


def smallest_title(result: PowerResult) -> str:
    """Return the title of the table of the smallest designs."""
    return f"fewest {per_group(result)} of those asked"


def compared_title(result: PowerResult) -> str:
    """Return the title of the compared values."""
    return f"{named(result)} of simulated subjects, mean ± SD over subjects"


def compared_header(result: PowerResult) -> tuple[str, ...]:
    """Return the header of the compared values."""
    left_out = ("left out",) if _left_out(result) else ()
    return ("sessions", result.baseline, result.effect, "difference", "in SD", "subjects", *left_out)


def compared_rows(result: PowerResult) -> Iterator[tuple[str, ...]]:
    """Yield mean ± SD of the subjects of both arms, and their difference, for each number of sessions."""
    for effect in result.effects:
        first, second = (each for each in result.compared if each.sessions == effect.sessions)
        yield (
            str(effect.sessions),
            spread(first.mean, first.sd),
            spread(second.mean, second.sd),
            number(effect.difference),
            number(effect.standardized, 2),
            f"{first.subjects}, {second.subjects}",
            *((f"{first.left_out}, {second.left_out}",) if _left_out(result) else ()),
        )


def _left_out(result: PowerResult) -> bool:
    """Whether any subject has no value."""
    return any(each.left_out for each in result.compared)


def designs_header(result: PowerResult) -> tuple[str, ...]:
    """Return the header of the designs."""
    return (per_group(result), "sessions", "power", "95 % interval", "false alarms", "95 % interval")


def designs_rows(result: PowerResult) -> Iterator[tuple[str, ...]]:
    """Yield power and false-alarm rate of each design, by sessions."""
    for sessions in result.sessions:
        yield from map(_design_row, result.designs_with(sessions))


def _design_row(design: Design) -> tuple[str, ...]:
    return (str(design.subjects), str(design.sessions), *_rate(design.power), *_rate(design.false_alarms))


def _rate(rate: Rate | None) -> tuple[str, str]:
    if rate is None:
        return NOT_SIMULATED, NOT_SIMULATED
    return f"{100 * rate.value:.1f} %", f"{100 * rate.low:.1f} to {100 * rate.high:.1f} %"


def smallest_header() -> tuple[str, ...]:
    """Return the header of the smallest designs."""
    return ("sessions", *(f"{100 * target:g} % {how}" for target in TARGETS for how in ("by power", "by lower bound")))


def smallest_rows(result: PowerResult) -> Iterator[tuple[str, ...]]:
    """Yield for each number of sessions the fewest subjects that have each power."""
    for sessions in result.sessions:
        smallest = [each for each in result.smallest if each.sessions == sessions]
        yield (str(sessions), *(cell for each in smallest for cell in _smallest(each)))


def _smallest(each: Smallest) -> tuple[str, str]:
    by_estimate, by_bound = ("none" if n is None else str(n) for n in (each.by_estimate, each.by_bound))
    return by_estimate, by_bound

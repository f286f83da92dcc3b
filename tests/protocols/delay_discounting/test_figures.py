"""Whole sessions of virtual rats, day after day, analyzed as `rig analyze` does: the published figures.

They belong to the campaign; a rat for a few days is in the suite.
"""

import statistics
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from protocols.delay_discounting.analysis.delays import IN_FORCE
from protocols.delay_discounting.analysis.results import MazeResults, MazeSettings, report
from protocols.delay_discounting.analysis.vte import zidphi
from rig.analysis.common.arrays import Flags
from tests.protocols.delay_discounting.rats import DAYS, Day, days_of, ran

RATS = 10
REPLICATIONS, FEW_RATS = 10, 4

Bounds = Mapping[str, tuple[float, float]]

EXPERIMENT_2: Bounds = {
    "indifference, mean (s)": (6.4, 8.4),
    "indifference, SD (s)": (2.4, 3.9),
    "laps a session": (97.0, 100.0),
    "adjustment, laps 76 to 100": (0.08, 0.13),
    "investigation, laps 1 to 5, sliding": (0.75, 0.95),
    "investigation, laps 1 to 5, binned": (0.75, 0.95),
    "exploitation, laps 70 to 75, sliding": (0.80, 1.00),
    "exploitation, laps 70 to 75, binned": (0.80, 1.00),
    "zIdPhi, VTE above ballistic": (2.0, 10.0),
    "zIdPhi, adjustment above alternation": (0.5, 0.85),
}
EXPERIMENT_1: Bounds = {"slope (s a pellet)": (1.5, 2.5), "R2": (0.26, 0.58)}


def check(found: Mapping[str, float], wanted: Bounds) -> None:
    """Show all figures, and hold each against its bounds."""
    for name, value in found.items():
        print(f"{name}: {value:.3f}")  # noqa: T201
    assert found.keys() == wanted.keys()
    assert {name: value for name, value in found.items() if not wanted[name][0] <= value <= wanted[name][1]} == {}


def analyzed(days: Sequence[Day]) -> MazeResults:
    return report([day.laps for day in days], MazeSettings())


def kinds(days: Sequence[Day]) -> tuple[Flags, Flags, Flags]:
    """Tell of all laps on which the rat looked from side to side, which are adjustments, and which alternations."""
    adjusted = np.concatenate([day.laps.adjusted for day in days])
    typed = np.concatenate([day.laps.typed for day in days])
    return np.concatenate([day.looked for day in days]), adjusted, typed & ~adjusted


def turning(days: Sequence[Day]) -> dict[str, float]:
    """Compare passes with and without looking from side to side, and adjustment with alternation laps."""
    z = np.concatenate([zidphi(day.laps) for day in days])
    looked, adjusted, alternated = kinds(days)
    return {
        "zIdPhi, VTE above ballistic": float(np.nanmean(z[looked]) - np.nanmean(z[~looked])),
        "zIdPhi, adjustment above alternation": float(np.nanmean(z[adjusted]) - np.nanmean(z[alternated])),
    }


def check_standardized(days: Sequence[Day]) -> None:
    """Every session's zIdPhi has mean 0 and SD 1, and no lap is without but those beyond 30 s."""
    for day in days:
        z = zidphi(day.laps)
        known = np.isfinite(z)
        assert (known | (day.laps.delayed & (day.laps.in_force_s > 30))).all(), day.laps.name
        assert (z[known].mean(), z[known].std(ddof=1)) == (pytest.approx(0, abs=1e-9), pytest.approx(1))


@pytest.mark.campaign
def test_ten_rats_of_thirty_days_behave_as_published() -> None:
    days = ran("delay_discounting", RATS, 1)
    firsts = [int(day.laps.in_force_s[0]) for day in days]
    for rat in range(RATS):
        assert sorted(firsts[DAYS * rat : DAYS * (rat + 1)]) == list(range(1, DAYS + 1))
    check_standardized(days)
    group = analyzed(days).groups["3:1"]
    indifference, course = group.indifference[IN_FORCE], group.milestones
    found = {
        "indifference, mean (s)": indifference.mean,
        "indifference, SD (s)": indifference.sd,
        "laps a session": statistics.fmean(day.laps.trials for day in days),
        "adjustment, laps 76 to 100": course.adjustment_laps_76_to_100,
        **{f"investigation, laps 1 to 5, {rule}": share for rule, share in course.investigation_laps_1_to_5.items()},
        **{f"exploitation, laps 70 to 75, {rule}": share for rule, share in course.exploitation_laps_70_to_75.items()},
        **turning(days),
    }
    check(found, EXPERIMENT_2)


@pytest.mark.campaign
def test_rats_wait_the_longer_the_more_they_get_as_published() -> None:
    slopes, fits = [], []
    for replication in range(REPLICATIONS):
        line = analyzed(ran("delay_discounting_exp1", FEW_RATS, replication, tracked=False)).ratios.line
        assert line is not None
        slopes.append(line.slope)
        fits.append(line.r2)
    check({"slope (s a pellet)": statistics.fmean(slopes), "R2": statistics.fmean(fits)}, EXPERIMENT_1)


def test_a_rat_that_looks_from_side_to_side_turns_more() -> None:
    days = days_of("delay_discounting", 1, "R0", days=4)
    check_standardized(days)
    found = turning(days)
    looked, adjusted, alternated = kinds(days)
    assert looked[alternated].mean() == pytest.approx(0.06, abs=0.05)
    assert looked[alternated].mean() < looked[adjusted].mean() < 0.5
    assert found["zIdPhi, VTE above ballistic"] > 1.5
    assert found["zIdPhi, adjustment above alternation"] > 0.3

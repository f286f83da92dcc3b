"""Whole sessions of virtual rats, day after day: the figures that were published (``make campaign``)."""

import statistics
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from rig.core.streams import session_seed
from sim_hardware.driver import make_model
from tests.session.stage import setting
from tests.support import Line, play

pytestmark = pytest.mark.campaign

DAYS = 30
WINDOW = 5
FIRST_PHASE_ENDS = 30
"""Investigation is over with this lap at the latest, titration seen or not."""


def days_of(protocol: str, rat: str, campaign_seed: int) -> Iterator[list[Line]]:
    """Let a rat run its days in order, each beginning with what the one before has left; give each day's rows."""
    carried: dict[str, Any] = {}
    for day in range(DAYS):
        seed = session_seed(campaign_seed, rat, day)
        stage = play(setting(protocol).script(seed, carried), model=make_model("rat", {}), seed=seed)
        assert stage.footer["reason"] in ("trial_cap", "time_limit")
        carried = stage.footer["carried"]
        yield stage.rows


@cache
def experiment_2() -> list[list[Line]]:
    return [rows for rat in range(10) for rows in days_of("delay_discounting", f"R{rat}", 1)]


def mean(sessions: list[list[Line]], figure: Callable[[list[Line]], float]) -> float:
    return statistics.fmean(map(figure, sessions))


def indifference(rows: list[Line]) -> float:
    """The mean delay in force over the final twenty laps."""
    return statistics.fmean(row["delay_before_s"] for row in rows[-20:])


def adjustments(rows: list[Line]) -> list[bool]:
    """Tell of each lap whether it went where the one before had gone; the first did not."""
    sides = [row["side"] for row in rows]
    return [False, *(side == before for before, side in pairwise(sides))]


def phases(rows: list[Line]) -> list[str]:
    """Name the phase of each bin of five laps: titration has two adjustments; before its first it is investigation."""
    flags = adjustments(rows)
    bins = [sum(flags[start : start + WINDOW]) >= 2 for start in range(0, len(flags) - WINDOW + 1, WINDOW)]
    first = min([*(place for place, titrates in enumerate(bins) if titrates), FIRST_PHASE_ENDS // WINDOW])
    return [
        "titration" if titrates else "investigation" if place < first else "exploitation"
        for place, titrates in enumerate(bins)
    ]


def share(place: int, phase: str) -> float:
    """Tell in what share of the sessions a bin of laps is in a phase; of those that got so far."""
    named = [found[place] for rows in experiment_2() if len(found := phases(rows)) > place]
    return named.count(phase) / len(named)


def test_ten_rats_titrate_to_the_published_indifference_point() -> None:
    points = [indifference(rows) for rows in experiment_2()]
    assert len(points) == 300
    assert statistics.fmean(points) == pytest.approx(7.4, abs=1.0)
    assert 2.4 <= statistics.stdev(points) <= 3.9


def test_every_rat_begins_with_every_delay_once() -> None:
    firsts = [rows[0]["initial_delay_s"] for rows in experiment_2()]
    for rat in range(10):
        assert sorted(firsts[30 * rat : 30 * rat + 30]) == list(range(1, 31))


def test_sessions_have_as_many_laps_as_the_published_ones() -> None:
    assert mean(experiment_2(), len) == pytest.approx(98.5, abs=1.5)


def test_rats_adjust_rarely_in_the_end() -> None:
    late = [flag for rows in experiment_2() for flag in adjustments(rows)[75:]]
    assert 0.08 <= statistics.fmean(late) <= 0.13


def test_they_investigate_first_and_exploit_in_the_end() -> None:
    assert share(0, "investigation") == pytest.approx(0.85, abs=0.1)
    assert share(70 // WINDOW, "exploitation") == pytest.approx(0.90, abs=0.1)


def test_they_wait_the_longer_the_more_they_get() -> None:
    slopes, fits = [], []
    for replication in range(10):
        sessions = [rows for rat in range(4) for rows in days_of("delay_discounting_exp1", f"R{rat}", replication)]
        points = [
            (rows[0]["large_pellets"], indifference(rows))
            for rows in sessions
            if any(row["is_delayed_side"] for row in rows)
        ]
        ratios, delays = zip(*points, strict=True)
        slopes.append(statistics.linear_regression(ratios, delays).slope)
        fits.append(statistics.correlation(ratios, delays) ** 2)
    print(f"slope {statistics.fmean(slopes):.2f}, R2 {statistics.fmean(fits):.2f}")  # noqa: T201
    assert statistics.fmean(slopes) == pytest.approx(2.0, abs=0.5)
    assert statistics.fmean(fits) == pytest.approx(0.42, abs=0.16)

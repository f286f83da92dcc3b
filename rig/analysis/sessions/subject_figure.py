"""A subject's weight, water and performance over its days, in one figure. Needs matplotlib."""

from __future__ import annotations

import datetime
from types import ModuleType

import matplotlib.dates
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rig.analysis.common.style import BLACK, BLUE, GREEN, ORANGE, SKY, from_zero, grid_of_panels, legend_above
from rig.records.subject.days import SubjectDay
from rig.records.subject.report import SubjectReport

DATES: ModuleType = matplotlib.dates
"""Its functions have no types."""

FEWEST_DAYS = 7
"""The shortest axis, so that the bar of a single day does not fill the panel."""


def subject_figure(report: SubjectReport) -> Figure:
    """Draw weight, amounts per day and performance of a subject over its days."""
    days = report.days
    below = "performance: rewards per trial of all sessions of a day; amounts: by sessions and by hand"
    if any(day.top_up_open for day in days):
        below += "; triangle: a top-up that was never confirmed"
    title = f"{report.subject}, {days[0].day} to {days[-1].day}"
    figure, (weight, given, trials, share) = grid_of_panels(title, below, 4, 1, (9, 10))
    _weight(weight, report)
    _given(given, days)
    worked = [day for day in days if day.sessions]
    at = _at(worked)
    trials.plot(at, [day.trials for day in worked], "o-", color=BLACK, label="trials")
    trials.plot(at, [day.rewards for day in worked], "o-", color=GREEN, label="rewards")
    trials.set(ylabel="per day")
    from_zero(trials)
    legend_above(trials)
    tried = [day for day in worked if day.trials]
    share.plot(_at(tried), [day.rewards / day.trials for day in tried], "o-", color=GREEN)
    share.set(ylabel="rewards per trial")
    from_zero(share)
    last = days[-1].day
    first = min(days[0].day, last - datetime.timedelta(days=FEWEST_DAYS))
    for axes in (weight, given, trials, share):
        axes.set_xlim(_num(first) - 0.6, _num(last) + 0.6)
        locator = DATES.AutoDateLocator(minticks=3)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(DATES.ConciseDateFormatter(locator))
    return figure


def _num(day: datetime.date) -> float:
    return float(DATES.date2num(day))


def _at(days: list[SubjectDay]) -> list[float]:
    return [_num(day.day) for day in days]


def _weight(axes: Axes, report: SubjectReport) -> None:
    weighed = [day for day in report.days if day.weight_g is not None]
    if report.baseline_g is None:
        axes.plot(_at(weighed), [day.weight_g or 0 for day in weighed], "o-", color=BLACK)
        axes.set(ylabel="weight (g)")
        return
    percent = [day.percent or 0 for day in weighed]
    axes.plot(_at(weighed), percent, "o-", color=BLACK)
    axes.axhline(100, color="0.7", lw=0.8)
    axes.set(ylabel=f"weight (% of {report.baseline_g:g} g)", ylim=(min([75, *percent]) - 2, max([102, *percent]) + 2))


def _given(axes: Axes, days: list[SubjectDay]) -> None:
    """Draw stacked bars of the kind that the subject was given most often: water, pellets or seconds of grain."""
    kinds = {
        "ul": ([day.earned_ul for day in days], [day.by_hand_ul for day in days]),
        "pellets": ([float(day.earned_pellets) for day in days], [float(day.by_hand_pellets) for day in days]),
        "s of grain": ([day.earned_access_s for day in days], [0.0 for _ in days]),
    }
    unit = max(kinds, key=lambda name: sum(amount > 0 for amount in (*kinds[name][0], *kinds[name][1])))
    earned, by_hand = kinds[unit]
    axes.bar(_at(days), earned, color=BLUE, label="earned")
    axes.bar(_at(days), by_hand, bottom=earned, color=SKY, label="by hand")
    for day, low, high in zip(days, earned, by_hand, strict=True):
        if day.top_up_open:
            axes.plot(_num(day.day), low + high, "v", color=ORANGE)
    axes.set(ylabel=f"given ({'µl' if unit == 'ul' else unit})")
    from_zero(axes, max((low + high for low, high in zip(earned, by_hand, strict=True)), default=0.0))
    legend_above(axes)

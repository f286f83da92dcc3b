"""The charts of a subject over its days: weight, amounts, trials, and shares as a learning curve."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from rig.records.session.brief import SessionBrief
from rig.records.subject.days import SubjectDay
from rig.report.subject_history import SubjectHistory
from rig.views.categories import line_style, style
from rig.views.chart import NEUTRAL, Axis, Bands, Bars, Chart, Curve, Floats, Mark, Points, floats

MOST_TICKS = 7
MOST_JOINED = 40
"""More sessions than this are not joined by lines, which would only cover each other."""
MOST_CURVES = 8
"""More shares than colors could not be told apart."""
WINDOW = 10
"""Sessions in a running mean."""
FEWEST_DAYS = 7
"""The shortest axis, so that the bar of a single day does not fill the chart."""


def subject_charts(history: SubjectHistory) -> list[Chart]:
    """Return the charts of a subject."""
    days = sorted({day.day for day in history.report.days} | {session.day for session in history.sessions})
    if not days:
        return []
    axis = _date_axis(days[0], days[-1])
    return [
        _learning(history, axis),
        _trials(history.sessions, axis),
        *([] if history.simulated else [_weight(history, axis), _given(history, axis)]),
        _lengths(history.sessions, axis),
    ]


def _date_axis(first: datetime.date, last: datetime.date) -> Axis:
    first = min(first, last - datetime.timedelta(days=FEWEST_DAYS))
    count = (last - first).days
    step = max(1, -(-count // MOST_TICKS))
    at = [first + datetime.timedelta(days=number) for number in range(0, count + 1, step)]
    ticks = {float(day.toordinal()): f"{day:%d %b}\n{day:%Y}" if day == at[0] else f"{day:%d %b}" for day in at}
    return Axis("day", ticks=ticks, bounds=(first.toordinal() - 0.7, last.toordinal() + 0.7))


def _place(session: SessionBrief) -> float:
    """Return the place of a session on the axis of days: several of one day come one after the other."""
    start = session.header.start_time
    at = 0.0 if start is None else (start.hour * 60 + start.minute) / 1440 - 0.5
    return session.day.toordinal() + at


def _bands(history: SubjectHistory) -> Iterator[Mark]:
    """Yield shades for every second stage."""
    starts = [_place(visit.sessions[0]) - 0.3 for visit in history.stages]
    last = max((_place(session) for session in history.sessions), default=0.0) + 0.7
    shaded = list(zip(starts, [*starts[1:], last], strict=False))[1::2]
    if shaded:
        yield Bands(
            floats(start for start, _ in shaded), floats(end for _, end in shaded), "every second stage", NEUTRAL
        )


def _learning(history: SubjectHistory, axis: Axis) -> Chart:
    every = (name for session in history.sessions for name in session.shares)
    names = list(islice(dict.fromkeys(every), MOST_CURVES))
    marks: list[Mark] = list(_bands(history))
    for index, name in enumerate(names):
        own = [session for session in history.sessions if name in session.shares]
        values = floats(session.shares[name] for session in own)
        marks += _course(floats(map(_place, own)), values, own[-1].header.share_label(name), index)
    if not names:
        own = [session for session in history.sessions if session.footer is not None and session.sums.trials]
        values = floats(session.sums.rewards / session.sums.trials for session in own)
        marks += _course(floats(map(_place, own)), values, "rewards per trial", 2)
    bounds = (-0.03, 1.03) if names else (0.0, None)
    return Chart(
        "Learning curve", axis, Axis("share of completed trials" if names else "rewards", bounds=bounds), marks
    )


def _course(x: Floats, y: Floats, name: str, place: int) -> list[Mark]:
    """Return sessions as points, and the line through them; through many, that of their running mean.

    ``place`` is that of the share among others: each has its own color, symbol and dashes.
    """
    color, symbol = style(place)
    if len(x) <= MOST_JOINED:
        return [Curve(x, y, name, **line_style(place)), Points(x, y, "", color, symbol, 4)]
    sums = np.concatenate([[0.0], np.cumsum(y)])
    last = np.arange(1, len(y) + 1)
    first = np.maximum(last - WINDOW, 0)
    mean = (sums[last] - sums[first]) / (last - first)
    return [
        Points(x, y, "", color, symbol, 2),
        Curve(x, mean, f"{name} (mean of {WINDOW} sessions)", **line_style(place)),
    ]


def _joined(x: Floats, y: Floats) -> list[Mark]:
    return [Curve(x, y, color=NEUTRAL), Points(x, y, color=NEUTRAL, size=4)]


def _trials(sessions: Sequence[SessionBrief], axis: Axis) -> Chart:
    ended = [session for session in sessions if session.footer is not None]
    x = floats(map(_place, ended))
    trials = floats(session.sums.trials for session in ended)
    rewards = floats(session.sums.rewards for session in ended)
    marks: list[Mark] = [
        Curve(x, trials, "trials", NEUTRAL),
        Points(x, trials, color=NEUTRAL, size=4),
        Curve(x, rewards, "rewards", 2, dashed=True),
        Points(x, rewards, color=2, symbol="square", size=4),
    ]
    return Chart("Trials and rewards", axis, Axis("number in a session", bounds=(0.0, None)), marks)


def _days_axis(days: Sequence[SubjectDay]) -> list[float]:
    return [float(day.day.toordinal()) for day in days]


def _weight(history: SubjectHistory, axis: Axis) -> Chart:
    weighed = [day for day in history.report.days if day.weight_g is not None]
    rules, x = history.known.rules, floats(_days_axis(weighed))
    if rules.baseline_g is None:
        y = floats(day.weight_g for day in weighed)
        return Chart("Weight", axis, Axis("weight", "g"), _joined(x, y))
    y = floats(day.percent for day in weighed)
    limits = {
        "refuse": (rules.refuse_pct, 3),
        "warn": (rules.warn_pct, 1),
        "warn above": (rules.warn_above_pct, 1),
        "refuse above": (rules.refuse_above_pct, 3),
    }
    ends = floats(axis.bounds)
    lines = [
        Curve(ends, floats([most, most]), f"{name} ({most:g} %)", color, dashed=True, width=1.2)
        for name, (most, color) in limits.items()
        if most is not None
    ]
    title = f"% of {rules.baseline_g:g} g"
    return Chart("Weight", axis, Axis("weight", title), [*_joined(x, y), *lines])


def _given(history: SubjectHistory, axis: Axis) -> Chart:
    """Return what it was given, of the kind that it was given on most days, with the target and minimum of a day."""
    days = history.report.days
    kinds = {
        "ul": [(day.earned_ul, day.by_hand_ul) for day in days],
        "pellets": [(float(day.earned_pellets), float(day.by_hand_pellets)) for day in days],
        "s of access": [(day.earned_access_s, 0.0) for day in days],
    }
    unit = max(kinds, key=lambda name: sum(any(amounts) for amounts in kinds[name]))
    x = floats(_days_axis(days))
    # The bars of the sessions stand before those of everything: what is higher was given by hand.
    marks: list[Mark] = [
        Bars(x, floats(sum(amounts) for amounts in kinds[unit]), "by hand", 4),
        Bars(x, floats(earned for earned, _ in kinds[unit]), "in sessions", 0),
    ]
    if unit == "ul":
        limits = (("target", history.known.rules.daily_target_ul), ("minimum", history.known.rules.daily_min_ul))
        for color, (name, much) in zip((2, 3), limits, strict=True):
            if much is not None:
                marks.append(Curve(floats(axis.bounds), floats([much, much]), name, color, dashed=True, width=1.2))
    return Chart("Given", axis, Axis("in a day", unit, bounds=(0.0, None)), marks)


def _lengths(sessions: Sequence[SessionBrief], axis: Axis) -> Chart:
    ended = [session for session in sessions if session.duration_s is not None]
    x, y = floats(map(_place, ended)), floats((session.duration_s or 0.0) / 60 for session in ended)
    return Chart(
        "Length of sessions",
        axis,
        Axis("length", "min", bounds=(0.0, None)),
        _joined(x, y),
    )

"""Warn of values that are allowed one by one and can hardly be meant: mostly a number in the wrong unit."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from rig.config import LayeredConfig, config_issue
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.limits import DailyLimits
from rig.config.subject import SubjectFile
from rig.core.model.reward_types import reward_params
from rig.devices.calibration import Calibration
from rig.session.check.dry_run import DryRunResult
from rig.session.check.rehearsal import RehearsalRuns
from rig.session.spec.read_rig import Rig
from rig.session.spec.session_spec import SessionSpec
from rig.terminal.format import pluralize

FEW_TRIALS = 20
LEAST_SHARE = 0.1
SHORT_SESSION_S = 600
"""A session that has time for fewer trials, and for a smaller share of what its limits allow, has a time in the wrong
unit; a shorter one is a trial of the protocol. Limits alone decide nothing: they may be far above what is expected."""
LEAST_DAY_UL = 100
"""Less water in a day keeps no animal alive: it would be in milliliters."""
LEAST_PCT = 50
"""No animal lives at a smaller share of its weight."""
# Not min, which as the end of a name is the smallest value, too.
_IN_S = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_LOCKED_OUT = (("confirm_off_us", "debounce_us"), ("beam_min_off_us", "beam_lockout_us"))
_LONGEST_US = 1_000_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def implausible_session(spec: SessionSpec, rehearsal: RehearsalRuns) -> Iterator[ConfigIssue]:
    """Yield warnings about the limits and the times of a protocol, and about its rig."""
    yield from _idle(spec)
    yield from _few_trials(spec, rehearsal)
    yield from implausible_rig(spec.rig)


def implausible_rig(rig: Rig) -> Iterator[ConfigIssue]:
    """Yield the inputs whose exits are confirmed for a shorter time than their lock-out: it changes almost nothing."""
    for name, config in rig.file.devices.items():
        for key, lock_key in _LOCKED_OUT:
            off_us, lock_us = getattr(config, key, 0), getattr(config, lock_key, 0)
            if key in config.model_fields_set and 0 < off_us < lock_us:
                in_us = off_us * 1000
                meant = f": if {off_us} ms are meant, write {in_us}" if in_us <= _LONGEST_US else ""
                text = f"{off_us} us is shorter than {lock_key} ({lock_us} us) and keeps off almost nothing{meant}"
                yield rig.error_at(("devices", name, key), text)


def implausible_day(limits: DailyLimits, layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield the amounts of water in a day that are too small for any animal, or less than its target."""
    target = limits.daily_target_ul if isinstance(limits, SubjectFile) else None
    for key in ("max_ul_day", "max_ul_24h", "daily_target_ul", "daily_min_ul"):
        amount = getattr(limits, key, None)
        if key not in limits.model_fields_set or amount is None:
            continue
        if amount < LEAST_DAY_UL:
            text = f"{amount:g} ul is too little for a day: if {amount:g} ml is meant, write {amount * 1000:g}"
        elif key.startswith("max_") and target is not None and amount < target:
            text = f"{amount:g} ul is less than daily_target_ul ({target:g}), which sessions then cannot reach"
        else:
            continue
        yield config_issue(layered.location((key,)), (key,), text)


def implausible_subject(known: SubjectFile, layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield the amounts of `implausible_day`, and the percentages of the baseline weight at which no animal lives."""
    yield from implausible_day(known, layered)
    for key in ("refuse_pct", "warn_pct", "target_pct", "warn_above_pct", "refuse_above_pct"):
        percent = getattr(known, key)
        if percent is None or percent >= LEAST_PCT:
            continue
        meant = f": for a proportion of {percent:g} write {100 * percent:g}" if percent <= 2 else ""
        yield config_issue(layered.location((key,)), (key,), f"no animal lives at {percent:g} % of its weight{meant}")


def implausible_date(
    measured: Calibration, layered: LayeredConfig, start: datetime.datetime | None
) -> Iterator[ConfigIssue]:
    """Yield the date of a calibration that is yet to come, or is another one than that in the file's name."""
    named = _DATE.search(measured.name)
    if start is not None and measured.date > start.date().isoformat():
        text = f"{measured.date} is yet to come: is the date right, and the computer's clock?"
    elif named is not None and named.group() != measured.date:
        text = f"{measured.date} is not the date in the file's name, {named.group()}: which one is right?"
    else:
        return
    yield config_issue(layered.location(("date",)), ("date",), text)


def _idle(spec: SessionSpec) -> Iterator[ConfigIssue]:
    alert_s, stop_s = spec.stop.idle_alert_s, spec.stop.idle_stop_s
    if alert_s is None or stop_s is None or stop_s >= alert_s:
        return
    key = "idle_stop_s" if "idle_stop_s" in spec.stop.model_fields_set else "idle_alert_s"
    text = f"the session ends after {stop_s:g} s without activity, before the note of idle_alert_s ({alert_s:g} s): "
    minutes = f"{stop_s:g} min are {stop_s * 60:g}; or " if key == "idle_stop_s" and stop_s * 60 >= alert_s else ""
    loc = ("stop", key)
    yield config_issue(spec.layered.location(loc), loc, f"{text}{minutes}make idle_alert_s shorter, or null")


def _few_trials(spec: SessionSpec, rehearsal: RehearsalRuns) -> Iterator[ConfigIssue]:
    """Yield the parameter whose time leaves room for a small share of the trials that the limits allow."""
    limits = _limits_in_rewards(spec)
    paces = [pace for result in rehearsal.results if (pace := _pace(result)) is not None]
    session_s = spec.stop.session_s
    if not limits or not paces or session_s < SHORT_SESSION_S:
        return
    key, fits = min(limits, key=lambda name: limits[name]), session_s / min(paces)
    time = _longest_time(spec) if fits < min(FEW_TRIALS, LEAST_SHARE * limits[key]) else None
    if time is None or time[1] * _IN_S[time[2]] < min(paces) / 2:
        return
    loc, value, unit = time
    advice = f"if {value:g} ms is meant, write {value / 1000:g}" if unit == "s" else f"is it in {unit}?"
    text = (
        f"{value:g} {unit} leaves room for about {pluralize(max(round(fits), 1), 'trial')} in {session_s:g} s, "
        f"and stop.{key} is {getattr(spec.stop, key):g}: {advice}"
    )
    yield config_issue(spec.layered.location(loc), loc, text)


def _limits_in_rewards(spec: SessionSpec) -> dict[str, float]:
    """Return the limits of a session as numbers of rewards; of an amount so many as the largest rewards use it up."""
    largest: dict[str, float] = {}
    for reward in reward_params(spec.params):
        largest[reward.unit] = max(reward.size, largest.get(reward.unit, 0.0))
    sizes = {"max_rewards": 1.0, "max_trials": 1.0, **{f"max_{unit}": size for unit, size in largest.items()}}
    limits = {key: getattr(spec.stop, key) for key in sizes}
    return {key: limit / sizes[key] for key, limit in limits.items() if limit is not None and sizes[key] > 0}


def _pace(result: DryRunResult) -> float | None:
    """Return the seconds for each trial or reward, whichever came more often; None without one."""
    events = max(result.trials, result.outcome.rewards)
    return result.seconds / events if events else None


def _longest_time(spec: SessionSpec) -> tuple[Loc, float, str] | None:
    """Return place, number and unit of the longest time among the parameters that a file sets; None without one."""
    times = [(("params", *loc), value, unit) for loc, value, unit in _times(spec.params)]
    written = [time for time in times if time[0] in spec.layered.locations]
    return max(written, key=lambda time: time[1] * _IN_S[time[2]], default=None)


def _times(params: BaseModel | Mapping[str, object], at: Loc = ()) -> Iterator[tuple[Loc, float, str]]:
    """Yield the place, the number and the unit of each parameter whose key ends with a unit of time."""
    for key, value in params.items() if isinstance(params, Mapping) else params:
        if isinstance(value, BaseModel | Mapping):
            yield from _times(value, (*at, key))
        elif isinstance(value, int | float) and (unit := key.rpartition("_")[2]) in _IN_S:
            yield (*at, key), value, unit

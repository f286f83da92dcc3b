"""Warn of values of different sections or files that cannot both be meant."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config import LayeredConfig, config_issue
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.models.expect import Expectations, InputExpectation
from rig.config.models.rig_file import RigFile
from rig.devices.base import DeviceConfig
from rig.session.check.implausible import SHORT_SESSION_S
from rig.session.check.rehearsal import RehearsalRuns
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.terminal.format import pluralize

FASTER = 2
"""An animal has at most so many times the trials of the fastest virtual subject."""
_CONFIRMED = ("confirm_on_us", "confirm_off_us", "beam_min_on_us", "beam_min_off_us")


def contradictory_session(
    spec: SessionSpec, request: SessionRequest, rehearsal: RehearsalRuns
) -> Iterator[ConfigIssue]:
    """Yield what contradicts another value of a protocol's file or of its rig."""
    loc: Loc = ("simulation", "model")
    if request.rig is None:  # a rig of the command line may be another than that of the file's virtual subject
        for text in rehearsal.unfit:
            yield config_issue(spec.layered.location(loc), loc, text)
    yield from _min_trials(spec, rehearsal)
    own = spec.layered.data.get("expect")
    if own:
        for loc, _, text in _expectations(Expectations.model_validate(own), spec.rig.file):
            yield config_issue(spec.layered.location(loc), loc, text)


def _min_trials(spec: SessionSpec, rehearsal: RehearsalRuns) -> Iterator[ConfigIssue]:
    """Yield the limit under which a session never has ``min_trials``, so that one stopped by hand never counts."""
    least, most, session_s = spec.stop.min_trials, spec.stop.max_trials, spec.stop.session_s
    paces = [result.seconds / result.trials for result in rehearsal.results if result.trials]
    if most is not None and least > most:
        key, text = "max_trials", f"a session ends after {pluralize(most, 'trial')}"
    elif paces and session_s >= SHORT_SESSION_S and FASTER * session_s / min(paces) < least:
        key, text = (
            "session_s",
            f"{session_s:g} s have room for about {pluralize(round(session_s / min(paces)), 'trial')}",
        )
    else:
        return
    loc = spec.layered.blamed(("stop", "min_trials"), ("stop", key))
    text = f"{text}, and one that is stopped by hand counts from {least} on (min_trials): it never does"
    yield config_issue(spec.layered.location(loc), loc, text)


def contradictory_rig(rig: Rig) -> Iterator[ConfigIssue]:
    """Yield the expectations that a rig's own devices cannot meet."""
    if rig.file.expect is not None:
        yield from (
            _at_blamed(rig.layered, expected, device, text)
            for expected, device, text in _expectations(rig.file.expect, rig.file)
        )


def _at_blamed(layered: LayeredConfig, expected: Loc, device: Loc, text: str) -> ConfigIssue:
    loc = layered.blamed(expected, device)
    return config_issue(layered.location(loc), loc, text)


def _expectations(expect: Expectations, file: RigFile) -> Iterator[tuple[Loc, Loc, str]]:
    """Yield the place of each expectation that contradicts a device, that of the device's value, and a text."""
    for name, config in file.devices.items():
        normal = expect.inputs.get(name)
        if normal is not None:
            yield from _frame_rate(name, config, normal)
    longest = _longest_confirmation(file)
    if expect.max_decision_ms is not None and longest is not None and 1000 * expect.max_decision_ms <= longest[0]:
        longest_us, name, key = longest
        text = (
            f"max_decision_ms is {expect.max_decision_ms:g}, and {name} confirms for {longest_us / 1000:g} ms "
            f"({key}), which count too: every answer to it would be late; make max_decision_ms larger"
        )
        yield ("expect", "max_decision_ms"), ("devices", name, key), text


def _frame_rate(name: str, config: DeviceConfig, normal: InputExpectation) -> Iterator[tuple[Loc, Loc, str]]:
    hz = getattr(config, "hz", None)
    if normal.hz is not None and hz is not None and abs(normal.hz - hz) > normal.tolerance_hz:
        text = (
            f"{name} has {hz:g} frames in a second, and expect.inputs.{name}.hz is {normal.hz:g}: "
            "every session would warn; make them equal"
        )
        yield ("expect", "inputs", name, "hz"), ("devices", name, "hz"), text


def _longest_confirmation(file: RigFile) -> tuple[int, str, str] | None:
    """Return the longest time for which an input has to last, with its device and key."""
    times = [
        (time_us, name, key)
        for name, config in file.devices.items()
        for key in _CONFIRMED
        if (time_us := getattr(config, key, 0))
    ]
    return max(times, key=lambda time: time[0], default=None)

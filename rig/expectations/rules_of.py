"""Which rules hold for a session: those of every rig, and those that the header's ``expect`` asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rig.core.model.channels import device_of, is_circle
from rig.expectations.rule import Line, Rule
from rig.expectations.rules.camera import FrameRate, LostFrames, PulseRate, Untracked, tracker_of
from rig.expectations.rules.collection import Collection, ShortStays
from rig.expectations.rules.coupled_inputs import CoupledInputs
from rig.expectations.rules.ending import Ending
from rig.expectations.rules.flicker import Flicker
from rig.expectations.rules.inactive_inputs import InactiveInputs
from rig.expectations.rules.input_rate import InputRate
from rig.expectations.rules.link import LinkHealth, LongOutputs
from rig.expectations.rules.pellets import pellet_rules
from rig.expectations.rules.reported import Reported
from rig.expectations.rules.screen import FrameLatency, MissedPecks
from rig.expectations.rules.timing import ClockDrift, DecisionLatency
from rig.expectations.rules.trials import IncompleteTrials, RewardsPerTrial
from rig.expectations.session_clock import SessionClock

Numbers = Mapping[str, float]

_BY_LIMIT = {
    "max_rewards_per_trial": RewardsPerTrial,
    "max_incomplete_pct": IncompleteTrials,
    "max_frame_latency_ms": FrameLatency,
    "max_missed_pecks_pct": MissedPecks,
    "max_decision_ms": DecisionLatency,
    "max_drift_ppm": ClockDrift,
}
"""The rules that one limit asks for."""


def rules_of(header: Line, clock: SessionClock) -> list[Rule]:
    """Return new rules for a session, from its header alone."""
    devices = header.get("rig", {}).get("devices", {})
    channels = header.get("rig", {}).get("channels", {})
    expect = header.get("expect", {})
    limits = expect.get("limits", {})
    return [
        Reported(),
        InactiveInputs(_used(header, channels), expect.get("inputs", {}), clock),
        LongOutputs(),
        LinkHealth(limits),
        Ending(),
        *pellet_rules(devices, channels),
        *_input_rules(expect.get("inputs", {}), channels, clock),
        *_reward_rules(expect.get("rewards", {})),
        *(rule(limits) for limit, rule in _BY_LIMIT.items() if limit in limits),
        *_tracker_rules(expect.get("inputs", {}), limits, devices),
    ]


def _used(header: Line, channels: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the subject's inputs that the protocol uses, as far as the header says; the others may rest."""
    box = header.get("box")
    return [name for name in _of_subject(channels) if box is None or device_of(name) in box]


def _of_subject(channels: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the inputs that no other machine drives."""
    return [name for name, about in channels.items() if about["is"] == "input" and not about.get("machine")]


def _input_rules(
    expected: Mapping[str, Numbers], channels: Mapping[str, Mapping[str, Any]], clock: SessionClock
) -> Iterator[Rule]:
    # Circles may overlap, and a tracker's positions jitter at their edges.
    beams = [name for name in _of_subject(channels) if not is_circle(name)]
    yield CoupledInputs(beams)
    yield from (Flicker(beam, expected.get(beam, {})) for beam in beams)
    for channel, numbers in expected.items():
        if numbers.keys() & {"min_entries_per_min", "max_entries_per_min"}:
            yield InputRate(channel, numbers, clock)
        if "hz" in numbers and channel.partition(".")[0] != channel:
            yield PulseRate(channel, numbers)


def _reward_rules(expected: Mapping[str, Mapping[str, Any]]) -> Iterator[Rule]:
    for device, numbers in expected.items():
        if "visit_within_s" in numbers:
            yield Collection(device, numbers)
        if "min_stay_s" in numbers:
            yield ShortStays(device, numbers)


def _tracker_rules(
    expected: Mapping[str, Numbers], limits: Numbers, devices: Mapping[str, Mapping[str, Any]]
) -> Iterator[Rule]:
    tracker = tracker_of(devices)
    if tracker is None:
        return
    name, hz = tracker
    if "hz" in expected.get(name, {}):
        yield FrameRate(name, expected[name])
    if "max_lost_frames_pct" in limits:
        yield LostFrames(name, hz, limits)
    if "max_untracked_pct" in limits:
        yield Untracked(name, limits)

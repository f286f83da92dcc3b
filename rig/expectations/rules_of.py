"""Which rules hold for a session: those of every rig, and those that the header's ``expect`` asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rig.core.journal.header import Header, RecordedChannel
from rig.core.model.channels import device_of, is_circle
from rig.core.model.task_clock import TaskClock
from rig.expectations.rule import AnyRule
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
from rig.expectations.rules.samples import LostSamples
from rig.expectations.rules.screen import FrameLatency, MissedPecks
from rig.expectations.rules.timing import ClockDrift, DecisionLatency
from rig.expectations.rules.trials import IncompleteTrials, RewardsPerTrial

Numbers = Mapping[str, float]

_BY_LIMIT: Mapping[str, Callable[[Numbers], AnyRule]] = {
    "max_rewards_per_trial": RewardsPerTrial,
    "max_incomplete_pct": IncompleteTrials,
    "max_frame_latency_ms": FrameLatency,
    "max_missed_pecks_pct": MissedPecks,
    "max_decision_ms": DecisionLatency,
    "max_drift_ppm": ClockDrift,
}
"""The rules that one limit asks for."""


def rules_of(header: Header, clock: TaskClock) -> list[AnyRule]:
    """Return new rules for a session, from its header alone."""
    devices, channels = header.rig.devices, header.rig.channels
    inputs, limits = header.expect.inputs, header.expect.limits
    numbers = {name: _numbers(expected) for name, expected in inputs.items()}
    return [
        Reported(),
        InactiveInputs([name for name in _of_subject(channels) if device_of(name) in header.box], inputs, clock),
        LongOutputs(),
        LinkHealth(limits),
        Ending(),
        LostSamples(),
        *pellet_rules(devices, channels),
        *_input_rules(numbers, channels, clock),
        *_reward_rules(header.expect.rewards),
        *(rule(limits) for limit, rule in _BY_LIMIT.items() if limit in limits),
        *_tracker_rules(numbers, limits, devices),
    ]


def _numbers(expected: Mapping[str, float | str | None]) -> Numbers:
    return {key: value for key, value in expected.items() if isinstance(value, int | float)}


def _of_subject(channels: Mapping[str, RecordedChannel]) -> list[str]:
    """Return the inputs that no other machine drives."""
    return [name for name, about in channels.items() if about.direction == "input" and not about.machine]


def _input_rules(
    expected: Mapping[str, Numbers], channels: Mapping[str, RecordedChannel], clock: TaskClock
) -> Iterator[AnyRule]:
    # Circles may overlap, and a tracker's positions jitter at their edges.
    beams = [name for name in _of_subject(channels) if not is_circle(name)]
    # Thresholds of one source change at the same value, and sources may be sampled at the same time.
    yield CoupledInputs([beam for beam in beams if not channels[beam].sampled])
    yield from (Flicker(beam, expected.get(beam, {}), sampled=channels[beam].sampled) for beam in beams)
    for channel, numbers in expected.items():
        if numbers.keys() & {"min_entries_per_min", "max_entries_per_min"}:
            yield InputRate(channel, numbers, clock)
        if "hz" in numbers and channel.partition(".")[0] != channel:
            yield PulseRate(channel, numbers)


def _reward_rules(expected: Mapping[str, Mapping[str, float | str]]) -> Iterator[AnyRule]:
    for device, about in expected.items():
        channel, numbers = str(about.get("channel", "")), _numbers(about)
        if "visit_within_s" in numbers:
            yield Collection(device, channel, numbers)
        if "min_stay_s" in numbers:
            yield ShortStays(device, channel, numbers)


def _tracker_rules(
    inputs: Mapping[str, Numbers], limits: Numbers, devices: Mapping[str, Mapping[str, object]]
) -> Iterator[AnyRule]:
    tracker = tracker_of(devices)
    if tracker is None:
        return
    name, hz = tracker
    if "hz" in inputs.get(name, {}):
        yield FrameRate(name, inputs[name])
    if "max_lost_frames_pct" in limits:
        yield LostFrames(name, hz, limits)
    if "max_untracked_pct" in limits:
        yield Untracked(name, limits)

"""Check that the limits of a session bound what its rewards can give, each unit by itself.

A number of rewards bounds every unit: the calibration, the feeder or the hopper bounds each single reward. A limit in
a unit that no device gives bounds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from rig.config import LayeredConfig, SessionLimits, config_issue
from rig.config.errors.errors import ConfigIssue
from rig.core.model.reward_types import RewardUnit, reward_params
from rig.core.task.task import AnyTask
from rig.devices import Device
from rig.devices.box import wanted_by

UNIT_LIMITS: Mapping[RewardUnit, tuple[str, str]] = {
    "ul": ("max_ul", "microliters"),
    "pellets": ("max_pellets", "pellets"),
    "access_s": ("max_access_s", "seconds of grain"),
}
"""The key of each unit's limit in ``stop``, and its name in a message."""


def check_reward_bounds(
    task: type[AnyTask], params: BaseModel, stop: SessionLimits, devices: Mapping[str, Device], layered: LayeredConfig
) -> Iterator[ConfigIssue]:
    """Yield the limits of units that are never given, and the units that no limit bounds."""
    givers = {name: device.gives for name, device in devices.items() if device.gives is not None}
    box = [name for name in wanted_by(task.box_type) if name in givers]
    without = [
        unit
        for unit, (key, _) in UNIT_LIMITS.items()
        if getattr(stop, key) is None and any(givers[name] == unit for name in box)
    ]
    keys = " and ".join(UNIT_LIMITS[unit][0] for unit in without)
    unbounded = without if stop.max_rewards is None else []
    # An operator may give by hand at a device outside the box; a parameter may belong to a device of another rig.
    possible = {*givers.values(), *(reward.unit for reward in reward_params(params))}
    useless = [
        unit for unit, (key, _) in UNIT_LIMITS.items() if unit not in possible and getattr(stop, key) is not None
    ]
    instead = f"give {keys}, or max_rewards" if unbounded else f"give {keys} instead" if keys else "leave it out"
    for unit in useless:
        key, name = UNIT_LIMITS[unit]
        text = f"no device of this rig gives {name}, so this limits nothing: {instead}"
        yield config_issue(layered.location(("stop", key)), ("stop", key), text)
    for unit in () if useless else unbounded:
        names = ", ".join(name for name in box if givers[name] == unit)
        text = f"no limit bounds the {UNIT_LIMITS[unit][1]} that {names} can give: give {keys}, or max_rewards"
        yield config_issue(layered.location(("stop",)), ("stop",), text)

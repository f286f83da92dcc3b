"""The least that the first and the last line of a journal say."""

from collections.abc import Mapping
from typing import Any

HEADER: dict[str, Any] = {
    "format": 2,
    "protocol": "p",
    "simulated": False,
    "seed": 1,
    "params": {},
    "stop": {"min_trials": 1},
    "rig": {"name": "none", "board": {}, "devices": {}, "calibrations": {}},
    "carry_over": {},
    "columns": [],
}

FOOTER: dict[str, Any] = {
    "reason": "time_limit",
    "detail": "",
    "counts": {},
    "complete": True,
    **dict.fromkeys(("executed", "last_event", "unconfirmed_rewards", "rewards", "pellets", "trials"), 0),
    **dict.fromkeys(("ul", "access_s"), 0.0),
    "given": [],
    "digest": "00000000",
    "carry_over": {},
}


def channels_of(devices: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What a header says of the channels of such devices: ports, feeders and circles."""
    channels: dict[str, dict[str, Any]] = {}
    for name, device in devices.items():
        parts = {"beam": "beam", "radius_cm": "zone", "light": "light", "valve": "valve", "sensor": "sensor"}
        for part in (part for key, part in parts.items() if key in device):
            channels[f"{name}.{part}"] = {"is": "output" if part in ("light", "valve") else "input"}
            channels[f"{name}.{part}"] |= {"machine": True} if part == "sensor" else {}
        if device.get("kind") == "feeder":
            channels[f"{name}.feeder"] = {"is": "output"}
    return channels

"""The least that the first and the last line of a journal say."""

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

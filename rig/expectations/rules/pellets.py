"""Pellets that a feeder's sensor does not see, and those that it sees although another feeder ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rig.core.model.channels import Role, channel_name
from rig.expectations.finding import Finding
from rig.expectations.rule import Line, Rule

IN_A_ROW = 3
BEFORE_US = 500_000
"""A pellet may pass the sensor before the pulse of its motor has ended."""


@dataclass
class _Feeder:
    motor: str
    sensor: str
    drop_us: int
    seen_us: int | None = None
    ran_us: int | None = None
    due_us: int | None = None
    unseen: int = 0
    elsewhere: str = ""
    told: bool = False


class Pellets(Rule):
    """All feeders of a rig that have a sensor."""

    name = "pellets"
    kinds = ("edge", "output_done")

    def __init__(self, devices: Mapping[str, Mapping[str, Any]]) -> None:
        self._feeders = {
            name: _Feeder(channel_name(name, Role.FEEDER), channel_name(name, Role.SENSOR), _drop_us(device))
            for name, device in devices.items()
            if device.get("kind") == "feeder" and "sensor" in device
        }
        self._motors = {feeder.motor: feeder for feeder in self._feeders.values()}
        self._sensors = {feeder.sensor: feeder for feeder in self._feeders.values()}

    def take(self, line: Line) -> Iterator[Finding]:
        """Read the end of a feeder's pulses, or a pellet at a sensor."""
        yield from self.check(line["t"])
        if line["k"] == "output_done":
            feeder = self._motors.get(line.get("output", ""))
            if feeder is not None:
                feeder.ran_us, feeder.due_us = line["t"], line["t"] + feeder.drop_us
        elif line["level"] and (feeder := self._sensors.get(line["channel"])) is not None:
            feeder.seen_us = line["t"]

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield a finding when several rewards in a row were not seen to drop."""
        for name, feeder in self._feeders.items():
            if feeder.due_us is None or t_us <= feeder.due_us:
                continue
            since_us, feeder.due_us = (feeder.ran_us or 0) - BEFORE_US, None
            if feeder.seen_us is not None and feeder.seen_us >= since_us:
                feeder.unseen, feeder.elsewhere, feeder.told = 0, "", False
                continue
            feeder.unseen += 1
            feeder.elsewhere = next(
                (other for other in self._feeders if other != name and self._saw(other, since_us)), feeder.elsewhere
            )
            if feeder.unseen >= IN_A_ROW and not feeder.told:
                feeder.told = True
                yield self.found(t_us, _text(name, feeder), name)

    def _saw(self, name: str, since_us: int) -> bool:
        """Whether a sensor has seen a pellet, although its own feeder did not run."""
        feeder = self._feeders[name]
        ran = feeder.ran_us is not None and feeder.ran_us >= since_us
        return not ran and feeder.seen_us is not None and feeder.seen_us >= since_us


def _text(name: str, feeder: _Feeder) -> str:
    text = f"{name}: its sensor has not seen the last {feeder.unseen} rewards drop: "
    if feeder.elsewhere:
        return f"{text}that of {feeder.elsewhere} has: are the cables of their motors or sensors swapped?"
    return f"{text}is it empty or jammed, or the sensor blind?"


def _drop_us(device: Mapping[str, Any]) -> int:
    """Return how late a pellet is seen, from a header that may hold anything."""
    drop_s = device.get("drop_s")
    usable = isinstance(drop_s, int | float) and 0 < drop_s <= 60
    return round(1e6 * drop_s) if usable and drop_s is not None else 500_000

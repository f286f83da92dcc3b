"""Names of channels: the device and the channel's role, as journals and orders use them."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """The role of a channel in its device; the second part of the channel's name.

    A role says what a channel does: to a subject, in a simulated rig and in the channel test. A device can name
    further parts by any other text: such an output is a plain line, such an input a beam. An output that gives
    rewards is a valve, a feeder or a hopper.
    """

    BEAM = "beam"
    ZONE = "zone"
    """A circle on the floor, watched by a camera: the host reads it, not the board."""
    SENSOR = "sensor"
    """The sensor that detects a pellet falling from a feeder."""
    IN = "in"
    """A line from another machine."""
    LIGHT = "light"
    VALVE = "valve"
    TONE = "tone"
    FEEDER = "feeder"
    HOPPER = "hopper"
    LINE = ""
    """A plain line, such as one to another machine: the channel has its device's name alone."""


def channel_name(device: str, role: str) -> str:
    """Return the name of a channel."""
    return f"{device}.{role}" if role else device


@lru_cache(maxsize=1024)
def device_of(channel: str) -> str:
    """Return the device of a channel, from the channel's name."""
    return channel.partition(".")[0]


def is_circle(channel: str) -> bool:
    """Whether an input is a circle of a tracker, by its role in the channel's name."""
    return channel.partition(".")[2] == Role.ZONE


@lru_cache(maxsize=1024)
def gives_rewards(channel: str) -> bool:
    """Whether an output gives rewards, by its role in the channel's name."""
    return channel.partition(".")[2] in (Role.VALVE, Role.FEEDER, Role.HOPPER)

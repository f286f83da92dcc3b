"""Names of channels: a device and what the channel is to it, which is how journals and orders name a channel."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """What a channel is to its device; the second part of the channel's name."""

    BEAM = "beam"
    ZONE = "zone"
    """A circle on the floor, which a camera watches: no board's channel."""
    SENSOR = "sensor"
    """What sees a feeder's pellet fall."""
    IN = "in"
    """A line from another machine."""
    LIGHT = "light"
    VALVE = "valve"
    TONE = "tone"
    FEEDER = "feeder"
    HOPPER = "hopper"
    LINE = ""
    """A plain line, such as one to another machine: the channel has its device's name alone."""


def channel_name(device: str, role: Role) -> str:
    """Return the name of a channel."""
    return f"{device}.{role}" if role else device


@lru_cache(maxsize=1024)
def device_of(channel: str) -> str:
    """Return the device of a channel that is known by its name, as in a journal."""
    return channel.partition(".")[0]

"""A detector of the subject: a beam, or a circle of a tracker, with its recent entries and exits."""

from __future__ import annotations

from typing import Self

from rig.core.engine.device_link import DeviceLink
from rig.core.engine.input_log import Changes
from rig.core.model.channels import channel_name
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.devices.base import Device


class Detector(Device):
    """A place that a subject enters and leaves; its state includes all events that the task has read.

    All times are seconds of the session.
    """

    on_entry: EdgePattern
    on_exit: EdgePattern
    occupied: LevelPattern
    clear: LevelPattern

    def __init__(self, name: str, role: str) -> None:
        super().__init__(name)
        channel = channel_name(name, role)
        self.on_entry, self.on_exit = EdgePattern(channel, 1), EdgePattern(channel, 0)
        self.occupied, self.clear = LevelPattern(channel, 1), LevelPattern(channel, 0)
        self._entries, self._exits = Changes(), Changes()

    def linked(self, link: DeviceLink) -> Self:
        """Return the detector as a task uses it, with the changes that the task has read."""
        used = super().linked(link)
        entries, exits = (link.inputs.changes(*edge) for edge in (self.on_entry, self.on_exit))
        vars(used).update(_entries=entries, _exits=exits)
        return used

    @property
    def is_clear(self) -> bool:
        """Whether the device is clear: nothing is in its beam or circle."""
        return self.inputs.level(self.clear.channel) == 0

    @property
    def entries(self) -> int:
        """Return the number of entries that the task has read."""
        return self._entries.count

    @property
    def exits(self) -> int:
        """Return the number of exits that the task has read."""
        return self._exits.count

    @property
    def last_entry_s(self) -> float | None:
        """Return the time of the last entry, in seconds of the session; None without one."""
        return self._entries.last_s

    @property
    def last_exit_s(self) -> float | None:
        """Return the time of the last exit, in seconds of the session; None without one."""
        return self._exits.last_s

    def entries_since(self, t_s: float) -> tuple[float, ...]:
        """Return the times of the entries at session time ``t_s`` or later, at most the last 1,000."""
        return self._entries.since(t_s)

    def exits_since(self, t_s: float) -> tuple[float, ...]:
        """Return the times of the exits at session time ``t_s`` or later, at most the last 1,000."""
        return self._exits.since(t_s)

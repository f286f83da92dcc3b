"""A detector of the subject: a beam, or a circle of a tracker, with its recent entries and exits."""

from __future__ import annotations

from rig.core.model.channels import Role, channel_name
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.devices.base import Device


class Detector(Device):
    """A place that a subject enters and leaves; its state includes all events that the task has read.

    All times are seconds of the session.
    """

    def __init__(self, name: str, role: Role) -> None:
        super().__init__(name)
        channel = channel_name(name, role)
        self.on_entry, self.on_exit = EdgePattern(channel, 1), EdgePattern(channel, 0)
        self.occupied, self.clear = LevelPattern(channel, 1), LevelPattern(channel, 0)

    @property
    def is_clear(self) -> bool:
        """Whether nothing is in it."""
        return self.inputs.level(self.clear.channel) == 0

    @property
    def entries(self) -> int:
        """How often it was entered."""
        return self.inputs.changes(*self.on_entry).count

    @property
    def exits(self) -> int:
        """How often it was left."""
        return self.inputs.changes(*self.on_exit).count

    @property
    def last_entry_s(self) -> float | None:
        """When it was last entered; None when it never was."""
        return self.inputs.changes(*self.on_entry).last_s

    @property
    def last_exit_s(self) -> float | None:
        """When it was last left; None when it never was."""
        return self.inputs.changes(*self.on_exit).last_s

    def entries_since(self, t_s: float) -> tuple[float, ...]:
        """Return when it was entered, at ``t_s`` or later; of the last 1,000 entries."""
        return self.inputs.changes(*self.on_entry).since(t_s)

    def exits_since(self, t_s: float) -> tuple[float, ...]:
        """Return when it was left, at ``t_s`` or later; of the last 1,000 exits."""
        return self.inputs.changes(*self.on_exit).since(t_s)

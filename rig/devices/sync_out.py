"""An output that sends a sync code or a square for the whole session, so that another system can record it."""

from __future__ import annotations

from rig.core.model.actions import Code
from rig.core.model.board import Channel, Output
from rig.core.model.channels import Role
from rig.devices.base import Device
from rig.devices.sync_config import SyncConfig
from rig.devices.ttl import TtlOutConfig


class SyncOut(Device):
    """A ``ttl_out`` with ``sync``: it belongs to the session, and no protocol can use it."""

    Config = TtlOutConfig

    def __init__(self, name: str, config: TtlOutConfig, sync: SyncConfig) -> None:
        super().__init__(name)
        # Without a limit: the board keeps it going for as long as the host is there.
        self._channel = Output(name, Role.LINE, config.pin, inverted=config.inverted)
        self._sync = sync

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Return the board channels that the device occupies."""
        return (self._channel,)

    def code(self, seed: int) -> Code:
        """Return the order that starts the signal; ``seed`` decides the words of its codes."""
        sync = self._sync
        return Code(self._channel.name, sync.period_us, sync.bit_us, sync.code_bits, seed if sync.code_bits else 0)

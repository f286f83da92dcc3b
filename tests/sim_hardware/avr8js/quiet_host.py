"""A host that sends nothing until the board has spoken, or for 2 s: the bootloader may be listening first."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rig.boards.driver_lookup import Connection
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from sim_hardware.avr8js.driver import Avr8jsDriver

SILENT_S = 2.0


class QuietTransport(Transport):
    """A transport that loses what the host sends too early; the host repeats it."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self._clock = running()
        self._may_speak_at = float("inf")

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._may_speak_at = self._clock.time() + SILENT_S

        def heard(data: bytes) -> None:
            self._may_speak_at = 0.0
            on_bytes(data)

        self._inner.start(heard, on_lost)

    def write(self, data: bytes) -> None:
        if self._clock.time() >= self._may_speak_at:
            self._inner.write(data)

    def close(self) -> None:
        self._inner.close()


class QuietDriver(Avr8jsDriver):
    """A driver whose host is quiet at first."""

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        connection = super().connect(plan, options)
        return replace(connection, transport=QuietTransport(connection.transport))

    def __call__(self, name: str) -> Any:
        """Take the place of ``find_driver``."""
        return self

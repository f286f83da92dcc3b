"""TTL lines to and from other machines, such as a laser or the frame signal of a camera."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from rig.core.errors import ActionError
from rig.core.model.actions import Code, Pulse, Train
from rig.core.model.board import MAX_ON_US, Input, Output
from rig.core.model.channels import Role
from rig.core.model.microseconds import check_number, to_us
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.core.task.random_streams import RandomStreams
from rig.devices.base import Device, DeviceConfig, Pin, check_on
from rig.devices.calibration import Calibration
from rig.devices.sync_config import SyncConfig


class TtlOutConfig(DeviceConfig):
    """An output to another machine; ``max_on_ms`` bounds it in the board, unless it sends a ``sync`` signal."""

    pin: Pin = Field(description="the output that the other machine listens to")
    inverted: bool = Field(default=False, description="the output is low, not high, while it is on")
    max_on_ms: float = Field(
        default=1000.0,
        gt=0,
        le=MAX_ON_US / 1000,
        description="the board ends a pulse after so long, whatever happens; it does not count for `sync`",
    )
    sync: SyncConfig | None = Field(
        default=None,
        description="the session sends a signal for synchronization here, and no protocol can use the output: code, "
        "square, or a mapping",
    )


class TtlInConfig(DeviceConfig):
    """An input from another machine; its edges are in the journal, whether or not a protocol asks for them."""

    pin: Pin = Field(description="the input that the other machine drives")
    inverted: bool = Field(default=False, description="the input is on while it is low")
    debounce_us: int = Field(
        default=0, ge=0, le=1_000_000, description="after a change the input is not looked at for so long"
    )


class TtlOut(Device):
    """A digital output to another machine, such as a laser."""

    Config = TtlOutConfig

    def __init__(self, name: str, config: TtlOutConfig) -> None:
        super().__init__(name)
        self._channel = Output(
            name, Role.LINE, config.pin, inverted=config.inverted, max_on_us=round(config.max_on_ms * 1000)
        )

    @classmethod
    def build(cls, name: str, config: TtlOutConfig, calibrations: Mapping[str, Calibration]) -> TtlOut | SyncOut:
        """Build the output of a section: the session's own if it sends a signal for synchronization."""
        return cls(name, config) if config.sync is None else SyncOut(name, config, config.sync)

    def pulse(self, seconds: float) -> Pulse:
        """Return the action that switches the output on for ``seconds``; the board switches it off.

        Raises ``ActionError`` when the rig file does not let it be on for so long.
        """
        check_number(seconds, f"{self.name}: the seconds of a pulse")
        check_on(self.name, "a pulse", seconds * 1000, self._channel, "max_on_ms")
        return Pulse(self._channel.name, to_us(seconds))

    def flashes(self, for_ms: float, pulse_ms: float, period_ms: float) -> Pulse | Train:
        """Return the action that gives pulses of ``pulse_ms``, one every ``period_ms``, for ``for_ms``.

        The last pulse is the last one that ends within ``for_ms``. Without a gap it is one pulse of ``for_ms``.
        Raises ``ActionError`` when the rig file does not let it be on for so long.
        """
        for ms in (for_ms, pulse_ms, period_ms):
            check_number(ms, f"{self.name}: a time of flashes")
        if not period_ms > 0:
            raise ActionError(f"{self.name}: a pulse every {period_ms:g} ms: wanted more than 0", period_ms, "ms")
        # Without gaps it is one long pulse, which the limit of the rig file must bound as a whole.
        is_one = pulse_ms >= min(for_ms, period_ms)
        check_on(self.name, "a pulse", for_ms if is_one else pulse_ms, self._channel, "max_on_ms")
        if is_one:
            return Pulse(self._channel.name, round(for_ms * 1000))
        # Whole microseconds: in floats 0.3 ms is not three times 0.1 ms, and a last pulse that fits would be dropped.
        for_us, pulse_us, period_us = (round(ms * 1000) for ms in (for_ms, pulse_ms, period_ms))
        # A pulse that `for_ms` would cut is dropped: a stimulus shorter than the others is no longer the same.
        return Train(self._channel.name, pulse_us, period_us, (for_us - pulse_us) // period_us + 1)


class SyncOut(Device):
    """A ``ttl_out`` with ``sync``: it belongs to the session, and no protocol can use it."""

    Config = TtlOutConfig
    of_session = True
    timing_key = "sync"

    def __init__(self, name: str, config: TtlOutConfig, sync: SyncConfig) -> None:
        super().__init__(name)
        # Without a limit: the board keeps it going for as long as the host is there.
        self._channel = Output(name, Role.LINE, config.pin, inverted=config.inverted)
        self._sync = sync

    def code(self, seed: int) -> Code:
        """Return the order that starts the signal; ``seed`` decides the words of its codes."""
        sync = self._sync
        return Code(self._channel.name, sync.period_us, sync.bit_us, sync.code_bits, seed if sync.code_bits else 0)

    def signal(self, streams: RandomStreams) -> Code:
        """Return the order that starts the signal, with words of the session's own."""
        return self.code(streams(f"sync.{self.name}").integer(0, 0xFFFF_FFFF))


class TtlIn(Device):
    """A digital input from another machine, such as the frame signal of a camera."""

    Config = TtlInConfig
    rose: EdgePattern
    fell: EdgePattern
    high: LevelPattern
    low: LevelPattern

    def __init__(self, name: str, config: TtlInConfig) -> None:
        super().__init__(name)
        # A machine's signal does not bounce, and is no sign of the animal's activity.
        self._channel = Input(name, Role.IN, config.pin, config.debounce_us, 0, 0, config.inverted, machine=True)
        channel = self._channel.name
        self.rose, self.fell = EdgePattern(channel, 1), EdgePattern(channel, 0)
        self.high, self.low = LevelPattern(channel, 1), LevelPattern(channel, 0)

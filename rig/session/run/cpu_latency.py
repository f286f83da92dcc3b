"""Keep the processor out of deep idle states while a real session waits for edges.

Leaving an idle state takes longer than the driver's handling of an edge, and the caches are cold afterwards. Linux
accepts a maximum wake-up latency from a program (PM QoS, Documentation/power/pm_qos_interface.rst), as real-time
audio uses it. Root may set it, or a user named in a udev rule; elsewhere this does nothing.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

MAX_LATENCY_US = 0
DEVICE = "/dev/cpu_dma_latency"


class KeepCpuAwake:
    """Request for a wake-up latency of 0 us: ``with KeepCpuAwake() as awake``; ``awake.active`` is False if refused."""

    def __init__(self, device: str = DEVICE) -> None:
        self._device = device
        self._file: BinaryIO | None = None

    @property
    def active(self) -> bool:
        """Whether the request is in effect."""
        return self._file is not None

    def __enter__(self) -> KeepCpuAwake:
        try:
            # The kernel keeps the request as long as this file is open.
            self._file = open(self._device, "r+b", buffering=0)
            self._file.write(struct.pack("=i", MAX_LATENCY_US))
        except OSError:
            self.__exit__()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

"""The processor, kept from falling asleep while a real session waits for the next edge.

To wake it takes longer than all that the driver does with an edge, and finds every cache cold. Linux lets a program
say how much delay it bears (the kernel's PM QoS interface, Documentation/power/pm_qos_interface.rst), as real-time
audio does; that is root's, or whose a udev rule says. Where it is not allowed, or not Linux, nothing is done.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

MAX_LATENCY_US = 0
DEVICE = "/dev/cpu_dma_latency"


class KeepCpuAwake:
    """Keep the processor awake: ``with Awake() as awake``; ``awake.held`` tells whether that is allowed here."""

    def __init__(self, device: str = DEVICE) -> None:
        self._device = device
        self._file: BinaryIO | None = None

    @property
    def active(self) -> bool:
        """Whether the processor is kept awake now."""
        return self._file is not None

    def __enter__(self) -> KeepCpuAwake:
        try:
            self._file = open(self._device, "r+b", buffering=0)
            self._file.write(struct.pack("=i", MAX_LATENCY_US))
        except OSError:
            self.__exit__()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

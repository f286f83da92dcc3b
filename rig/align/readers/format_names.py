"""The names of the formats and units of other systems. The command line reads them, so this module imports nothing."""

from __future__ import annotations

CSV, OPEN_EPHYS, SPIKEGLX, NWB = "csv", "open-ephys", "spikeglx", "nwb"
FORMATS = (CSV, OPEN_EPHYS, SPIKEGLX, NWB)
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "d": 86_400.0}
"""The units of times, with the seconds that each has."""
SAMPLES = "samples"
"""The unit of times that count samples: they need a rate."""

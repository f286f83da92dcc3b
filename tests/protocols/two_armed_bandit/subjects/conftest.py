"""The small rig of the simulator's tests, for virtual mice."""

from tests.sim_hardware.conftest import plan

__all__ = ["plan"]

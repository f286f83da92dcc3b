"""What a journal shows to have left the valves."""

from __future__ import annotations

from rig.core.given import drops as drops

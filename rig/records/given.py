"""What a journal shows to have left valves and feeders."""

from __future__ import annotations

from rig.core.given import gifts as gifts

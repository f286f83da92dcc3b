"""The faults that the property tests inject into a session, by name."""

from __future__ import annotations

from tests.harness import FaultHarness


def inject(harness: FaultHarness, kind: str, amount: float) -> None:
    """Let one fault happen."""
    if kind in ("stall", "block_input", "delay"):
        getattr(harness, kind)(amount)
    elif kind == "silence":
        harness.stall(amount)
        harness.block_input(amount)
    elif kind == "reset":
        harness.rig.board.reset()
    elif kind == "unplug":
        harness.rig.cable.disconnect()
    elif kind == "stop_now":
        harness.session.stop_now()
    else:
        harness.request(kind)

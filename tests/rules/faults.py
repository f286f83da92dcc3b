"""The faults that the property tests inject into a session, by name."""

from __future__ import annotations

from tests.support import Stage


def inject(stage: Stage, kind: str, amount: float) -> None:
    """Let one mishap happen."""
    if kind in ("stall", "deafen", "delay"):
        getattr(stage, kind)(amount)
    elif kind == "silence":
        stage.stall(amount)
        stage.deafen(amount)
    elif kind == "reset":
        stage.rig.board.reset()
    elif kind == "unplug":
        stage.rig.cable.disconnect()
    elif kind == "hurry":
        stage.session.hurry()
    else:
        stage.request(kind)

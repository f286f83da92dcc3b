"""The lamp of a box: how its session is, or what keeps one from starting."""

from __future__ import annotations

from rig.supervisor.box import Box, BoxState
from rig.supervisor.box_facts import BoxFacts
from rig.supervisor.table import BAD, CARE, board_text, last_warning, state_text
from rig.window.lamp import Lamp, Level

NO_ANSWER = "the program of the session does not answer: end it, and go there"


def box_lamp(box: Box, facts: BoxFacts | None) -> Lamp:
    """Return the lamp of a box; the problem of its next session counts only while none runs."""
    warning = last_warning(box)
    if box.has_failed or warning.style == BAD:
        return Lamp(Level.FAILURE, warning.plain)
    if box.is_active:
        return _running(box, warning.plain)
    if facts is not None and facts.problem:
        return Lamp(Level.WARNING, facts.problem)
    return Lamp(Level.ENDED, box.ended) if box.state is BoxState.ENDED else Lamp(Level.WAITING, "not started")


def _running(box: Box, warning: str) -> Lamp:
    board = board_text(box)
    if box.state is BoxState.STARTING:
        return Lamp(Level.WAITING, NO_ANSWER if box.is_silent else "starting")
    if board.style == BAD:
        return Lamp(Level.FAILURE, NO_ANSWER)
    if board.style == CARE or state_text(box).style == CARE:
        return Lamp(Level.WARNING, warning or board.plain if board.style == CARE else "paused")
    return Lamp(Level.OK, "the session runs")

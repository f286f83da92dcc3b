"""A T-maze on a harness: laps as a script, and what the board did in them."""

from typing import Any

from tests.harness import FaultHarness, Pokes, run_harness, scripted_subject
from tests.session_specs import protocol_spec

CONFIRM_ON_S, CONFIRM_OFF_S = 0.001, 0.3
TO_SITE_S = 3.0
"""From the start zone to a site."""


def visit(place: str, at_s: float, for_s: float) -> Pokes:
    """Come to a place, and leave it."""
    return [(at_s, place, 1), (at_s + for_s, place, 0)]


def lap(at_s: float, side: str, stay_s: float) -> Pokes:
    """Start, run up the stem, and stay at a site for so long; the way back is the next lap's."""
    ways = [visit("start", at_s, 0.5), visit("choice", at_s + 1.5, 0.5), visit(side, at_s + TO_SITE_S, stay_s)]
    return [move for way in ways for move in way]


def run(
    *moves: Pokes, stop_session_s: float = 120, rig: Any = None, maze: str | None = None, **values: Any
) -> FaultHarness:
    """Play a session of three pellets on the left after two seconds, unless ``values`` say otherwise."""
    settings = {
        key: values.pop(key) for key in ("arrange", "carried_over", "cut", "seed", "faults", "loop") if key in values
    }
    asked = {"initial_delay_s": 2, "delayed_side": "left", "stop_session_s": stop_session_s, **values}
    prepared = protocol_spec("delay_discounting", maze, **asked)
    return run_harness(prepared if rig is None else rig(prepared), scripted_subject(*moves), **settings)


def tones(harness: FaultHarness) -> list[tuple[float, int]]:
    """When tones began, and their frequencies."""
    return [(t_us / 1e6, hz) for t_us, hz in harness.changes("speaker.tone") if hz]


def pulses(harness: FaultHarness, side: str) -> list[float]:
    """When the feeder of a side was turned on by a pellet."""
    return [t_us / 1e6 for t_us, value in harness.changes(f"{side}_feeder.feeder") if value]


def jam(*stuck: int) -> Any:
    """Let some of the pulses of the session, counted from 0, bring no pellet."""

    def arrange(harness: FaultHarness) -> None:
        harness.rig.world.jams = frozenset(stuck)

    return arrange

"""What a simulated chip does to its outputs, each change at the cycle at which it makes it."""

from collections.abc import Callable
from typing import Any

from tests.harness import FaultHarness


def watch_outputs(harness: FaultHarness, changed: Callable[[str, float, int], None]) -> None:
    """Call ``changed`` with an output's name, the time in seconds and the new value."""
    board: Any = harness.rig.board
    names = {channel.pin: channel.name for channel in harness.spec.plan.wiring.channels}
    drive = board._drive

    def driven(pin: int, value: int) -> None:
        changed(names[pin], board.exact_us_of(board.driven_at) / 1e6, value)
        drive(pin, value)

    board._drive = driven

"""The titration of the delay in a session: a step longer or shorter with every choice."""

from __future__ import annotations

from protocols.delay_discounting.params import Params


class Titration:
    """The delay in force: longer after the delayed side, shorter after the other."""

    def __init__(self, params: Params, delay_s: int) -> None:
        self.delay_s = delay_s
        self._params = params

    def update(self, *, delayed: bool) -> None:
        """Update the delay with a choice."""
        step = self._params.delay_step_s
        moved = self.delay_s + (step if delayed else -step)
        self.delay_s = min(max(moved, self._params.delay_min_s), self._params.delay_max_s)

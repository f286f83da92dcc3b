"""The laser of the two-armed bandit: started by a poke, after a delay timed by the board, within the trial only."""

from __future__ import annotations

from typing import Any

from protocols.two_armed_bandit.params import LaserParams
from protocols.two_armed_bandit.rows import Trial
from rig import Task, TtlOut


class Laser:
    """The laser of a session; it is not used without its device or its parameters.

    Its pulses are one sequence on the board, started by a second sequence, the delay; so the board reports their start.
    """

    def __init__(
        self, task: Task[Any, Any, Any], params: LaserParams | None, device: TtlOut | None, min_poke_ms: float
    ) -> None:
        self._task, self._params = task, params
        self._fired_s: float | None = None
        if params is None or device is None:
            return
        self._flashes = task.sequence((0, device.flashes(params.duration_ms, params.pulse_ms, params.period_ms)))
        delay_ms = max(0.0, params.delay_ms - min_poke_ms)  # the poke is so old when the board reports it
        self._delay = task.sequence((delay_ms / 1000, self._flashes.start_action))

    def draw(self) -> bool:
        """Draw whether the next trial has a laser."""
        self._fired_s = None
        return self._params is not None and self._task.stream("laser").bernoulli(self._params.p)

    def start(self, at: str, row: Trial) -> None:
        """Start the delay at its poke, in a trial with a laser."""
        if row.drawn_laser and self._params is not None and self._params.at == at:
            self._delay.start()
            self._fired_s = self._task.now_s

    def record(self, row: Trial) -> bool:
        """Record when the laser started in this trial; return whether it can no longer start."""
        if self._fired_s is None:
            return True
        began_s = self._task.began_s(self._flashes)
        # A start before the poke is that of an earlier trial.
        if began_s is None or began_s < self._fired_s:
            return False
        row.laser, row.t_laser = 1, began_s
        return True

    def cancel(self) -> None:
        """Cancel the delay before the laser starts."""
        self._delay.stop()

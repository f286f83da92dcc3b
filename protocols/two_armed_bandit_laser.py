"""The laser of the two-armed bandit: fired by a poke, after a delay that the board keeps, and only within its trial."""

from __future__ import annotations

from typing import Any

from protocols.two_armed_bandit_params import LaserParams
from protocols.two_armed_bandit_rows import Trial
from rig import Task, TtlOut


class Laser:
    """The laser of a session; without its device and its parameters it is in no trial.

    Its pulses are one sequence on the board, the delay that starts them another: so the board says when they began.
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
        """Draw whether the next trial has it."""
        self._fired_s = None
        return self._params is not None and self._task.stream("laser").bernoulli(self._params.p)

    def start(self, at: str, row: Trial) -> None:
        """Start it, in a trial that has it, at the poke that it follows."""
        if row.drawn_laser and self._params is not None and self._params.at == at:
            self._delay.start()
            self._fired_s = self._task.now_s

    def record(self, row: Trial) -> bool:
        """Write when it came on in this trial; return whether it can come on no more."""
        if self._fired_s is None:
            return True
        began_s = self._task.began_s(self._flashes)
        if began_s is None or began_s < self._fired_s:
            return False
        row.laser, row.t_laser = 1, began_s
        return True

    def cancel(self) -> None:
        """Stop its delay, before it has come on."""
        self._delay.stop()

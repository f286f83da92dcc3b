"""The running display where there is no terminal: a line now and then, and one for each warning."""

from __future__ import annotations

from collections.abc import Callable

from rig.live.display_loop import SessionStatus
from rig.live.progress import Progress
from rig.terminal.format import clock, outcomes, param_texts, pluralize, prefixed

EVERY_TRIALS = 50
EVERY_S = 300.0


class TextDisplay:
    """Says a line through ``say`` for every so many trials, for a while without any, for a warning, for a parameter."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._warned = 0
        self._set: dict[str, object] = {}
        self._trials = 0
        self._said_s = 0.0
        self._held = False

    def update(self, progress: Progress) -> None:
        """Print new warnings and parameters, and the progress after every ``EVERY_TRIALS`` trials."""
        self._tell_warnings(progress)
        if progress.set != self._set:
            self._set = dict(progress.set)
            self._say(f"{clock(progress.t_us / 1e6)}  set: {', '.join(param_texts(progress.set))}")
        if progress.trials >= self._trials + EVERY_TRIALS:
            self._tell(progress, progress.t_us / 1e6)

    def render(self, progress: Progress, now: SessionStatus) -> None:
        """Print new warnings, one of them when the program becomes unresponsive, and the progress after ``EVERY_S``."""
        self._tell_warnings(progress)
        if now.unresponsive_text and not self._held and progress.footer is None:
            self._say(f"{clock(now.elapsed_s)}  warning: {now.unresponsive_text}")
        self._held = bool(now.unresponsive_text)
        if progress.footer is None and now.elapsed_s >= self._said_s + EVERY_S:
            self._tell(progress, now.elapsed_s)

    def _tell_warnings(self, progress: Progress) -> None:
        for warned in progress.warnings[self._warned :]:
            self._say(f"{clock(warned.t_us / 1e6)}  warning: {warned.text}")
        self._warned = len(progress.warnings)

    def _tell(self, progress: Progress, t_s: float) -> None:
        self._trials = progress.trials
        self._said_s = t_s
        trials = pluralize(progress.trials, "trial")
        self._say(f"{clock(t_s)}  {trials}, {progress.amount}{prefixed(outcomes(progress.outcomes))}")

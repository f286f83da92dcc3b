"""What a board says afterwards of the openings of a session, and what that decides of its rewards in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rig.core.journal.delivered import MAX_UNRECORDED_US
from rig.core.journal.kinds import Openings
from rig.core.model.board import KeptOpening
from rig.core.model.channels import gives_rewards
from rig.records.openings.expected import ExpectedOpenings
from rig.records.openings.match import Decision, SeenOpening, decide

_CLOCK = 1 << 32
_NUMBERS = 1 << 16
_EPOCHS = 255
NOTHING_LOST = float("-inf")


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """The openings that a board has kept, oldest first; ``source`` is a port, or the session that has asked.

    ``power_ons`` is how often the board has lost what it had kept.
    """

    uid: str
    power_ons: int
    kept: tuple[KeptOpening, ...]
    source: str

    @classmethod
    def of(cls, line: Openings, source: str) -> BoardAnswer:
        """Return the answer that a journal holds."""
        return cls(line.uid, line.power_ons, line.kept, source)


def decide_rewards(followed: ExpectedOpenings, opened: Openings, answer: BoardAnswer) -> dict[int, Decision]:
    """Return what became of a session's rewards in doubt, by their numbers; what cannot be decided is not in it.

    ``opened`` is the session's own line, and the last one of a session that has gone on after a break.
    """
    if answer.power_ons != opened.power_ons:
        return {}  # the openings of this session are lost
    session = _Session(opened, followed)
    seen = session.seen(session.own(answer.kept))
    covered_from_us = NOTHING_LOST
    if session.is_partly_forgotten(answer.kept):
        # The oldest opening tells only from when on all are known.
        covered_from_us = seen[0].t_us + 1 if seen else float("inf")
        seen = seen[1:]
    return decide(followed.expected(), [opening for opening in seen if gives_rewards(opening.output)], covered_from_us)


class _Session:
    """The time axis and the epochs of one session, for the openings of a board."""

    def __init__(self, opened: Openings, followed: ExpectedOpenings) -> None:
        self._stamp = opened.stamp
        self._tick_ns = opened.tick_ns
        self._zero_us = opened.t_us
        self._channels = opened.channels
        # Number 0 was before the first one.
        self._last = opened.kept[-1].number if opened.kept else 0
        first = opened.epoch
        self._epochs = {(first - 1 + later) % _EPOCHS + 1 for later in range(followed.expirations + 1)}
        self._latest = self._ticks(followed.t_us + MAX_UNRECORDED_US)

    def _ticks(self, t_us: int) -> int:
        """Convert a time of the session to ticks since the board was opened."""
        return (t_us - self._zero_us) * 1000 // self._tick_ns

    def own(self, kept: Iterable[KeptOpening]) -> list[KeptOpening]:
        """Return the openings of the session, oldest first."""
        return [
            opening
            for opening in kept
            if opening.epoch in self._epochs
            and 0 < (opening.number - self._last) % _NUMBERS < _NUMBERS // 2
            and opening.channel < len(self._channels)
        ]

    def is_partly_forgotten(self, kept: Sequence[KeptOpening]) -> bool:
        """Whether the first openings of the session may be forgotten, because the board has opened so often since."""
        return bool(kept) and 1 < (kept[0].number - self._last) % _NUMBERS < _NUMBERS // 2

    def seen(self, own: Sequence[KeptOpening]) -> list[SeenOpening]:
        """Return the openings in the time of the session, oldest first."""
        openings = []
        latest = self._latest
        # Backward: each began before the next one, and the last one not long after the last line.
        for opening in reversed(own):
            ticks = latest - (latest - (opening.stamp - self._stamp)) % _CLOCK
            latest = ticks
            us = opening.ticks * self._tick_ns // 1000 if opening.state == "ended" else None
            t_us = self._zero_us + ticks * self._tick_ns // 1000
            openings.append(SeenOpening(self._channels[opening.channel], t_us, us))
        return openings[::-1]

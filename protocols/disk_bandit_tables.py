"""Tables of the eight-disk bandit: pecks, points and answers; and the records of its disks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from protocols.disk_bandit_disk_layout import OFF_TARGET, disk_of
from rig import OneOf, Reward, Row, Touch, to_us


@dataclass
class Peck(Row):
    """One peck, or one click; times are seconds of the session, empty if they do not apply."""

    t: float
    x_cm: float | None
    y_cm: float | None
    disk: int
    vi_s: float | None = None
    prev_vi_s: float | None = None
    on_target: int = 0
    armed_before: int = 0
    rewarded: int = 0
    interval_drawn_s: float | None = None
    since_last_reward_s: float | None = None
    block: int = 1
    phase: Annotated[str, OneOf("respond", "reward", "iti", "free", "sample", "pending")] = "respond"
    color: str = ""
    in_margin: int = 0
    since_last_chosen_s: float | None = None
    p_reward: float | None = None
    session: int = 1
    trial: int | None = None
    latency_s: float | None = None
    eaten_s: float | None = None

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Update ``rewarded`` if the board has not delivered the reward."""
        if rewards:
            self.rewarded = int(any(reward.status == "delivered" for reward in rewards))


@dataclass
class CollectedPoint(Row):
    """A point: when its box was lit, and when it was clicked; empty if the point was lost."""

    session: int
    disk: int
    t_lit: float
    t_collected: float | None = None


@dataclass
class QuestionnaireAnswer(Row):
    """An answer to a question, as typed."""

    session: int
    question: str
    answer: str
    t_asked: float
    t_answered: float


class DiskRecords:
    """Records of the disks in a session: color, schedule, and times of the last pecks and rewards."""

    def __init__(
        self,
        colors: Mapping[int, str],
        *,
        vi_s: Mapping[int, float],
        previous_vi_s: Mapping[int, float],
        p: Mapping[int, float],
        block_s: float,
        began_s: float = 0.0,
        session: int = 1,
    ) -> None:
        self.pecks = dict.fromkeys(colors, 0)
        self._colors, self._vi_s, self._previous_vi_s, self._p = colors, vi_s, previous_vi_s, p
        self._block_us, self._began_us, self._session = to_us(block_s), to_us(began_s), session
        self._chosen_s: dict[int, float] = {}
        self._paid_s: dict[int, float] = {}

    def row(self, touch: Touch, phase: str) -> Peck:
        """Build the row of a peck."""
        disk = disk_of(touch)
        row = Peck(
            t=touch.t_s,
            x_cm=touch.x_cm,
            y_cm=touch.y_cm,
            disk=disk,
            block=self.block(touch.t_s),
            phase=phase,
            session=self._session,
        )
        if disk != OFF_TARGET:
            row.on_target, row.in_margin, row.color = 1, int(touch.in_margin), self._colors[disk]
            row.vi_s, row.prev_vi_s = self._vi_s.get(disk), self._previous_vi_s.get(disk)
            row.p_reward = self._p.get(disk)
            if disk in self._paid_s:
                row.since_last_reward_s = touch.after_s(self._paid_s[disk])
            if disk in self._chosen_s:
                row.since_last_chosen_s = touch.after_s(self._chosen_s[disk])
        return row

    def block(self, t_s: float) -> int:
        """Return the number of the block that a time is in, from 1."""
        return (to_us(t_s) - self._began_us) // self._block_us + 1

    def chosen(self, row: Peck) -> None:
        """Record a peck that counts."""
        self._chosen_s[row.disk] = row.t
        self.pecks[row.disk] += 1

    def paid(self, row: Peck) -> None:
        """Record a peck that is rewarded."""
        self._paid_s[row.disk] = row.t

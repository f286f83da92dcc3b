"""Tables of the eight-disk bandit: pecks, points and answers; and the records of its disks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from protocols.disk_bandit.disk_layout import OFF_TARGET, disk_of
from rig import Column, OneOf, Reward, Row, Touch, to_us


@dataclass
class Peck(Row):
    """One peck, or one click; times are seconds of the session, empty if they do not apply."""

    t: Annotated[float, Column("when the screen was touched")]
    x_cm: Annotated[float | None, Column("horizontal position of the touch, from the left edge of the screen")]
    y_cm: Annotated[float | None, Column("vertical position of the touch, from the lower edge of the screen")]
    disk: Annotated[
        int, Column("number of the disk: its location, from 0; 8 is the disk of autoshaping, -1 is beside the disks")
    ]
    vi_s: Annotated[float | None, Column("mean of the disk's variable interval in this session")] = None
    prev_vi_s: Annotated[
        float | None, Column("mean interval of this location in the subject's last session with intervals")
    ] = None
    on_target: Annotated[int, Column("1 for a touch of a disk or of its margin")] = 0
    armed_before: Annotated[
        int, Column("1 if a reward waited at the disk; with probabilities, if the draw for this peck gave a reward")
    ] = 0
    rewarded: Annotated[int, Column("1 if the peck was rewarded")] = 0
    interval_drawn_s: Annotated[
        float | None, Column("next interval of the disk, drawn after a rewarded peck; empty without one")
    ] = None
    since_last_reward_s: Annotated[
        float | None, Column("time since the last reward of this disk in this session; empty before the first")
    ] = None
    block: Annotated[int, Column("number of the block of time within the session, counted from 1")] = 1
    phase: Annotated[
        str,
        OneOf("respond", "reward", "iti", "free", "sample", "pending"),
        Column(
            "what went on: disks shown (respond), hopper up (reward), pause of autoshaping (iti), reward without a "
            "peck (free), sample trial of a person (sample), box lit for a click (pending)"
        ),
    ] = "respond"
    color: Annotated[str, Column("color of the disk; empty beside the disks")] = ""
    in_margin: Annotated[int, Column("1 if the touch was beside the disk, within its margin")] = 0
    since_last_chosen_s: Annotated[
        float | None, Column("time since the last peck on this disk, those while the hopper was up left out")
    ] = None
    p_reward: Annotated[
        float | None, Column("probability of reward of the disk, in sessions with probabilities", unit="probability")
    ] = None
    session: Annotated[
        int, Column("with people: the session within the visit, 1 to 6, 0 for the sample trial; otherwise 1")
    ] = 1
    trial: Annotated[
        int | None, Column("in autoshaping, at a reward: how many disks have been shown so far; otherwise empty")
    ] = None
    latency_s: Annotated[float | None, Column("in autoshaping: time from the disk's appearance to the peck")] = None
    eaten_s: Annotated[
        float | None, Column("after a rewarded peck: how long a head was in the hopper; empty without a beam")
    ] = None

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Update ``rewarded`` if the board has not delivered the reward."""
        if rewards:
            self.rewarded = int(any(reward.status == "delivered" for reward in rewards))


@dataclass
class CollectedPoint(Row):
    """A point: when its box was lit, and when it was clicked; empty if the point was lost."""

    session: Annotated[int, Column("the session within the visit, 1 to 6; 0 for the sample trial")]
    disk: Annotated[int, Column("number of the disk that gave the point")]
    t_lit: Annotated[float, Column("when the box was lit")]
    t_collected: Annotated[float | None, Column("when the lit box was clicked; empty if the point was lost")] = None


@dataclass
class QuestionnaireAnswer(Row):
    """An answer to a question, as typed."""

    session: Annotated[int, Column("the session within the visit after which the question was asked")]
    question: Annotated[str, Column("the question as it was shown")]
    answer: Annotated[str, Column("the answer as it was typed")]
    t_asked: Annotated[float, Column("when the question appeared")]
    t_answered: Annotated[float, Column("when the answer was entered")]


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

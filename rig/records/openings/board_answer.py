"""What a board says afterwards of the openings of a session, and what that decides of its rewards in doubt.

The board keeps of each opening what has caused it. So an opening that no given reward explains is the reward in doubt
that this cause gives, and a reward without an opening was not given. Whatever cannot be decided stays in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from rig.core.journal.delivered import MAX_UNRECORDED_US
from rig.core.journal.kinds import Openings, RewardLine
from rig.core.model.actions import RewardAction, Train
from rig.core.model.board import KeptOpening
from rig.core.model.channels import device_of, gives_rewards
from rig.core.model.line import LONGEST_US
from rig.core.model.reward import RewardStatus, unit_of
from rig.records.openings.rewards_in_doubt import TOLERANCE_US, ActionKey, DoubtfulReward, RewardsInDoubt

_CLOCK = 1 << 32
_NUMBERS = 1 << 16
_EPOCHS = 255


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """The openings that a board has kept, oldest first; ``source`` is a port, or the session that has asked.

    ``power_ons`` is how often the board has lost what it had kept.
    """

    uid: str
    power_ons: int
    kept: tuple[KeptOpening, ...]
    source: str


class _Opening(NamedTuple):
    """An opening of a device that gives rewards, in the time and the terms of the journal."""

    t_us: int
    device: str
    key: ActionKey
    action: RewardAction | None
    """What its cause gives, as the journal shows it."""


def decide_rewards(doubt: RewardsInDoubt, opened: Openings, answer: BoardAnswer) -> dict[int, RewardLine]:
    """Return what became of a session's rewards in doubt, by their numbers; what cannot be decided is not in it.

    ``opened`` is the session's own line, and the last one of a session that has gone on after a break.
    """
    openings, kept_from_us = _openings(doubt, opened, answer)
    given, unopened, rest = list(doubt.given), list(doubt.given), dict(doubt.rewards)
    decided: dict[int, RewardLine] = {}
    for opening in openings:
        first = next((reward for reward in unopened if _pulse(opening, *reward) == 0), None)
        if first is not None:
            unopened.remove(first)
        elif not any(_pulse(opening, *reward) for reward in given):
            line = _given_by(opening, rest.values(), kept_from_us)
            if line is None:
                return {}  # it may be any reward that seems to have no opening
            decided[line.id] = line
            given.append((line.t_us, line.source))
            del rest[line.id]
    # Without power the board forgets. A drop that fell has its opening, or these are not the session's, or not all.
    if answer.power_ons != opened.power_ons or any(t_us > kept_from_us for t_us, _ in unopened):
        return {}
    return decided | {number: reward.not_given for number, reward in rest.items() if reward.from_us > kept_from_us}


def _openings(doubt: RewardsInDoubt, opened: Openings, answer: BoardAnswer) -> tuple[list[_Opening], float]:
    """Return the openings of a session, oldest first, and the time since which the board has forgotten none."""
    # Number 0 was before the first one.
    last = opened.kept[-1].number if opened.kept else 0
    later = [opening for opening in answer.kept if 0 < (opening.number - last) % _NUMBERS < _NUMBERS // 2]
    kept_from_us = float("inf" if later and (later[0].number - last) % _NUMBERS > 1 else "-inf")
    channels = dict(enumerate(opened.channels))
    openings: list[_Opening] = []
    ticks = (doubt.t_us + MAX_UNRECORDED_US - opened.t_us) * 1000 // opened.tick_ns
    # Backward: each began before the next one, and the last one not long after the last line.
    for opening in reversed(later):
        if (opening.epoch - opened.epoch) % _EPOCHS <= doubt.expirations:
            ticks -= (ticks + opened.stamp - opening.stamp) % _CLOCK
            t_us = opened.t_us + ticks * opened.tick_ns // 1000
            kept_from_us = min(kept_from_us, t_us)
            channel, key = channels.get(opening.channel, ""), _key(opening, opened, channels)
            if gives_rewards(channel):
                openings.append(_Opening(t_us, device_of(channel), key, doubt.actions.get(key)))
    return openings[::-1], kept_from_us


def _key(opening: KeptOpening, opened: Openings, channels: Mapping[int, str]) -> ActionKey:
    """Return the cause of an opening in the terms of the journal."""
    if opening.cause == "reflex":
        return "reflex", opening.by, (channels.get(opening.part & 0x7F), opening.part >> 7)
    # The board counts also the batches that configured it.
    before = opened.batches if opening.cause == "order" and opening.epoch == opened.epoch else 0
    return opening.cause, (opening.by - before) & 0xFF, opening.part


def _pulse(opening: _Opening, t_us: int, device: str) -> int | None:
    """Return which pulse of a given reward an opening is, from 0; None if it is none of it."""
    train = opening.action.action if opening.action is not None else None
    period_us, count = (train.period_us, train.count) if isinstance(train, Train) else (LONGEST_US, 1)
    number, late_us = divmod(opening.t_us - t_us + TOLERANCE_US, period_us)
    return number if opening.device == device and 0 <= number < count and late_us <= 2 * TOLERANCE_US else None


def _given_by(opening: _Opening, doubtful: Iterable[DoubtfulReward], kept_from_us: float) -> RewardLine | None:
    """Return the line of the reward in doubt that an opening is; None if no such reward has its cause."""
    rewards = [reward for reward in doubtful if reward.from_us <= opening.t_us and reward.may_be_of(opening.key)]
    if not rewards:
        return None
    # Of several that which seems to have no other opening, so that no total is too low: not one of before what is kept,
    # whose own may be forgotten, nor that of a reflex, which may have other causes. Of equal ones the largest.
    cause = opening.key[0]
    rewards.sort(key=lambda reward: (reward.from_us > kept_from_us, reward.line.cause == cause, reward.line.amount))
    line = replace(rewards[-1].line, t_us=opening.t_us, status=RewardStatus.DELIVERED, source=opening.device)
    if line.cause != "reflex" or opening.action is None:
        return line
    # Until it has fired, a reflex has the largest amount of its members.
    amount = opening.action.amount
    return replace(line, amount=getattr(amount, unit_of(amount)), unit=unit_of(amount))

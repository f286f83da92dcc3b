"""Conditions of delay discounting: delay, reward and side of a session, drawn from a pool without repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from protocols.delay_discounting.params import Params, PoolParams
from rig import ConfigError, Stream

SIDES = ("left", "right")


def other(side: str) -> str:
    """Return the opposite side."""
    return SIDES[1 - SIDES.index(side)]


@dataclass(frozen=True)
class Condition:
    """The condition of a session; ``blocked`` is the side that is closed in training."""

    large_pellets: int
    initial_delay_s: int
    delayed_side: str
    blocked: str = ""

    def is_delayed(self, side: str) -> bool:
        """Whether a side is the one with the large reward and the delay."""
        return side == self.delayed_side


def draw_condition(
    params: Params, carried_over: Mapping[str, Any], stream: Stream, sides: Stream
) -> tuple[Condition, dict[str, object]]:
    """Draw a session's condition; return it, and the state to carry over if the session counts.

    A session that crashes does not use up its draw. Raises ``ConfigError`` when the pool is exhausted.
    """
    if params.blocked != "none":
        return _blocked(params, carried_over, sides)
    pools = dict(carried_over.get("pools", {}))
    pool = dict(pools.get(params.pool.name, {}))
    drawn = (params.large_pellets, params.initial_delay_s)
    if params.initial_delay_s is None:
        left = _left(params, pool.get("had", ()))
        drawn = stream.choice(left)
        # All are left when the pool is new or has been renewed.
        had = pool.get("had", ()) if len(left) < len(conditions(params)) else ()
        pool["had"] = [*(list(each) for each in had), list(drawn)]
    side: str = params.delayed_side
    if side == "counterbalanced":
        side, *pool["sides"] = pool.get("sides") or counterbalanced(sides, len(conditions(params)), params.side_run_max)
    pools[params.pool.name] = pool
    return Condition(drawn[0], drawn[1] or 1, side), {**carried_over, "pools": pools}


def conditions(params: Params) -> list[tuple[int, int]]:
    """Return all conditions of a pool: pellets of the large reward, and the delay at the start."""
    return list(product(params.pool.ratios or (params.large_pellets,), params.pool.delays_s))


def _left(params: Params, had: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the conditions that the subject has not had yet. Raises ``ConfigError`` if there are none."""
    left = conditions(params)
    for pellets, delay_s in had:
        if (pellets, delay_s) in left:
            left.remove((pellets, delay_s))
    if left:
        return left
    if not params.pool.renew:
        raise ConfigError(_exhausted(params.pool, len(had)))
    return conditions(params)


def _exhausted(pool: PoolParams, had: int) -> str:
    return (
        f"params.pool: the subject has had all {had} conditions of the pool '{pool.name}': to begin it again, give "
        "--set params.pool.renew=true; for another round of its own, --set params.pool.name=NAME"
    )


def counterbalanced(stream: Stream, count: int, run_max: int) -> list[str]:
    """Draw sides: both equally often, and none more than ``run_max`` times in a row."""
    first = stream.choice(SIDES)  # for an odd count this side has one more
    left = {first: count - count // 2, other(first): count // 2}
    sides: list[str] = []
    run = 0
    while len(sides) < count:
        side = stream.choice([side for side in SIDES for _ in range(left[side])])
        last = sides[-1] if sides else ""
        if not _may_follow(side, last, run, left, run_max):
            side = other(side)
        run = run + 1 if side == last else 1
        left[side] -= 1
        sides.append(side)
    return sides


def _may_follow(side: str, last: str, run: int, left: Mapping[str, int], run_max: int) -> bool:
    """Whether a side may be next, such that the remaining sides still have a valid order."""
    run = run + 1 if side == last else 1
    # Each of the others can separate run_max of these, and the present run may still grow to run_max; the others fit
    # before, between and behind these.
    these, others = left[side] - 1, left[other(side)]
    return run <= run_max and these <= run_max * others + run_max - run and others <= run_max * (these + 1)


def _blocked(params: Params, carried_over: Mapping[str, object], sides: Stream) -> tuple[Condition, dict[str, object]]:
    """Return which side is blocked today."""
    side: str = params.blocked
    last = carried_over.get("blocked_side")
    if side == "alternate":
        side = other(last) if last in SIDES else sides.choice(SIDES)
    # The blocked side stands for the delayed one, so that the open side has the small reward (Papale et al. 2012).
    return Condition(params.small_pellets, params.small_delay_s, side, side), {**carried_over, "blocked_side": side}

"""The bonus of a grid in the grid bandit, as the paper has it and as its released code computes it."""

from __future__ import annotations

from protocols.searching.grid_bandit_params import OFFSET, GridParams
from protocols.searching.rounds import Round

POWER = 4
"""Of the largest reward the fourth power is paid (Wu et al. 2017)."""


def grid_bonus(params: GridParams, played: Round) -> float:
    """Return the bonus of a grid so far, at most an equal part of the highest bonus.

    A grid that was left earns what its clicks have earned: clicks that were not made count as nothing.
    """
    part = params.max_bonus / params.rounds
    share = _of_paper(params, played) if params.bonus == "paper" else _of_code(params, played)
    return part * min(max(share, 0.0), 1.0)


def _of_paper(params: GridParams, played: Round) -> float:
    """Return the share of an equal part: noisy and unscaled rewards over the best tile's (Wu et al. 2017)."""
    if params.payoff == "maximum":
        largest = max(draw.drawn for draw in (played.initial, *played.clicks))
        return float(max(largest, 0.0) / played.best) ** POWER
    return sum(draw.drawn for draw in played.clicks) / (played.best * played.plan.horizon)


def _of_code(params: GridParams, played: Round) -> float:
    """Return the share of the released code: shown points, that of the revealed tile included, over scale + 5.

    It divides by the clicks of a session, 240 = 8 grids of 30, so that an equal part is what 30 clicks earn.
    """
    top = played.plan.scale + OFFSET
    if params.payoff == "maximum":
        return float(played.largest / top) ** POWER
    mean_clicks = sum(map(params.horizon_of, range(params.rounds))) / params.rounds
    return played.score / top / mean_clicks

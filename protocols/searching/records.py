"""Rows of a search: what is written of a click and of a round."""

from __future__ import annotations

from protocols.searching.grids.places import Grid
from protocols.searching.rounds import Draw, Round
from protocols.searching.rows import SearchClick, SearchRound
from rig import Touch


def click_row(
    played: Round, draw: Draw, click: Touch, *, number: int, grid: Grid, reaction_s: float, condition: str
) -> SearchClick:
    """Return the row of the click that gave a draw."""
    plan, (x, y) = played.plan, grid.place(draw.tile)
    return SearchClick(
        t=click.t_s,
        round=number,
        trial=len(played.clicks),
        tile=draw.tile,
        x=x,
        y=y,
        latent=draw.latent,
        drawn=draw.drawn,
        shown=draw.shown,
        kept=int(not draw.below),
        score=played.score,
        below=None if plan.threshold is None else int(draw.below),
        reaction_s=reaction_s,
        threshold=plan.threshold,
        horizon=plan.horizon,
        condition=condition,
    )


def round_row(
    played: Round, *, number: int, bonus: float, guess: int | None, t_began: float, t_ended: float
) -> SearchRound:
    """Return the row of a round that is over, or was left."""
    plan, initial = played.plan, played.initial
    return SearchRound(
        round=number,
        environment=plan.environment,
        kernel=plan.kernel,
        scale=plan.scale,
        horizon=plan.horizon,
        threshold=plan.threshold,
        risk=plan.risk,
        initial_tile=plan.initial_tile,
        initial_latent=initial.latent,
        initial_drawn=initial.drawn,
        initial_shown=initial.shown,
        clicks=len(played.clicks),
        end=played.end or "left",
        score=played.score,
        largest=played.largest,
        bonus=bonus,
        guess_tile=guess,
        t_began=t_began,
        t_ended=t_ended,
    )

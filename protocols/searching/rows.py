"""Tables of a search for rewards: clicks, rounds, and answers to the questions about the instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rig import Column, OneOf, Row


@dataclass
class SearchClick(Row):
    """One click on a tile; the tile that a round reveals is no row, it stands in the table of rounds."""

    t: Annotated[float, Column("when the tile was clicked")]
    round: Annotated[int, Column("number of the round, from 1")]
    trial: Annotated[int, Column("number of the click in the round, from 1 to the horizon")]
    tile: Annotated[int, Column("number of the tile: y times the width, plus x")]
    x: Annotated[int, Column("column of the tile, from the left, from 0")]
    y: Annotated[int, Column("row of the tile, from the top, from 0")]
    latent: Annotated[float, Column("reward of the tile without noise, before it is rescaled")]
    drawn: Annotated[float, Column("reward of this click with its noise, before it is rescaled")]
    shown: Annotated[float, Column("reward of this click as it was shown")]
    kept: Annotated[int, Column("1 if the reward counts, 0 if it was lost")]
    score: Annotated[float, Column("points of the round after this click")]
    below: Annotated[int | None, Column("1 if the reward was below the threshold; empty without one")]
    reaction_s: Annotated[float, Column("time since the tiles appeared, or since the click before")]
    threshold: Annotated[float | None, Column("a reward below it ends the round; empty without one")]
    horizon: Annotated[int, Column("clicks that the round has")]
    condition: Annotated[str, Column("experimental condition of the round")]


@dataclass
class SearchRound(Row):
    """One round, written when it is over."""

    round: Annotated[int, Column("number of the round, from 1")]
    environment: Annotated[int, Column("number of the environment in the header's list, from 0")]
    kernel: Annotated[str, Column("name of the kernel with which the environment was drawn")]
    scale: Annotated[float, Column("scale of the rewards")]
    horizon: Annotated[int, Column("clicks that the round has")]
    threshold: Annotated[float | None, Column("a reward below it ends the round; empty without one")]
    risk: Annotated[str, OneOf("risky", "safe"), Column("whether rewards can be lost")]
    initial_tile: Annotated[int, Column("number of the revealed tile")]
    initial_latent: Annotated[float, Column("its reward without noise, before it is rescaled")]
    initial_drawn: Annotated[float, Column("its reward with noise, before it is rescaled")]
    initial_shown: Annotated[float, Column("its reward as it was shown")]
    clicks: Annotated[int, Column("clicks that were made")]
    end: Annotated[
        str,
        OneOf("all_clicks", "below", "left"),
        Column("how the round ended: after all clicks, below the threshold, or because the session ended"),
    ]
    score: Annotated[float, Column("points of the round")]
    largest: Annotated[float, Column("largest reward of the round that was shown, the revealed one included")]
    bonus: Annotated[float, Column("bonus of the round, in the laboratory's currency")]
    guess_tile: Annotated[int | None, Column("tile that the participant believed to be the best; empty if not asked")]
    t_began: Annotated[float, Column("when the tiles appeared")]
    t_ended: Annotated[float, Column("when the last click was made, or the session ended")]


@dataclass
class QuizAnswer(Row):
    """One answer to a question about the instructions."""

    attempt: Annotated[int, Column("1 for the first time that the questions were asked")]
    question: Annotated[int, Column("number of the question, from 1")]
    answer: Annotated[int, Column("number of the chosen answer, from 0")]
    correct: Annotated[int, Column("1 if it was the right one")]
    t_asked: Annotated[float, Column("when the question appeared")]
    t_answered: Annotated[float, Column("when the answer was pressed")]

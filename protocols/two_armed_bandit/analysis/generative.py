"""Simulated sessions of fitted policies, compared with the subjects' sessions (Beron et al. 2022, figure 7C)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from protocols.two_armed_bandit.analysis import agents, blocks, rates
from protocols.two_armed_bandit.analysis.likelihood import NGRAM, ScoredModel
from protocols.two_armed_bandit.analysis.simulate import TRIALS, TaskCondition
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Ints, sd
from rig.analysis.common.subjects import standard_error

SESSIONS = 1000
"""Simulated sessions per model, as in Beron et al. 2022."""

SUBJECTS = "subjects"


@dataclass(frozen=True)
class Played:
    """Results of a policy in simulated sessions; ``reward_se``, ``p_high_sd`` and ``p_switch_sd`` are over sessions."""

    name: str
    sessions: int
    rates: dict[str, float]
    reward_se: float
    p_high_sd: float
    p_switch_sd: float
    tau: float
    around_flip: blocks.BlockCurve


def generative(
    models: Iterable[ScoredModel], train: Stack, world: TaskCondition, seed: int, count: int
) -> Iterator[Played]:
    """Yield the results of every fitted model at the task of a condition; all use the same random numbers.

    The curves around swaps have ``count`` resamples.
    """
    drawn = rates.resamples(SESSIONS, seed, count)
    for model in models:
        if model.name == NGRAM:
            agent = agents.ngram(SESSIONS, agents.table_of(train))
        else:
            agent = agents.agent_of(model.name, model.parameters, SESSIONS)
        yield played(model.name, agents.run(agent, world, SESSIONS, TRIALS, seed), drawn)


def played(name: str, stack: Stack, drawn: Ints) -> Played:
    """Return the results of sessions under a name; ``drawn`` are resamples of them."""
    counts = rates.count(stack)
    each = rates.rates_of(counts)
    pooled = {rate: float(value) for rate, value in rates.rates_of(counts.sum(axis=0)).items()}
    return Played(
        name,
        stack.sessions,
        pooled,
        standard_error(each["reward_rate"]),
        sd(each["p_high"]),
        sd(each["p_switch"]),
        blocks.tau(stack).overall,
        blocks.around_flip(stack, blocks.observed(stack), drawn),
    )

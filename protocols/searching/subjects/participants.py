"""The virtual participants that can be named: one class for each policy."""

from __future__ import annotations

from typing import ClassVar

from protocols.searching.grids.choice_rules import Strategy
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.policies import (
    LearnerOf,
    LocalSearchPolicy,
    Policy,
    RandomPolicy,
    ValuePolicy,
    WinStayPolicy,
    option_learner,
    process_learner,
)
from protocols.searching.grids.reward_scales import GRID, RewardScale
from protocols.searching.subjects.parameters import (
    BeliefParams,
    LcbParams,
    LocalProcessParams,
    LocalSearchParams,
    OptionParams,
    ProcessParams,
    UcbParams,
    WinStayParams,
)
from protocols.searching.subjects.participant import GridParticipant


class RandomClicker(GridParticipant):
    """Clicks any tile."""

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return RandomPolicy()


class WinStay(GridParticipant):
    """Stays after a reward at least as good as the best before it, and goes anywhere else after a worse one."""

    Params = WinStayParams

    def __init__(self, params: WinStayParams) -> None:
        super().__init__(params)
        self._neighborhood = params.neighborhood

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return WinStayPolicy(self._neighborhood)


class LocalSearch(GridParticipant):
    """Clicks tiles near the last one, whatever they give."""

    Params = LocalSearchParams

    def __init__(self, params: LocalSearchParams) -> None:
        super().__init__(params)
        self._tau = params.tau

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return LocalSearchPolicy(self._tau)


class ProcessParticipant(GridParticipant):
    """The base of participants who generalize by a Gaussian process; a subclass has the strategy."""

    Params: ClassVar[type[BeliefParams]] = ProcessParams
    strategy: ClassVar[Strategy]

    def __init__(self, params: BeliefParams) -> None:
        super().__init__(params)
        self._process = params
        self._beta: float = getattr(params, "beta", 0.0)
        self._local: bool = getattr(params, "local", False)
        self._learner_of(GRID)  # a missing package is told before the session

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return ValuePolicy(
            self._learner_of(scale),
            self.strategy,
            tau=self._process.tau,
            beta=self._beta,
            local=self._local,
            as_they_are=scale is not GRID,
        )

    def _learner_of(self, scale: RewardScale) -> LearnerOf:
        noise_variance = self._process.noise_variance or scale.noise_variance
        return process_learner(Kernel.of("length", self._process.length), noise_variance)


class VarianceGreedy(ProcessParticipant):
    """Clicks where it knows least."""

    Params = LocalProcessParams
    strategy = "vg"


class MeanGreedy(ProcessParticipant):
    """Clicks where it expects most."""

    Params = LocalProcessParams
    strategy = "mg"


class UpperConfidence(ProcessParticipant):
    """Clicks where it expects most, and adds a weight of what it does not know."""

    Params = UcbParams
    strategy = "ucb"


class LowerConfidence(ProcessParticipant):
    """Clicks where it expects most, and subtracts a weight of what it does not know."""

    Params = LcbParams
    strategy = "lcb"


class ProbabilityOfSafety(ProcessParticipant):
    """Clicks where a reward is most probably above the threshold."""

    strategy = "pos"


class ProbabilityOfImprovement(ProcessParticipant):
    """Clicks where a reward is most probably larger than all before."""

    strategy = "poi"


class OptionLearner(GridParticipant):
    """Learns each tile alone, without generalization."""

    Params = OptionParams

    def __init__(self, params: OptionParams) -> None:
        super().__init__(params)
        self._options = params

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        params = self._options
        return ValuePolicy(
            option_learner(params.error_sd),
            params.strategy,
            tau=params.tau,
            beta=params.beta,
            local=params.local,
            as_they_are=scale is not GRID,
        )

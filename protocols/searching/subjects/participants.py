"""The virtual participants that can be named: one class for each policy."""

from __future__ import annotations

from typing import ClassVar, TypeVar

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
    SafetyParams,
    UcbParams,
    WinStayParams,
)
from protocols.searching.subjects.participant import GridParticipant, ParticipantParams
from protocols.searching.subjects.seen import Tiles

BeliefParamsT = TypeVar("BeliefParamsT", bound=BeliefParams)


class RandomClicker(GridParticipant[ParticipantParams]):
    """Clicks any tile."""

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return RandomPolicy()


class WinStay(GridParticipant[WinStayParams]):
    """Stays after a reward at least as good as the best before it, and goes anywhere else after a worse one."""

    Params = WinStayParams

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return WinStayPolicy(self.params.neighborhood)


class LocalSearch(GridParticipant[LocalSearchParams]):
    """Clicks tiles near the last one, whatever they give."""

    Params = LocalSearchParams

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return LocalSearchPolicy(self.params.tau)


class ProcessParticipant(GridParticipant[BeliefParamsT]):
    """The base of participants who generalize by a Gaussian process; a subclass has the strategy."""

    strategy: ClassVar[Strategy]

    def __init__(self, params: BeliefParamsT) -> None:
        super().__init__(params)
        self._learner_of(GRID, params.length)  # a missing package is told before the session

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return self.value_policy(scale)

    def value_policy(
        self,
        scale: RewardScale,
        *,
        beta: float = 0.0,
        local: bool = False,
        length: float | None = None,
        tau: float | None = None,
    ) -> Policy:
        """Return the policy of the strategy, with what only some strategies have; the rest is the person's own."""
        return ValuePolicy(
            self._learner_of(scale, self.params.length if length is None else length),
            self.strategy,
            tau=self.params.tau if tau is None else tau,
            beta=beta,
            local=local,
            as_they_are=scale is not GRID,
        )

    def _learner_of(self, scale: RewardScale, length: float) -> LearnerOf:
        noise_variance = self.params.noise_variance or scale.noise_variance
        return process_learner(Kernel.of("length", length), noise_variance)


class GreedyParticipant(ProcessParticipant[LocalProcessParams]):
    """The base of participants whose strategy has a local variant, and no further parameter."""

    Params = LocalProcessParams

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return self.value_policy(scale, local=self.params.local)


class VarianceGreedy(GreedyParticipant):
    """Clicks where it knows least."""

    strategy = "vg"


class MeanGreedy(GreedyParticipant):
    """Clicks where it expects most."""

    strategy = "mg"


class UpperConfidence(ProcessParticipant[UcbParams]):
    """Clicks where it expects most, and adds a weight of what it does not know."""

    Params = UcbParams
    strategy = "ucb"

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return self.value_policy(scale, beta=self.params.beta, local=self.params.local)


class LowerConfidence(ProcessParticipant[LcbParams]):
    """Clicks where it expects most, and subtracts a weight of what it does not know."""

    Params = LcbParams
    strategy = "lcb"

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        return self.value_policy(scale, beta=self.params.beta)


class ProbabilityOfSafety(ProcessParticipant[SafetyParams]):
    """Clicks where a reward is most probably above the threshold; without one, above the middle of the rewards."""

    Params = SafetyParams
    strategy = "pos"

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy of a round with a threshold."""
        return self.value_policy(scale, local=self.params.local)

    def policy_of_round(self, scale: RewardScale, tiles: Tiles) -> Policy:
        """Return the policy; in a round without a threshold it has another length and temperature."""
        own = self.params
        if tiles.threshold is not None:
            return self.policy(scale)
        length, tau = own.length * own.safe_length_ratio, own.tau * own.safe_tau_ratio
        return self.value_policy(scale, local=own.local, length=length, tau=tau)


class ProbabilityOfImprovement(ProcessParticipant[ProcessParams]):
    """Clicks where a reward is most probably larger than all before."""

    Params = ProcessParams
    strategy = "poi"


class OptionLearner(GridParticipant[OptionParams]):
    """Learns each tile alone, without generalization."""

    Params = OptionParams

    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy."""
        params = self.params
        return ValuePolicy(
            option_learner(params.error_sd),
            params.strategy,
            tau=params.tau,
            beta=params.beta,
            local=params.local,
            as_they_are=scale is not GRID,
        )

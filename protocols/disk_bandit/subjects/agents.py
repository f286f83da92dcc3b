"""Agents at the eight disks: choice rules without a bird's individuality; they peck at a constant rate."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from protocols.disk_bandit.subjects.disk_choice import CENTER, DiskPolicy, draw_by_weight, log_rate
from protocols.disk_bandit.subjects.pecking_behavior import Pecker, PeckerParams
from sim_hardware.world.body import Body


class AgentParams(PeckerParams):
    """Parameters of an agent; by default it pecks without bouts."""

    rate: float = Field(default=0.6, gt=0, le=5, description="pecks a second while the hopper is down")
    repeat: float = Field(
        default=0.0, ge=0, lt=1, description="probability that the next peck is on the same disk (bout)"
    )


class Greedy(Pecker):
    """An agent, not a bird: reads the schedules and pecks only the richest disk; Luce's rule with an infinite theta."""

    Params = AgentParams

    def __init__(self, params: AgentParams) -> None:
        super().__init__(params, RichestDiskPolicy(), lambda now_s: params.rate)


class RichestDiskPolicy(DiskPolicy):
    """Chooses the disk of the highest value; of several, the first clockwise from the top."""

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Return the richest place."""
        worth = self.day.value(log_rate)
        return max(places, key=lambda place: worth.get(place, 0.0))


class Uniform(Pecker):
    """An agent, not a bird: pecks any disk; Luce's rule with a theta of 0."""

    Params = AgentParams

    def __init__(self, params: AgentParams) -> None:
        super().__init__(params, UniformPolicy(), lambda now_s: params.rate)


class UniformPolicy(DiskPolicy):
    """Chooses all disks with equal probability."""

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Draw a place."""
        return draw_by_weight(body.random.random(), places, [1.0] * len(places))


class MeliorationParams(AgentParams):
    """Parameters of the learning rule; guesses."""

    memory_pecks: float = Field(
        default=10.0, ge=1, le=10_000, description="number of pecks over which a disk's rate is averaged"
    )
    shift: float = Field(default=0.05, ge=0, le=1, description="step by which pecks move to where a peck earns more")
    least: float = Field(default=0.02, ge=0, le=0.1, description="smallest share of the pecks of a disk")


class Melioration(Pecker):
    """An agent without the schedules: it moves its pecks to where they earn more (Herrnstein and Vaughan 1980)."""

    Params = MeliorationParams

    def __init__(self, params: MeliorationParams) -> None:
        super().__init__(params, MeliorationPolicy(params), lambda now_s: params.rate)


class MeliorationPolicy(DiskPolicy):
    """Has a share of the pecks and a local rate of rewards per peck for each place.

    After every peck each share s_i grows by shift × s_i (r_i − the mean of r over its pecks): what pays better than
    the rest gets more, until variable intervals that are visited more often pay no better.
    """

    def __init__(self, params: MeliorationParams) -> None:
        self._params = params
        self._share = [1.0] * (CENTER + 1)
        self._rate = [0.0] * (CENTER + 1)
        self._places: tuple[int, ...] = ()

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Draw a place by the shares."""
        self._places = tuple(places)
        return draw_by_weight(body.random.random(), places, [self._share[place] for place in places])

    def update(self, place: int, paid: bool) -> None:
        """Update rate and shares with the outcome of a peck."""
        self._rate[place] += (paid - self._rate[place]) / self._params.memory_pecks
        total = sum(self._share[at] for at in self._places)
        mean = sum(self._share[at] * self._rate[at] for at in self._places) / total
        for at in self._places:
            grown = self._share[at] / total * (1 + self._params.shift * (self._rate[at] - mean))
            # A place that is never pecked could never be found to pay again.
            self._share[at] = max(grown, self._params.least)

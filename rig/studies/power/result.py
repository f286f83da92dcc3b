"""The answer to the question how many subjects an effect needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rig.analysis.common.arrays import plain

TARGETS = (0.8, 0.9)
"""Powers for which the smallest design is sought."""


@dataclass(frozen=True)
class Rate:
    """A share of experiments that rejected, and its 95 % interval."""

    rejected: int
    experiments: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """Return the share."""
        return self.rejected / self.experiments


@dataclass(frozen=True)
class Design:
    """Experiments with so many subjects, in each group or in all, and sessions of each subject and condition.

    ``power`` and ``false_alarms`` are None where experiments cannot tell them; ``notes`` say why.
    """

    subjects: int
    sessions: int
    power: Rate | None
    false_alarms: Rate | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Smallest:
    """The smallest number of subjects that was asked and has the power ``target``; None when none of them has it.

    ``by_estimate`` takes the power itself. ``by_bound`` takes the lower bound of its interval, so that it also holds
    for other simulated subjects of the same kind.
    """

    sessions: int
    target: float
    by_estimate: int | None
    by_bound: int | None


@dataclass(frozen=True)
class ComparedArm:
    """The simulated subjects of an arm, over a number of sessions; ``left_out`` have no value."""

    arm: str
    sessions: int
    subjects: int
    left_out: int
    mean: float
    sd: float


@dataclass(frozen=True)
class Effect:
    """The difference of the arms' means, and the same in standard deviations.

    Those are of the subjects within an arm, or ``within`` subjects of the subjects' differences.
    """

    sessions: int
    difference: float
    standardized: float


@dataclass(frozen=True)
class PowerResult:
    """The power of each design that was asked, with what was compared and how."""

    statistic: str
    unit: str
    baseline: str
    effect: str
    design: str
    test: str
    alpha: float
    experiments: int
    seed: int
    designs: tuple[Design, ...]
    smallest: tuple[Smallest, ...]
    compared: tuple[ComparedArm, ...]
    effects: tuple[Effect, ...]
    notes: tuple[str, ...]

    @property
    def sessions(self) -> list[int]:
        """Return the numbers of sessions, in rising order."""
        return sorted({design.sessions for design in self.designs})

    def designs_with(self, sessions: int) -> list[Design]:
        """Return the designs with a number of sessions, by their subjects."""
        return sorted((each for each in self.designs if each.sessions == sessions), key=lambda each: each.subjects)

    def document(self) -> Mapping[str, object]:
        """Return the answer as plain data for ``--json``."""
        document: dict[str, Any] = plain(self)
        for given, design in zip(document["designs"], self.designs, strict=True):
            for name in ("power", "false_alarms"):
                rate: Rate | None = getattr(design, name)
                if rate is not None:
                    given[name]["value"] = rate.value
        return document


def smallest_of(designs: Sequence[Design]) -> Iterator[Smallest]:
    """Yield the smallest number of subjects for each number of sessions and target."""
    for sessions in sorted({design.sessions for design in designs}):
        tried = [(design.subjects, design.power) for design in designs if design.sessions == sessions]
        known = [(subjects, power) for subjects, power in tried if power is not None]
        for target in TARGETS:
            yield Smallest(
                sessions,
                target,
                min((subjects for subjects, power in known if power.value >= target), default=None),
                min((subjects for subjects, power in known if power.low >= target), default=None),
            )

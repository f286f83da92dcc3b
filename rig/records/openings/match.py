"""Match the openings that a board has kept with the rewards that may have caused them: a pure function.

Each opening of a rewarding output has one cause, and each reward caused at most one opening; the pulses of a train
count as one. So a reward that is in doubt was given if an opening is left for it, and was not given if there is none.
Whatever cannot be decided is left out of the result, and stays in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rig.core.model.actions import Amount

LENGTH_TOLERANCE_US = 1_000
"""How far the length of an opening may lie from its order: the board's resolution, and its load."""
TIME_TOLERANCE_US = 5_000
"""How far an opening may begin outside of its bounds: the board executes a batch within 5 ms of its stamp."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a reward may be given: an output, a pulse or a train, and what the device gives by it."""

    output: str
    us: int
    source: str
    amount: Amount
    pulses: int = 1
    period_us: int = 0


@dataclass(frozen=True, slots=True)
class Expected:
    """A reward that has caused an opening, or may have: it began from ``from_us`` on, and not after ``until_us``."""

    number: int
    ways: tuple[Way, ...]
    from_us: int
    until_us: int | None = None
    is_certain: bool = False
    """Whether the journal itself says that it was given."""


@dataclass(frozen=True, slots=True)
class SeenOpening:
    """An opening of an output, in the time of the session; ``us`` is None where its length is not known."""

    output: str
    t_us: int
    us: int | None
    pulses: int = 1


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a reward: ``way`` is None if it was not given, else it was given at ``t_us``."""

    way: Way | None
    t_us: int = 0


def decide(
    expected: Sequence[Expected], openings: Sequence[SeenOpening], covered_from_us: float
) -> dict[int, Decision]:
    """Return what became of the rewards in doubt, by their numbers; one that cannot be decided is not in it.

    ``openings`` are all that began at ``covered_from_us`` or later, and perhaps earlier ones. A reward that was given
    for certain, and has no opening among them, refutes them: then nothing is decided.
    """
    # The opening of an earlier reward may be forgotten: if it is in doubt it stays so, if not it explains leftovers.
    judged = [reward for reward in expected if reward.ways and (reward.from_us >= covered_from_us or reward.is_certain)]
    matching = _Matching(_bursts(openings, expected), judged)
    # The certain rewards first: their openings are no proof of another reward.
    surely_kept_from_us = covered_from_us + TIME_TOLERANCE_US
    covered = [
        place for place, reward in enumerate(judged) if reward.is_certain and reward.from_us >= surely_kept_from_us
    ]
    for place in covered:
        matching.add_reward(place)
    # A drop that fell has its opening, so these openings are not the session's, or not all of it.
    if any(matching.given(place) is None for place in covered):
        return {}
    for exact in (True, False):
        for number in range(len(matching.openings)):
            matching.add_opening(number, exact)
    for place, reward in enumerate(judged):
        if reward.is_certain:
            matching.add_reward(place)
    unexplained = {opening.output for opening in matching.unexplained()}
    decisions = {}
    for place, reward in enumerate(judged):
        if reward.is_certain:
            continue
        given = matching.given(place)
        if given is not None:
            decisions[reward.number] = given
        elif not unexplained.intersection(way.output for way in reward.ways):
            decisions[reward.number] = Decision(None)
    return decisions


def _bursts(openings: Iterable[SeenOpening], expected: Iterable[Expected]) -> list[SeenOpening]:
    """Return the openings in order of time, the pulses of each train as one."""
    trains = {way for one in expected for way in one.ways if way.pulses > 1}
    seen_openings: list[SeenOpening] = []
    last: dict[str, tuple[int, int]] = {}
    for opening in sorted(openings, key=lambda one: one.t_us):
        place, began_us = last.get(opening.output, (-1, 0))
        if place >= 0 and any(
            way.output == opening.output
            and seen_openings[place].pulses < way.pulses
            and abs(opening.t_us - began_us - way.period_us) <= LENGTH_TOLERANCE_US
            and _length_error(seen_openings[place].us, way.us) == 0
            for way in trains
        ):
            seen_openings[place] = replace(seen_openings[place], pulses=seen_openings[place].pulses + 1)
        else:
            place = len(seen_openings)
            seen_openings.append(opening)
        last[opening.output] = place, opening.t_us
    return seen_openings


def _length_error(found_us: int | None, ordered_us: int) -> int | None:
    """Return 0 for a length as ordered, 1 for one that was cut short or is not known, None for one too long."""
    if found_us is None or found_us < ordered_us - LENGTH_TOLERANCE_US:
        return 1
    return 0 if found_us <= ordered_us + LENGTH_TOLERANCE_US else None


def _fit(one: Expected, opening: SeenOpening) -> tuple[int, Way] | None:
    """Return the way by which a reward fits an opening best, and 0 or 1 for an exact fit or not; None without one."""
    if opening.t_us < one.from_us - TIME_TOLERANCE_US:
        return None
    if one.until_us is not None and opening.t_us > one.until_us + TIME_TOLERANCE_US:
        return None
    fits = []
    for way in one.ways:
        error = _length_error(opening.us, way.us)
        if way.output != opening.output or error is None or opening.pulses > way.pulses:
            continue
        # A train that was stopped has fewer pulses.
        inexact = max(error, int(opening.pulses < way.pulses))
        # Of several ways that fit equally the nearest length counts if it is known, else the largest amount.
        off = abs(opening.us - way.us) if opening.us is not None and not inexact else 0
        fits.append((inexact, off, -_size(way.amount), way))
    if not fits:
        return None
    inexact, _, _, way = min(fits, key=lambda fit: fit[:3])
    return inexact, way


def _size(amount: Amount) -> float:
    return amount.ul or amount.pellets or amount.access_s


class _Matching:
    """A matching of openings and rewards, which grows along augmenting paths and never loses a member."""

    def __init__(self, openings: Sequence[SeenOpening], rewards: Sequence[Expected]) -> None:
        self.openings = openings
        self._rewards = rewards
        self._fits = [[_fit(reward, opening) for reward in rewards] for opening in openings]
        self._reward_of: dict[int, int] = {}
        self._opening_of: dict[int, int] = {}

    def add_reward(self, place: int) -> None:
        """Add a reward, with an opening if one is left for it."""
        for exact in (True, False):
            if place not in self._opening_of:
                self._augment_reward(place, exact, set())

    def add_opening(self, number: int, exact: bool) -> None:
        """Add an opening, with a reward if one is left for it."""
        if number not in self._reward_of:
            self._augment_opening(number, exact, set())

    def unexplained(self) -> list[SeenOpening]:
        """Return the openings without a reward."""
        return [opening for number, opening in enumerate(self.openings) if number not in self._reward_of]

    def given(self, place: int) -> Decision | None:
        """Return by which way a reward was given; None if no opening is left for it."""
        number = self._opening_of.get(place)
        if number is None:
            return None
        fit = self._fits[number][place]
        return None if fit is None else Decision(fit[1], self.openings[number].t_us)

    def _augment_opening(self, number: int, exact: bool, tried: set[int]) -> bool:
        for candidate in self._candidates(number, exact):
            if candidate in tried:
                continue
            tried.add(candidate)
            other = self._opening_of.get(candidate)
            if other is None or self._augment_opening(other, exact, tried):
                self._reward_of[number], self._opening_of[candidate] = candidate, number
                return True
        return False

    def _candidates(self, number: int, exact: bool) -> list[int]:
        fits = self._fits[number]
        places = [
            place
            for place, fit in enumerate(fits)
            if fit is not None and (not exact or fit[0] == 0) and self._may_take(place)
        ]
        # An opening that was cut short may be any of several rewards: the largest, so that no total is too low. Rewards
        # of one size are taken in the order of their orders.
        return sorted(places, key=lambda place: self._preference(number, place))

    def _may_take(self, place: int) -> bool:
        """Whether an opening may look for this reward: certain ones look for their openings themselves."""
        return not self._rewards[place].is_certain or place in self._opening_of

    def _preference(self, number: int, place: int) -> tuple[int, float, int, int]:
        fit = self._fits[number][place]
        inexact, size = (0, 0.0) if fit is None else (fit[0], _size(fit[1].amount) if fit[0] else 0.0)
        return inexact, -size, self._rewards[place].from_us, self._rewards[place].number

    def _augment_reward(self, place: int, exact: bool, tried: set[int]) -> bool:
        for number, fits in enumerate(self._fits):
            fit = fits[place]
            if fit is None or number in tried or (exact and fit[0]):
                continue
            tried.add(number)
            other = self._reward_of.get(number)
            if other is None or self._augment_reward(other, exact, tried):
                self._reward_of[number], self._opening_of[place] = place, number
                return True
        return False

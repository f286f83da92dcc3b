"""Named streams of random numbers: another consumer, such as a virtual subject, never changes the task's draws.

Every draw except a normal one and a shuffle takes one number of its stream, so the order of the draws determines each.
All are made of ``random()``, the one generator on which all versions of Python agree.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rig.core.errors import TaskError

T = TypeVar("T")


class Stream:
    """A named stream of random numbers: ``random()`` returns the next one, in [0, 1)."""

    __slots__ = ("random",)

    def __init__(self, random: Callable[[], float]) -> None:
        self.random = random

    def bernoulli(self, p: float) -> bool:
        """Draw True with the probability ``p``, otherwise False. Raises ``TaskError`` if ``p`` is not 0 to 1."""
        if not 0 <= p <= 1:
            raise TaskError(f"a probability of {p:g}: wanted 0 to 1")
        return self.random() < p

    def integer(self, low: int, high: int) -> int:
        """Draw a whole number from ``low`` to ``high``, both included. Raises ``TaskError`` if ``high`` is smaller."""
        if high < low:
            raise TaskError(f"a whole number from {low} to {high}: wanted the smaller one first")
        # Not ``randint``: Python only guarantees the numbers of ``random()`` across its versions.
        return low + int(self.random() * (high - low + 1))

    def uniform(self, low: float, high: float) -> float:
        """Draw a number from the uniform distribution between ``low`` and ``high``."""
        return low + (high - low) * self.random()

    def exponential(self, mean: float) -> float:
        """Draw from the exponential distribution: the time until an event that has a constant rate."""
        # ``random()`` may be 0 and is always below 1, so this logarithm is finite.
        return -mean * math.log(1 - self.random())

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """Draw from the normal distribution (Box and Muller 1958); it takes two numbers of the stream."""
        radius = math.sqrt(-2 * math.log(1 - self.random()))
        return mean + sd * radius * math.cos(2 * math.pi * self.random())

    def choice(self, options: Sequence[T]) -> T:
        """Draw one of ``options`` with equal probability. Raises ``TaskError`` when there are none, or in a set."""
        _check_order("choice", options)
        if not options:
            raise TaskError("a choice among no options: wanted one at least")
        return options[int(self.random() * len(options))]

    def shuffled(self, values: Iterable[T]) -> list[T]:
        """Return ``values`` in a random order; all orders have the same probability.

        It takes one number of the stream for each value. Raises ``TaskError`` for a set.
        """
        _check_order("shuffled", values)
        # Not ``random.shuffle``: only ``random()`` gives the same numbers in all versions of Python.
        left, order = list(values), []
        while left:
            order.append(self.choice(left))
            left.remove(order[-1])
        return order


def _check_order(name: str, values: object) -> None:
    if isinstance(values, set | frozenset):
        text = f"{name} of a set, whose order differs from process to process, so the same seed draws otherwise"
        raise TaskError(f"{text}: write {name}(sorted(...))")


class RandomStreams:
    """The named streams of one seed: the seed and a stream's name determine its numbers."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._streams: dict[str, Stream] = {}

    def __call__(self, name: str) -> Stream:
        """Return the stream ``name``, the same one every time."""
        if name not in self._streams:
            # Seeding with a text uses SHA-512, so similar names give independent streams.
            self._streams[name] = Stream(random.Random(f"{self.seed}/{name}").random)
        return self._streams[name]


def session_seed(campaign_seed: int, subject: str, session: int) -> int:
    """Return the seed of one session of a campaign; ``session`` counts the subject's sessions from 0.

    With this seed the session can be repeated alone.
    """
    digest = hashlib.sha256(f"{campaign_seed}/{subject}/{session}".encode()).digest()
    # 48 bits: JSON readers that hold numbers as floats keep integers up to 2**53 exactly.
    return int.from_bytes(digest[:6], "big")

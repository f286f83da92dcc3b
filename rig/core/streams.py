"""Named streams of random numbers: one virtual subject more or less never changes what the task draws."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Stream(Protocol):
    """Draws uniform numbers in [0, 1); all that Python versions are known to agree on."""

    def random(self) -> float:
        """Draw the next number."""


class Streams:
    """The streams of one session, made from its seed and a name each."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._streams: dict[str, random.Random] = {}

    def __call__(self, name: str) -> Stream:
        """Return the stream called ``name``, the same one every time."""
        if name not in self._streams:
            self._streams[name] = random.Random(f"{self.seed}/{name}")
        return self._streams[name]


def choose(stream: Stream, options: Sequence[T]) -> T:
    """Draw one of ``options`` with one number."""
    return options[int(stream.random() * len(options))]


def session_seed(campaign_seed: int, subject: str, session: int) -> int:
    """Derive the seed of one session of a campaign, so that it can be run alone."""
    digest = hashlib.sha256(f"{campaign_seed}/{subject}/{session}".encode()).digest()
    return int.from_bytes(digest[:6], "big")

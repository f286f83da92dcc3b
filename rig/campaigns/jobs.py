"""Jobs, chains of jobs, and what an engine promises.

A job is a function of one order. Jobs that need the result of an earlier one form a chain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

OrderT = TypeVar("OrderT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Chain(Generic[OrderT, ResultT]):
    """Jobs that run one after the other: the first order, and the function of each result that makes the next one.

    ``then`` is called in the process of the caller, after its result was yielded; None ends the chain.
    """

    first: OrderT
    then: Callable[[ResultT], OrderT | None] = lambda result: None


class Engine(ABC):
    """What runs jobs."""

    @abstractmethod
    def run(self, work: Callable[[OrderT], ResultT], chains: Iterable[Chain[OrderT, ResultT]]) -> Iterator[ResultT]:
        """Yield the results of all jobs as they are ready; within a chain in order.

        ``work`` is a function of a module. Orders and results can be pickled, and ``work`` may run twice for an
        order whose process was killed: it depends on its order only. ``chains`` are taken when there is a process for
        them.

        After an error of a job, or a stop signal, no further job starts. The results of the running ones are yielded;
        then the first error, or ``KeyboardInterrupt``, is raised. In this process alone, a signal interrupts the job,
        unless ``work`` handles it.
        """

"""Run jobs and chains of jobs: in this process, or with workers. The results are the same.

A job is a function of one order. Jobs that need the result of an earlier one form a chain.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from rig.platform.signals import STOP_SIGNALS
from rig.system.signals import InterruptHandler, signal_handler
from rig.system.statuses import STOPPED

OrderT = TypeVar("OrderT")
ResultT = TypeVar("ResultT")

WAKE_S = 1.0
"""How often a run without results looks for workers that have come or gone."""


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
        order whose process was killed: it depends on its order only. ``str`` of an order names it in messages.
        ``chains`` are taken when there is a process for them.

        After an error of a job, or a stop signal, no further job starts. The results of the running ones are yielded;
        then the first error, or ``KeyboardInterrupt``, is raised. In this process alone, a signal interrupts the job,
        unless ``work`` handles it.
        """


class InProcessEngine(Engine):
    """The engine that runs every job in this process, one chain after the other."""

    def run(self, work: Callable[[OrderT], ResultT], chains: Iterable[Chain[OrderT, ResultT]]) -> Iterator[ResultT]:
        """Yield the results in the order of the chains."""
        for chain in chains:
            order: OrderT | None = chain.first
            while order is not None:
                result = work(order)
                yield result
                order = chain.then(result)


class Workers(ABC):
    """Processes that run jobs, each one job at a time."""

    @abstractmethod
    def count(self) -> int:
        """Return how many jobs can run at once."""

    @abstractmethod
    def submit(self, work: Callable[[OrderT], ResultT], order: OrderT) -> Future[ResultT]:
        """Start a job."""

    def result(self, future: Future[ResultT], order: object) -> ResultT:
        """Return the result of a job that is done. Raises its error, and ``RigError`` if its workers died."""
        return future.result()

    @abstractmethod
    def stop(self) -> None:
        """Send running jobs of several steps the request to end soon."""


@contextmanager
def engine_of(workers: Workers) -> Iterator[WorkersEngine]:
    """Yield an engine; the first stop signal stops it, the second one abandons the running jobs."""
    engine = WorkersEngine(workers)
    with signal_handler(STOP_SIGNALS, InterruptHandler(engine.stop, engine.abandon, patience=1)):
        yield engine


class WorkersEngine(Engine):
    """The engine that runs jobs with workers."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.stopped = False
        self._abandoned = False

    def stop(self) -> None:
        """Stop: running jobs go on to their end."""
        self.stopped = True

    def abandon(self) -> None:
        """Stop without waiting for running jobs: raise ``KeyboardInterrupt``, and end the process when repeated."""
        if self._abandoned:
            os._exit(STOPPED)
        self._abandoned = True
        raise KeyboardInterrupt

    def run(self, work: Callable[[OrderT], ResultT], chains: Iterable[Chain[OrderT, ResultT]]) -> Iterator[ResultT]:
        """Yield the results as they are ready."""
        run = _Run(self, work, iter(chains))
        try:
            while run.submit():
                yield from run.results()
        finally:
            run.cancel()
        if run.failure is not None:
            raise run.failure
        if self.stopped:
            raise KeyboardInterrupt


class _Run(Generic[OrderT, ResultT]):
    """The jobs of one run: those that workers have, and the next ones of chains that have begun."""

    def __init__(
        self,
        engine: WorkersEngine,
        work: Callable[[OrderT], ResultT],
        chains: Iterator[Chain[OrderT, ResultT]],
    ) -> None:
        self.failure: Exception | None = None
        self._engine = engine
        self._workers = engine.workers
        self._work = work
        self._chains = chains
        self._next: deque[tuple[Chain[OrderT, ResultT], OrderT]] = deque()
        self._running: dict[Future[ResultT], tuple[Chain[OrderT, ResultT], OrderT]] = {}

    def submit(self) -> bool:
        """Send jobs to free workers, unless the run ends; return whether any job runs."""
        while not self._ends() and len(self._running) < self._workers.count():
            job = self._next.popleft() if self._next else self._begun()
            if job is None:
                break
            self._running[self._workers.submit(self._work, job[1])] = job
        if self._running and self._ends():
            self._workers.stop()
        return bool(self._running)

    def results(self) -> Iterator[ResultT]:
        """Wait for results, at most `WAKE_S`; yield them, and note what follows in their chains."""
        done, _ = wait(self._running, WAKE_S, FIRST_COMPLETED)
        results = [pair for future in done for pair in self._take(future)]
        self.submit()  # before the caller takes its time for the results
        for chain, result in results:
            yield result
            if not self._ends() and (order := chain.then(result)) is not None:
                self._next.append((chain, order))

    def cancel(self) -> None:
        """Cancel what is left."""
        for future in self._running:
            future.cancel()

    def _ends(self) -> bool:
        return self._engine.stopped or self.failure is not None

    def _begun(self) -> tuple[Chain[OrderT, ResultT], OrderT] | None:
        chain = next(self._chains, None)
        return None if chain is None else (chain, chain.first)

    def _take(self, future: Future[ResultT]) -> Iterator[tuple[Chain[OrderT, ResultT], ResultT]]:
        """Yield the result of a job; keep the first error as the run's ``failure``."""
        chain, order = self._running.pop(future)
        try:
            yield chain, self._workers.result(future, order)
        except Exception as error:
            self.failure = self.failure or error


def died_text(order: object) -> str:
    """Return the message for a job whose workers died again and again."""
    return (
        f"{order!s:.200}: given up, because every process that ran it was killed: is there too little memory? "
        "Start the command again with fewer --jobs"
    )

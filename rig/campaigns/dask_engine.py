"""The engine that runs jobs with Dask: a bounded number is in its hands, and results are released at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from queue import Empty, SimpleQueue
from typing import Generic
from uuid import uuid4

from distributed import Client, Future
from distributed.scheduler import KilledWorker

from rig import __version__
from rig.campaigns.dask_cluster import Workers, connected, local_workers
from rig.campaigns.jobs import Chain, Engine, OrderT, ResultT
from rig.campaigns.worker import NotStarted, pack, run_on_worker, stop_run
from rig.core.errors import RigError
from rig.system.signals import SIGNALS, InterruptHandler, signal_handler
from rig.system.statuses import STOPPED

JOBS_PER_THREAD = 2
"""One that runs, and one that waits beside it, so that no worker waits for its next job."""

MAX_ATTEMPTS = 6
"""Dask itself gives a job up after it has lost its worker 4 times (``distributed.scheduler.allowed-failures``)."""

WAKE_S = 1.0
"""How often a waiting run looks for workers that have come or gone."""


@contextmanager
def local_engine(jobs: int) -> Iterator[DaskEngine]:
    """Yield an engine of ``jobs`` processes of this computer."""
    with local_workers(jobs) as workers, _stoppable(workers) as engine:
        yield engine


@contextmanager
def remote_engine(scheduler: str) -> Iterator[DaskEngine]:
    """Yield an engine of the workers of a scheduler. Raises ``ConfigError`` if they cannot be used."""
    with connected(scheduler) as workers, _stoppable(workers) as engine:
        yield engine


@contextmanager
def _stoppable(workers: Workers) -> Iterator[DaskEngine]:
    engine = DaskEngine(workers)
    with signal_handler(SIGNALS, InterruptHandler(engine.stop, engine.abandon, patience=1)):
        yield engine


@dataclass(frozen=True)
class _Job(Generic[OrderT, ResultT]):
    """A job in the hands of Dask."""

    chain: Chain[OrderT, ResultT]
    order: OrderT
    attempt: int = 1


class DaskEngine(Engine):
    """The engine that runs jobs on the workers of a Dask scheduler."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._ready: SimpleQueue[Future | None] = SimpleQueue()
        self._results_since_look = 0
        self._stopped = False
        self._abandoned = False

    def stop(self) -> None:
        """Stop: running jobs go on to their end."""
        self._stopped = True
        self._ready.put(None)

    def abandon(self) -> None:
        """Stop without waiting for running jobs: raise ``KeyboardInterrupt``, and end the process when repeated."""
        if self._abandoned:
            os._exit(STOPPED)
        self._abandoned = True
        raise KeyboardInterrupt

    def run(self, work: Callable[[OrderT], ResultT], chains: Iterable[Chain[OrderT, ResultT]]) -> Iterator[ResultT]:
        """Yield the results as they are ready."""
        run = _Run(self._workers.client, work, self._ready)
        waiting = iter(chains)
        try:
            while not self._ends(run) and self._fill(run, waiting):
                yield from self._results(run)
            run.stop()
            while run.jobs:
                yield from self._results(run)
        finally:
            run.cancel()
        if run.failure is not None:
            raise run.failure
        if self._stopped:
            raise KeyboardInterrupt

    def _ends(self, run: _Run[OrderT, ResultT]) -> bool:
        return self._stopped or run.failure is not None

    def _fill(self, run: _Run[OrderT, ResultT], waiting: Iterator[Chain[OrderT, ResultT]]) -> bool:
        """Start chains while there is room for them; return whether any job is left."""
        while len(run.jobs) < self._workers.threads * JOBS_PER_THREAD:
            chain = next(waiting, None)
            if chain is None:
                break
            run.submit(_Job(chain, chain.first))
        return bool(run.jobs)

    def _results(self, run: _Run[OrderT, ResultT]) -> Iterator[ResultT]:
        """Wait for a job, or a stop, or `WAKE_S`; yield its result, and submit the next job of its chain."""
        future = self._next_ready()
        done = None if future is None else run.take(future)
        if done is None:
            return
        job, result = done
        yield result
        if not self._ends(run) and (order := job.chain.then(result)) is not None:
            run.submit(_Job(job.chain, order))

    def _next_ready(self) -> Future | None:
        """Wait for a job, or a stop, or `WAKE_S`; look after workers now and then, also while many results come."""
        self._results_since_look += 1
        if self._results_since_look > self._workers.threads * JOBS_PER_THREAD:
            self._look()
        try:
            return self._ready.get(timeout=WAKE_S)
        except Empty:
            self._look()
            return None

    def _look(self) -> None:
        self._results_since_look = 0
        self._workers.look()


class _Run(Generic[OrderT, ResultT]):
    """The jobs of one run that are in the hands of Dask."""

    def __init__(self, client: Client, work: Callable[[OrderT], ResultT], ready: SimpleQueue[Future | None]) -> None:
        self.jobs: dict[Future, _Job[OrderT, ResultT]] = {}
        self.failure: Exception | None = None
        self._client = client
        self._work = work
        self._ready = ready
        self._name = f"rig-{uuid4().hex}"
        self._numbers = count()

    def submit(self, job: _Job[OrderT, ResultT]) -> None:
        """Send a job to the scheduler."""
        packed = pack(self._work, job.order)
        key = (self._name, next(self._numbers))
        future = self._client.submit(run_on_worker, self._name, __version__, packed, key=key)
        self.jobs[future] = job
        future.add_done_callback(self._ready.put)

    def take(self, future: Future) -> tuple[_Job[OrderT, ResultT], ResultT] | None:
        """Return a job that is done, and its result; None if it has none, and may have to run again.

        The first error of a job is kept as the run's ``failure``. Raises ``RigError`` if no other job can end.
        """
        job = self.jobs.pop(future, None)
        if job is None:  # of an earlier run, which was given up
            return None
        try:
            result: ResultT | NotStarted = future.result()
        except KilledWorker:
            self._try_again(job)
        except CancelledError:
            raise RigError("the Dask scheduler does not answer any more: start the command again") from None
        except Exception as error:
            self.failure = self.failure or error
        else:
            return None if isinstance(result, NotStarted) else (job, result)
        finally:
            future.release()
        return None

    def _try_again(self, job: _Job[OrderT, ResultT]) -> None:
        if job.attempt < MAX_ATTEMPTS:
            self.submit(replace(job, attempt=job.attempt + 1))
        else:
            self.failure = self.failure or RigError(
                "a job was given up, because every process that ran it was killed: is there too little memory? "
                "Start the command again with fewer --jobs"
            )

    def stop(self) -> None:
        """Stop the jobs that wait: beside the running ones, or for a worker that has not come."""
        if not self.jobs:
            return
        unsent = self._unsent()
        self._client.run(stop_run, self._name, on_error="ignore")
        # Looked up twice: of a job that has just ended, this process may not know yet.
        dropped = [future for future in unsent & self._unsent() if future.status == "pending"]
        for future in dropped:
            del self.jobs[future]
        self._client.cancel(dropped)

    def _unsent(self) -> set[Future]:
        sent = {key for keys in self._client.processing().values() for key in keys}
        return {future for future in self.jobs if future.key not in sent}

    def cancel(self) -> None:
        """Cancel what is left."""
        if self.jobs:
            self._client.cancel(list(self.jobs))
            self.jobs.clear()

"""Processes of this computer that run jobs. Each is led by a thread, which starts another one when it dies.

The standard library's pool of processes waits forever for a result of which a killed process has sent the half, and
one dead process ends all others. Here the end of a process closes its own connection, and costs its own job alone.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from threading import Lock, local
from typing import Any

from rig.core.errors import RigError
from rig.jobs.engine import OrderT, ResultT, Workers, died_text
from rig.jobs.worker import STOP, pack, serve
from rig.platform.signals import signals_blocked_in_workers

MAX_DEATHS = 5
"""How many processes a job may kill."""


class ProcessPool(Workers):
    """Processes of this computer; ``with`` ends them. They start with their first job."""

    def __init__(self, processes: int) -> None:
        self._count = processes
        self._threads = ThreadPoolExecutor(processes, "leads a worker")
        self._own = local()
        self._workers: set[_Worker] = set()
        self._lock = Lock()
        self._closed = False

    def __enter__(self) -> ProcessPool:
        return self

    def __exit__(self, *exc: object) -> None:
        """End the processes at once: no result is wanted any more."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.process.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.end()

    def count(self) -> int:
        """Return how many jobs can run at once."""
        return self._count

    def submit(self, work: Callable[[OrderT], ResultT], order: OrderT) -> Future[ResultT]:
        """Start a job."""
        with signals_blocked_in_workers():  # in the new thread, and until its process ignores them
            return self._threads.submit(self._lead, pack(work, order), order)

    def stop(self) -> None:
        """Send running jobs the request to end soon."""
        with self._lock:
            for worker in self._workers:
                worker.stop()

    def _lead(self, job: bytes, order: object) -> Any:
        """Return the result of a job, also if its first processes die."""
        for _ in range(MAX_DEATHS):
            worker = self._worker()
            try:
                answer = worker.ask(job)
            except (EOFError, OSError):
                self._drop(worker)
            else:
                result, error = pickle.loads(answer)
                if error is not None:
                    raise error
                return result
        raise RigError(died_text(order))

    def _worker(self) -> _Worker:
        """Return the process of this thread. Raises ``RigError`` if none can start."""
        worker: _Worker | None = getattr(self._own, "worker", None)
        if worker is None:
            with self._lock:
                if self._closed:
                    raise RigError("the processes have ended")
                worker = self._own.worker = _Worker()
                self._workers.add(worker)
        return worker

    def _drop(self, worker: _Worker) -> None:
        self._own.worker = None
        with self._lock:
            self._workers.discard(worker)
        worker.end()


class _Worker:
    """A process and the connection to it. Raises ``RigError`` if it cannot start."""

    def __init__(self) -> None:
        spawn = get_context("spawn")  # a fork would copy the locks of numerical libraries
        self._sending = Lock()
        self._connection, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(theirs,), daemon=True)
        try:
            self.process.start()
        except OSError as error:
            raise RigError(f"--jobs: no further process can start: {error}: start again with fewer --jobs") from None
        finally:
            theirs.close()  # so that the end of the process closes the connection

    def ask(self, job: bytes) -> bytes:
        """Return the answer to a job. Raises ``EOFError`` or ``OSError`` if the process has died."""
        with self._sending:
            self._connection.send_bytes(job)
        return self._connection.recv_bytes()

    def stop(self) -> None:
        """Send the running job the request to end soon."""
        with self._sending, suppress(OSError):
            self._connection.send_bytes(STOP)

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self._connection.close()

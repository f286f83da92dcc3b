"""The workers of a Dask scheduler."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client
from distributed.scheduler import KilledWorker

from rig import __version__
from rig.core.errors import ConfigError, RigError
from rig.jobs.engine import OrderT, ResultT, Workers, died_text
from rig.jobs.worker import pack, run_packed

CONNECT_S = 10
"""How long a scheduler may take to answer."""

WORKER_S = 60
"""How long the first worker may take: it imports Dask and this program, on a busy computer or over a network."""

_one_job = threading.Lock()
"""Jobs change what a process has once, such as its output and the folder of imports; Dask gives one job a thread."""


def run_on_worker(version: str, job: bytes) -> Any:
    """Return the result of a job. Raises ``ConfigError`` in a process with another version of this program."""
    if version != __version__:
        raise ConfigError(_version_text(version, f"a worker has {__version__}"))
    with _one_job:
        return run_packed(job)


class DaskWorkers(Workers):
    """The workers of a scheduler, which come and go. Dask itself runs a job again whose worker has died."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._known = 1
        self._calls_left = 0

    def count(self) -> int:
        """Return how many workers there are; ask the scheduler once in so many calls."""
        if self._calls_left == 0:
            self._known = self._calls_left = max(1, len(self._client.nthreads()))
        self._calls_left -= 1
        return self._known

    def submit(self, work: Callable[[OrderT], ResultT], order: OrderT) -> Future[ResultT]:
        """Send a job to the scheduler."""
        future: Future[ResultT] = self._executor.submit(run_on_worker, __version__, pack(work, order))
        return future

    def result(self, future: Future[ResultT], order: object) -> ResultT:
        """Return the result of a job. Raises its error, and ``RigError`` if its workers or the scheduler died."""
        try:
            return future.result()
        except KilledWorker:
            raise RigError(died_text(order)) from None
        except CancelledError:
            raise RigError("the Dask scheduler does not answer any more: start the command again") from None

    def stop(self) -> None:
        """Wait for running jobs: those for a cluster have one step."""


class _Client(Client):  # type: ignore[misc]
    def __del__(self) -> None:
        """Close nothing: ``with`` does, and a client that could not connect would wait for its end in vain."""


@contextmanager
def connected(scheduler: str) -> Iterator[DaskWorkers]:
    """Yield the workers of a scheduler, given by its address or its file. Raises ``ConfigError``."""
    _silence_dask()
    where = {"scheduler_file": scheduler} if Path(scheduler).is_file() else {"address": scheduler}
    try:
        client = _Client(**where, timeout=CONNECT_S, set_as_default=False, name="rig")
    except (OSError, ValueError, RuntimeError, KeyError) as error:  # no answer, no address, encryption on one side
        raise ConfigError(
            f"--scheduler {scheduler}: no Dask scheduler answers there ({error}): wanted the address that "
            "`dask scheduler` prints, such as tcp://192.168.1.10:8786, or the file that it writes"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=WORKER_S)
        except TimeoutError:
            raise ConfigError(
                f"--scheduler {scheduler}: it has no worker, and none came within {WORKER_S} s: start `dask worker "
                f"{client.scheduler.address}` on each computer"
            ) from None
        _check_versions(client, scheduler)
        yield DaskWorkers(client)


def installed_version() -> str:
    """Return the version of this program in this process."""
    return __version__


def _check_versions(client: Client, scheduler: str) -> None:
    """Check that all workers have this version. Raises ``ConfigError``."""
    try:
        versions = {"the scheduler": client.run_on_scheduler(installed_version)}
        versions |= client.run(installed_version, on_error="return")
    except ImportError as error:
        raise ConfigError(
            f"--scheduler {scheduler}: {_version_text(__version__, f'one machine has none ({error})')}"
        ) from None
    others = [f"{address} has {version}" for address, version in sorted(versions.items()) if version != __version__]
    if others:
        raise ConfigError(f"--scheduler {scheduler}: {_version_text(__version__, ', '.join(others))}")


def _version_text(version: str, others: str) -> str:
    """Return the message for workers with another version than the ``version`` of the command."""
    return f"this is rig {version}, and {others}: install the same version on all machines, and start the workers again"


def _silence_dask() -> None:
    """Set the loggers of Dask to say nothing: what goes wrong is raised."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)

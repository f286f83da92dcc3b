"""The workers of the Dask engine: processes of this computer, or those of a scheduler that runs elsewhere."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster
from distributed.core import Status
from distributed.security import Security

from rig import __version__
from rig.campaigns.worker import installed_version, silence_dask, version_text
from rig.core.errors import ConfigError, RigError
from rig.system.signals import signals_blocked

CONNECT_S = 10
"""How long a scheduler may take to answer."""

WORKER_S = 60
"""How long the first worker may take: it imports Dask and this program, on a busy computer or over a network."""

MAX_REPLACEMENTS = 20
"""How many processes of this computer may be killed while they start."""

_LOST = (Status.closed, Status.failed)


class Workers(ABC):
    """The workers that a client has."""

    def __init__(self, client: Client, threads: int) -> None:
        self.client = client
        self.threads = threads
        """The number of jobs that can run at once."""

    @abstractmethod
    def look(self) -> None:
        """Update the number of threads; called about once a second while no job ends. Raises ``RigError``."""


class LocalWorkers(Workers):
    """Processes of this computer. Dask starts another one for one that was killed."""

    def __init__(self, client: Client, cluster: LocalCluster, jobs: int) -> None:
        super().__init__(client, jobs)
        self._cluster = cluster
        self._replacements_left = MAX_REPLACEMENTS

    def look(self) -> None:
        """Start a process for each that was killed while it started: Dask gives these up. Raises ``RigError``."""
        lost = [name for name, nanny in list(self._cluster.workers.items()) if nanny.status in _LOST]
        if lost:
            self._replacements_left -= len(lost)
            if self._replacements_left < 0:
                raise RigError(
                    "the processes of --jobs end as soon as they have started: is there too little memory? "
                    "Start the command again with fewer --jobs"
                )
            self._cluster.sync(_forget, self._cluster, lost)
            self._cluster.scale(self.threads)


async def _forget(cluster: LocalCluster, names: list[Any]) -> None:
    for name in names:
        del cluster.workers[name]


class RemoteWorkers(Workers):
    """The workers of a scheduler, which come and go."""

    def look(self) -> None:
        """Update the number of threads."""
        self.threads = max(1, sum(self.client.nthreads().values()))


@contextmanager
def local_workers(jobs: int) -> Iterator[LocalWorkers]:
    """Yield processes of this computer. They start while the caller goes on, and end with this process."""
    silence_dask()
    # The temporary certificates keep the scheduler's port from other users of this computer: a program that can
    # speak with a scheduler can run any code.
    security = Security.temporary()
    with signals_blocked():
        cluster = LocalCluster(
            n_workers=0,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=None,
            security=security,
            silence_logs=logging.CRITICAL,
            preload="rig.campaigns.worker",
        )
    cluster.scale(jobs)
    try:
        # By the address: given the cluster itself, the client would wait for all workers.
        with Client(cluster.scheduler_address, security=security, set_as_default=False) as client:
            yield LocalWorkers(client, cluster, jobs)
    finally:
        cluster.sync(_kill, cluster)
        cluster.close()


async def _kill(cluster: LocalCluster) -> None:
    """End the workers at once, as no result is wanted any more; asked in order, each would wait for its job."""
    for nanny in list(cluster.workers.values()):
        nanny.close_gracefully()  # or it would start another worker
        with suppress(AttributeError, ValueError):  # has not started, or has ended
            await nanny.process.process.kill()


@contextmanager
def connected(scheduler: str) -> Iterator[RemoteWorkers]:
    """Yield the workers of a scheduler, given by its address or its file. Raises ``ConfigError``."""
    silence_dask()
    where = {"scheduler_file": scheduler} if Path(scheduler).is_file() else {"address": scheduler}
    try:
        client = Client(**where, timeout=CONNECT_S, set_as_default=False, name="rig")
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"--scheduler {scheduler}: no Dask scheduler answers ({error}): wanted the address that `dask scheduler` "
            "prints, such as tcp://192.168.1.10:8786"
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
        workers = RemoteWorkers(client, 1)
        workers.look()
        yield workers


def _check_versions(client: Client, scheduler: str) -> None:
    """Check that all workers have this version. Raises ``ConfigError``."""
    found = client.run(installed_version, on_error="return")
    others = [f"{address} has {version}" for address, version in sorted(found.items()) if version != __version__]
    if others:
        raise ConfigError(f"--scheduler {scheduler}: {version_text(__version__, ', '.join(others))}")

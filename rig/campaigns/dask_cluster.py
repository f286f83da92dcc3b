"""The workers of the Dask engine: processes of this computer, or those of a scheduler that runs elsewhere."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster
from distributed.security import Security

from rig import __version__
from rig.campaigns.worker import installed_version, silence_dask, version_text
from rig.core.errors import ConfigError, RigError
from rig.system.scratch import scratch_place
from rig.system.signals import signals_blocked

CONNECT_S = 10
"""How long a scheduler may take to answer."""

WORKER_S = 60
"""How long the first worker may take: it imports Dask and this program, on a busy computer or over a network."""

MAX_REPLACEMENTS = 20
"""How many processes of this computer may be killed while they start."""

_LEAN = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""What only Dask's own pages show: it took 5 % of a core, and 3 % of each process."""

_NO_PAGES = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
"""Without a dashboard too, a scheduler opens port 8787, and warns if another one has it."""


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
    """Processes of this computer. Dask starts another one for one that was killed, unless it died while it started."""

    def __init__(self, client: Client, cluster: LocalCluster, jobs: int) -> None:
        super().__init__(client, jobs)
        self._cluster = cluster
        self._dead: set[Any] = set()
        self._replacements_left = MAX_REPLACEMENTS

    def look(self) -> None:
        """Start others for processes that Dask itself has not replaced since the last look. Raises ``RigError``."""
        dead = {name for name, nanny in list(self._cluster.workers.items()) if not nanny.is_alive()}
        lost, self._dead = dead & self._dead, dead - self._dead
        if lost:
            self._replacements_left -= len(lost)
            if self._replacements_left < 0:
                raise RigError(
                    "the processes of --jobs end as soon as they have started: is there too little memory? "
                    "Start the command again with fewer --jobs"
                )
            self._cluster.sync(_remove, self._cluster, lost)
        if len(self._cluster.workers) < self.threads:
            self._cluster.scale(self.threads)


async def _remove(cluster: LocalCluster, names: set[Any]) -> None:
    for name in names & set(cluster.workers):
        await cluster.workers.pop(name).close()


class RemoteWorkers(Workers):
    """The workers of a scheduler, which come and go."""

    def look(self) -> None:
        """Update the number of threads."""
        self.threads = max(1, sum(self.client.nthreads().values()))


@contextmanager
def local_workers(jobs: int) -> Iterator[LocalWorkers]:
    """Yield processes of this computer. They start while the caller goes on, and end with this process."""
    silence_dask()
    scratch_place()  # Dask would only say that it cannot start
    # The temporary certificates keep other users of this computer from the port: a program that can speak with a
    # scheduler can run any code.
    dask.config.set(_LEAN)
    security = Security.temporary()
    with signals_blocked():
        cluster = LocalCluster(
            n_workers=0,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            scheduler_kwargs=_NO_PAGES,
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


class _Client(Client):  # type: ignore[misc]
    def __del__(self) -> None:
        """Close nothing: ``with`` does, and a client that could not connect would wait for its end in vain."""


@contextmanager
def connected(scheduler: str) -> Iterator[RemoteWorkers]:
    """Yield the workers of a scheduler, given by its address or its file. Raises ``ConfigError``."""
    silence_dask()
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
        workers = RemoteWorkers(client, 1)
        workers.look()
        yield workers


def _check_versions(client: Client, scheduler: str) -> None:
    """Check that all workers have this version. Raises ``ConfigError``."""
    try:
        found = {"the scheduler": client.run_on_scheduler(installed_version)}
        found |= client.run(installed_version, on_error="return")
    except ImportError as error:
        raise ConfigError(
            f"--scheduler {scheduler}: {version_text(__version__, f'one machine has none ({error})')}"
        ) from None
    others = [f"{address} has {version}" for address, version in sorted(found.items()) if version != __version__]
    if others:
        raise ConfigError(f"--scheduler {scheduler}: {version_text(__version__, ', '.join(others))}")

"""Open the engine that the command line asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from rig.core.errors import ConfigError
from rig.jobs.engine import Engine, InProcessEngine, engine_of
from rig.jobs.process_count import default_jobs

INSTALL = "pip install 'behavior-rig[cluster]'"


@contextmanager
def open_engine(jobs: int | None, scheduler: str | None = None, *, most: int | None = None) -> Iterator[Engine]:
    """Yield an engine of ``jobs`` processes, or of the cluster whose Dask scheduler has this address.

    Without ``jobs`` there are `default_jobs`, and never more than ``most``. ``scheduler`` may also be the file that
    ``dask scheduler --scheduler-file`` writes. Raises ``ConfigError`` if the cluster cannot be used, or Dask is not
    installed.
    """
    if jobs is None:
        jobs = default_jobs()
    if jobs < 1:
        raise ConfigError(f"--jobs {jobs}: wanted 1 or more")
    jobs = jobs if most is None else min(jobs, most)
    if scheduler is not None:
        with _cluster_engine(scheduler) as engine:
            yield engine
    elif jobs == 1:
        yield InProcessEngine()
    else:
        with process_engine(jobs) as engine:
            yield engine


@contextmanager
def process_engine(jobs: int) -> Iterator[Engine]:
    """Yield an engine of processes of this computer."""
    from rig.jobs.pool import ProcessPool  # a command that runs no processes needs nothing of them

    with ProcessPool(jobs) as pool, engine_of(pool) as engine:
        yield engine


@contextmanager
def _cluster_engine(scheduler: str) -> Iterator[Engine]:
    if find_spec("distributed") is None:
        raise ConfigError(f"--scheduler {scheduler}: needs Dask: {INSTALL}")
    from rig.jobs.dask_cluster import connected

    with connected(scheduler) as workers, engine_of(workers) as engine:
        yield engine

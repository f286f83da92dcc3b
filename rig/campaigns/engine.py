"""Run many independent jobs: in this process, in several, or on a cluster. The results are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from rig.campaigns.jobs import Chain, Engine, OrderT, ResultT
from rig.core.errors import ConfigError

__all__ = ["Chain", "Engine", "InProcessEngine", "open_engine"]

INSTALL = "pip install 'behavior-rig[cluster]'"


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


@contextmanager
def open_engine(jobs: int, scheduler: str | None = None) -> Iterator[Engine]:
    """Yield an engine of ``jobs`` processes, or of the cluster whose Dask scheduler has this address.

    ``scheduler`` may also be the file that ``dask scheduler --scheduler-file`` writes. Raises ``ConfigError`` if Dask
    is not installed, or the cluster cannot be used.
    """
    if jobs < 1:
        raise ConfigError(f"--jobs {jobs}: wanted 1 or more")
    if jobs == 1 and scheduler is None:
        yield InProcessEngine()
        return
    if find_spec("distributed") is None:
        option = f"--jobs {jobs}" if scheduler is None else f"--scheduler {scheduler}"
        raise ConfigError(f"{option}: needs Dask: {INSTALL}")
    from rig.campaigns.dask_engine import local_engine, remote_engine

    with local_engine(jobs) if scheduler is None else remote_engine(scheduler) as engine:
        yield engine

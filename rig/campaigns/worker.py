"""What runs in the process of a worker: one job at a time, and none after a stop."""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Callable
from contextvars import ContextVar
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from rig import __version__
from rig.core.errors import ConfigError
from rig.system.signals import ignore_signals, unblock_signals
from rig.terminal.output import SafeStreams

OrderT = TypeVar("OrderT")


class NotStarted(NamedTuple):
    """The answer to an order that came after the stop of its run."""


_stopped: set[str] = set()
"""The runs that were stopped; a process of a cluster may work for several."""

_run: ContextVar[str] = ContextVar("run", default="")
"""The run of the job of this thread."""

_one_job = threading.Lock()
"""Jobs change what a process has once, such as its output and the folder of imports."""


def pack(work: Callable[[OrderT], Any], order: OrderT) -> bytes:
    """Return a job as bytes, so that it is unpickled by the worker alone, and not by the scheduler."""
    return pickle.dumps((work, order), pickle.HIGHEST_PROTOCOL)


def run_on_worker(run: str, version: str, job: bytes) -> Any:
    """Return the result of a job, or ``NotStarted``.

    Raises ``ConfigError`` in a process that has another version of this program, or cannot import the job.
    """
    if version != __version__:
        raise ConfigError(version_text(version, f"a worker has {__version__}"))
    with _one_job:
        if run in _stopped:
            return NotStarted()
        work, order = _unpack(job)
        before = _run.set(run)
        try:
            return work(order)
        finally:
            _run.reset(before)


def _unpack(job: bytes) -> tuple[Callable[[Any], Any], Any]:
    try:
        found: tuple[Callable[[Any], Any], Any] = pickle.loads(job)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"a worker cannot do its job ({error}): install the same files on all machines") from None
    return found


def version_text(version: str, others: str) -> str:
    """Return the message for workers with another version than the ``version`` of the command."""
    return f"this is rig {version}, and {others}: install the same version on all machines, and start the workers again"


def stop_requested() -> bool:
    """Whether the running job should end soon, because its run was stopped. Jobs of several steps ask between them."""
    return _run.get() in _stopped


def stop_run(run: str) -> None:
    """Stop a run in this process: waiting jobs do not start."""
    _stopped.add(run)


def installed_version() -> str:
    """Return the version of this program in this process."""
    return __version__


def dask_setup(worker: Any) -> None:
    """Start a worker on this machine; Dask calls it by its name, in the main thread, before the first job.

    The worker ignores stop signals, which a terminal sends to all its processes: the parent says what is to stop.
    """
    ignore_signals()
    unblock_signals()
    silence_dask()
    SafeStreams().__enter__()  # for the lifetime of the worker
    import_module("rig.session.run.run_session")  # half a second for the first job otherwise


def silence_dask() -> None:
    """Set the loggers of Dask to say nothing: what goes wrong is raised."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)

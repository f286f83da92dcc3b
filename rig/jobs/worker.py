"""What runs in the process of a worker: one job at a time."""

from __future__ import annotations

import os
import pickle
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar

from rig.core.errors import ConfigError, RigError
from rig.platform.signals import unblock_signals
from rig.system.signals import ignore_signals
from rig.system.threads import use_one_thread
from rig.terminal.output import SafeStreams

OrderT = TypeVar("OrderT")

STOP = b"stop"
"""The message that asks the running job to end soon."""

_stop = threading.Event()


def stop_requested() -> bool:
    """Whether the running job should end soon. Jobs of several steps ask between them."""
    return _stop.is_set()


def pack(work: Callable[[OrderT], object], order: OrderT) -> bytes:
    """Return a job as bytes, so that it is unpickled by the worker alone."""
    return pickle.dumps((work, order), pickle.HIGHEST_PROTOCOL)


def run_packed(job: bytes) -> Any:
    """Return the result of a job. Raises ``ConfigError`` in a process that cannot import it."""
    try:
        work, order = pickle.loads(job)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"a worker cannot do its job ({error}): install the same files on all machines") from None
    return work(order)


def serve(connection: Connection) -> None:
    """Run the jobs of a connection until its other end closes, as it does when the parent is killed.

    The worker ignores stop signals, which a terminal sends to all its processes: the parent says what is to stop.
    """
    ignore_signals()
    unblock_signals()
    use_one_thread()
    SafeStreams().__enter__()  # for the lifetime of the worker
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, jobs), name="listens to the parent", daemon=True).start()
    while True:
        answer = _answer(jobs.get())
        with suppress(OSError):  # the parent has gone, which ends this process
            connection.send_bytes(answer)


def _listen(connection: Connection, jobs: SimpleQueue[bytes]) -> None:
    with suppress(EOFError, OSError):
        while True:
            message = connection.recv_bytes()
            if message == STOP:
                _stop.set()
            else:
                _stop.clear()
                jobs.put(message)
    os._exit(1)


def _answer(job: bytes) -> bytes:
    """Return the result of a job and its error, one of which is None."""
    try:
        return pickle.dumps((run_packed(job), None), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        if not isinstance(error, RigError):
            error.add_note(traceback.format_exc())
        with suppress(Exception):
            answer = pickle.dumps((None, error))
            pickle.loads(answer)  # the constructor of an error may want other arguments
            return answer
        return pickle.dumps((None, RuntimeError(traceback.format_exc())))

"""Work in several processes, whose results are kept in a file: what was stopped goes on where it was."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from rig.core.errors import ConfigError, RigError
from rig.system.atomic_files import write_atomic

T = TypeVar("T")

Kept = dict[str, Any]

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables from which numerical libraries take their number of threads, when a process starts."""


class Job(NamedTuple):
    """One piece of work: a key that names all that decides its result, and the argument of the function."""

    key: str
    argument: Any


def run_jobs(
    work: Callable[[Any], Kept], jobs: Sequence[Job], processes: int, file: Path | None
) -> Iterator[tuple[str, Kept]]:
    """Yield key and result of every job, as they are ready; those in the file first.

    With 0 processes the work is done in this one, and also in a process that may have none of its own, such as the
    worker of a campaign.

    Each result is appended to the file at once, as a line of JSON; so a run that was stopped loses only the jobs that
    ran then. ``work`` is a function of a module, and its results are plain data. Raises ``ConfigError``, and
    ``RigError`` if a process ends before its work is done.
    """
    known = {} if file is None else read_results(file)
    yield from ((job.key, known[job.key]) for job in jobs if job.key in known)
    waiting = [job for job in jobs if job.key not in known]
    if not waiting:
        return
    if file is not None:
        _without_torn_line(file)
    here = ((job.key, work(job.argument)) for job in waiting)
    alone = not processes or multiprocessing.current_process().daemon
    done = here if alone else _side_by_side(work, waiting, processes)
    for key, result in done:
        if file is not None:
            _append(file, key, result)
        yield key, result


def read_results(file: Path) -> dict[str, Kept]:
    """Return the results of a file by key; none without the file. A torn last line is left out.

    Raises ``ConfigError`` for a file that has something else.
    """
    found: dict[str, Kept] = {}
    for number, line in enumerate(_text(file).split("\n")[:-1], 1):
        try:
            entry = json.loads(line)
            found[str(entry["key"])] = dict(entry["result"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ConfigError(f"{file}:{number}: is no result of a fit: wanted a file of fits, or none") from None
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}: wanted a file of fits, or none") from None


def _without_torn_line(file: Path) -> None:
    """Write the file again without a last line that was not completed, so that the next one begins a line."""
    text = _text(file)
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        write_atomic(file, whole)


def _append(file: Path, key: str, result: Mapping[str, Any]) -> None:
    line = json.dumps({"key": key, "result": result}, separators=(",", ":")) + "\n"
    try:
        with file.open("a", encoding="utf-8", newline="") as out:
            out.write(line)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}: wanted the path of a file") from None


def _side_by_side(work: Callable[[Any], Kept], jobs: Sequence[Job], processes: int) -> Iterator[tuple[str, Kept]]:
    # Spawn: a fork would copy the locks of numerical libraries.
    spawn = multiprocessing.get_context("spawn")
    with _one_thread_each(), ProcessPoolExecutor(min(processes, len(jobs)), spawn, _init_worker) as pool:
        try:
            ready = {pool.submit(work, job.argument): job.key for job in jobs}
            for each in as_completed(ready):
                yield ready[each], each.result()
        except BrokenProcessPool:
            raise RigError(
                "a process of the work was ended from outside, or had too little memory: start the command again, "
                "with fewer --jobs; what a file keeps is not done again"
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Set numerical libraries of new processes to one thread.

    Threads that share out matrices of 40 x 40 wait for each other: such a fit took 7 times the processor time.
    """
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _init_worker() -> None:
    """Set a worker to ignore the terminal's stop, which its parent handles, and to end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="wait for the parent's end", daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent ends: a worker whose parent was killed would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)

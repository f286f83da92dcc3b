"""Jobs whose results are kept in a file: what was stopped goes on where it was."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from rig.core.errors import ConfigError
from rig.jobs.engine import Chain, InProcessEngine
from rig.jobs.open_engine import process_engine
from rig.system.atomic_files import write_atomic

A = TypeVar("A")
Kept = dict[str, Any]


class Job(NamedTuple, Generic[A]):
    """One piece of work: a key that names all that decides its result, and the argument of the function."""

    key: str
    argument: A

    def __str__(self) -> str:
        return self.key


def run_jobs(
    work: Callable[[A], Kept], jobs: Sequence[Job[A]], processes: int, file: Path | None
) -> Iterator[tuple[str, Kept]]:
    """Yield key and result of every job, as they are ready; those in the file first.

    With 0 processes the work is done in this one, and also in a process that may have none of its own, such as the
    worker of a campaign.

    Each result is appended to the file at once, as a line of JSON; so a run that was stopped loses only the jobs that
    ran then. ``work`` is a function of a module, and its results are plain data. Raises ``RigError``.
    """
    known = {} if file is None else read_results(file)
    yield from ((job.key, known[job.key]) for job in jobs if job.key in known)
    waiting = [job for job in jobs if job.key not in known]
    if not waiting:
        return
    if file is not None:
        _without_torn_line(file)
    alone = not processes or multiprocessing.current_process().daemon
    with nullcontext(InProcessEngine()) if alone else process_engine(min(processes, len(waiting))) as engine:
        for key, result in engine.run(partial(_run, work), map(Chain, waiting)):
            if file is not None:
                _append(file, key, result)
            yield key, result


def _run(work: Callable[[A], Kept], job: Job[A]) -> tuple[str, Kept]:
    return job.key, work(job.argument)


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


def _append(file: Path, key: str, result: Mapping[str, object]) -> None:
    line = json.dumps({"key": key, "result": result}, separators=(",", ":")) + "\n"
    try:
        with file.open("a", encoding="utf-8", newline="") as out:
            out.write(line)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}: wanted the path of a file") from None

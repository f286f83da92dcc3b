"""What a worker runs: jobs that it cannot import, errors of any kind, and a request to stop."""

import pickle
import sys
import threading
from multiprocessing import Pipe
from typing import Any

import pytest

from rig.core import errors
from rig.core.errors import ActionError, ConfigError, RigError
from rig.jobs import worker
from rig.jobs.worker import STOP, pack, run_packed, stop_requested


class NeedsTwoError(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def fails(order: Any) -> Any:
    raise order


def fails_with_two(order: int) -> None:
    raise NeedsTwoError(order, order)


def waits_for_stop(order: float) -> bool:
    return worker._stop.wait(order)


def answer(job: bytes) -> tuple[Any, BaseException | None]:
    found: tuple[Any, BaseException | None] = pickle.loads(worker._answer(job))
    return found


def examples_of_errors() -> list[RigError]:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RigError)]
    return [kind("a", 2.5, "ul") if kind is ActionError else kind("a", "b") for kind in kinds]


@pytest.mark.parametrize("error", examples_of_errors(), ids=lambda error: type(error).__name__)
def test_an_error_of_another_process_has_all_that_it_had(error: RigError) -> None:
    _, found = answer(pack(fails, error))
    assert found is not None
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("job", "kind"), [(pack(fails, SystemExit(3)), SystemExit), (pack(fails_with_two, 1), RuntimeError)]
)
def test_an_error_of_code_says_where_it_was_raised(job: bytes, kind: type[BaseException]) -> None:
    _, found = answer(job)
    assert isinstance(found, kind)
    assert "test_worker.py" in " ".join((str(found), *getattr(found, "__notes__", ())))


def test_a_result_that_cannot_be_sent_is_an_error() -> None:
    _, found = answer(pack(memoryview, b"bytes"))
    assert isinstance(found, TypeError)


def test_a_worker_that_cannot_import_a_job_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    job = pack(fails, 1)
    monkeypatch.delattr(sys.modules[__name__], "fails")
    with pytest.raises(ConfigError, match="fails"):
        run_packed(job)


def test_a_job_is_asked_to_stop_and_the_next_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    exits: list[int] = []
    monkeypatch.setattr(worker.os, "_exit", exits.append)
    ours, theirs = Pipe()
    jobs: Any = worker.SimpleQueue()
    listener = threading.Thread(target=worker._listen, args=(theirs, jobs), daemon=True)
    listener.start()
    ours.send_bytes(pack(waits_for_stop, 60.0))
    ours.send_bytes(STOP)
    assert run_packed(jobs.get(timeout=60))
    ours.send_bytes(pack(waits_for_stop, 0.0))
    assert not run_packed(jobs.get(timeout=60))
    assert not stop_requested()
    ours.close()
    listener.join(timeout=60)  # before pytest puts the real _exit back, which would end the tests
    assert exits == [1]

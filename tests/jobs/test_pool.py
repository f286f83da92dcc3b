"""Processes of this computer: one that dies costs its own job alone, and none is left behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing import active_children
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

import pytest

from rig.core.errors import ConfigError, RigError
from rig.jobs.engine import Chain, Engine, InProcessEngine
from rig.jobs.open_engine import open_engine
from rig.system.threads import THREADS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="kills its own processes"),
]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_engine(2) as engine:
        yield engine


def to_nine(result: int) -> int | None:
    return result if result < 1000 else None


def squared(order: int) -> int:
    return order**2


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def squared_or_dead(order: tuple[int, Path]) -> tuple[int, int]:
    """Kill the process of the first attempt at 3 and 7."""
    number, folder = order
    attempts = folder / str(number)
    if number in (3, 7) and not attempts.exists():
        attempts.touch()
        die()
    return number**2, os.getpid()


def half_sent(order: Path) -> bytes:
    """Kill the process of the first attempt when a part of its result is on the way."""
    if not order.exists():
        order.touch()
        Connection._send = lambda self, buffer: (os.write(self.fileno(), bytes(buffer[:500])), die())  # type: ignore[attr-defined]
    return bytes(100_000)


def deadly(order: str) -> str:
    return die() if order == "deadly" else order


def refused(order: int) -> int:
    raise ConfigError("rig.yaml:1: a", "rig.yaml:2: b")


def threads(order: int) -> list[str | None]:
    return [os.environ.get(name) for name in THREADS]


def signalled(order: Path) -> str:
    """Wait for a file that the test writes after its signal."""
    (order / f"{os.getpid()}.runs").touch()
    while not (order / "end").exists():
        threading.Event().wait(0.01)
    return "ended"


def test_several_processes_give_the_same_results_as_one(engine: Engine) -> None:
    chains = [Chain(number, to_nine) for number in range(2, 9)]
    assert sorted(engine.run(squared, chains)) == sorted(InProcessEngine().run(squared, chains))


def test_the_job_of_a_killed_process_runs_again(engine: Engine, tmp_path: Path) -> None:
    found = dict(engine.run(squared_or_dead, [Chain((number, tmp_path)) for number in range(9)]))
    assert sorted(found) == [number**2 for number in range(9)]
    assert os.getpid() not in found.values()


def test_a_process_that_is_killed_while_it_sends_a_result_is_noticed(engine: Engine, tmp_path: Path) -> None:
    assert list(engine.run(half_sent, [Chain(tmp_path / "sent")])) == [bytes(100_000)]


def test_a_job_that_kills_every_process_is_given_up_and_named(engine: Engine) -> None:
    with pytest.raises(RigError, match="deadly: given up, because every process that ran it was killed"):
        list(engine.run(deadly, [Chain("harmless"), Chain("deadly")]))


def test_an_error_of_a_job_is_raised_here(engine: Engine) -> None:
    with pytest.raises(ConfigError) as caught:
        list(engine.run(refused, [Chain(1)]))
    assert caught.value.mistakes == ("rig.yaml:1: a", "rig.yaml:2: b")


def test_numerical_libraries_of_a_process_have_one_thread(engine: Engine) -> None:
    assert list(engine.run(threads, [Chain(1)])) == [[os.environ.get(name, "1") for name in THREADS]]


def test_after_a_signal_the_running_jobs_end_and_no_process_is_left(tmp_path: Path) -> None:
    others = set(active_children())
    ended: list[str] = []
    threading.Thread(target=_stop_when_two_run, args=(tmp_path,), daemon=True).start()
    with pytest.raises(KeyboardInterrupt), open_engine(2) as engine:
        ended.extend(engine.run(signalled, [Chain(tmp_path) for _ in range(20)]))
    assert ended == ["ended", "ended"]
    assert set(active_children()) <= others


def _stop_when_two_run(folder: Path) -> None:
    while len(list(folder.glob("*.runs"))) < 2:
        threading.Event().wait(0.01)
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(0.2)
    (folder / "end").touch()


def test_a_second_signal_ends_the_running_jobs(tmp_path: Path) -> None:
    def signal_twice() -> None:
        while len(list(tmp_path.glob("*.runs"))) < 2:
            threading.Event().wait(0.01)
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGTERM)
            threading.Event().wait(0.2)

    others = set(active_children())
    threading.Thread(target=signal_twice, daemon=True).start()
    with pytest.raises(KeyboardInterrupt), open_engine(2) as engine:
        list(engine.run(signalled, [Chain(tmp_path) for _ in range(20)]))
    assert set(active_children()) <= others


def test_processes_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    script = (
        "import os, signal, threading, time\n"
        "from pathlib import Path\n"
        "from rig.jobs.engine import Chain\n"
        "from rig.jobs.open_engine import open_engine\n"
        "from tests.jobs.test_pool import signalled\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "def kill():\n"
        "    while len(list(folder.glob('*.runs'))) < 2: time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "threading.Thread(target=kill).start()\n"
        "with open_engine(2) as engine:\n"
        "    list(engine.run(signalled, [Chain(folder)] * 4))\n"
    )
    # The pipe of the output is closed when the last process that has it ends.
    ended = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, timeout=120)
    assert ended.returncode == -signal.SIGKILL

"""The engine of campaigns: chains in this process and in several, killed workers, errors and stops."""

import os
import pickle
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import __version__
from rig.campaigns import engine as engine_module
from rig.campaigns import worker
from rig.campaigns.engine import Chain, InProcessEngine, open_engine
from rig.campaigns.worker import NotStarted, pack, run_on_worker, stop_requested, stop_run
from rig.core import errors
from rig.core.errors import ActionError, ConfigError, RigError

slow = pytest.mark.slow


class Step(NamedTuple):
    chain: int
    number: int
    length: int


def worked(step: Step) -> Step:
    return step


def following(step: Step) -> Step | None:
    return None if step.number == step.length else step._replace(number=step.number + 1)


def chains_of(lengths: list[int]) -> list[Chain[Step, Step]]:
    return [Chain(Step(chain, 1, length), following) for chain, length in enumerate(lengths)]


def steps_of(lengths: list[int]) -> list[Step]:
    return [Step(chain, number, length) for chain, length in enumerate(lengths) for number in range(1, length + 1)]


def stop_and_ask(run: str) -> tuple[bool, bool]:
    before = stop_requested()
    stop_run(run)
    return before, stop_requested()


def refused(order: int) -> int:
    raise ConfigError("rig.yaml:1: a", "rig.yaml:2: b")


def refused_from_three_on(order: int) -> int:
    return order if order < 3 else refused(order)


@given(st.lists(st.integers(1, 5), max_size=6))
def test_in_this_process_chains_run_one_after_the_other(lengths: list[int]) -> None:
    assert list(InProcessEngine().run(worked, chains_of(lengths))) == steps_of(lengths)


def test_the_next_order_is_made_after_its_result_was_yielded() -> None:
    seen: list[int] = []
    run = InProcessEngine().run(abs, [Chain(1, lambda result: result + 1 if seen == [1] else None)])
    for result in run:
        seen.append(result)
    assert seen == [1, 2]


def test_one_job_needs_no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "find_spec", lambda name: None)
    with open_engine(1) as engine:
        assert list(engine.run(abs, [Chain(-1), Chain(-2)])) == [1, 2]


@pytest.mark.parametrize("asked", [{"jobs": 2}, {"jobs": 1, "scheduler": "tcp://127.0.0.1:1"}])
def test_without_dask_the_message_names_the_extra(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"behavior-rig\[cluster\]"), open_engine(**asked):
        pass


def test_no_processes_are_refused() -> None:
    with pytest.raises(ConfigError, match="--jobs 0"), open_engine(0):
        pass


def examples_of_errors() -> list[RigError]:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RigError)]
    return [kind("a", 2.5, "ul") if kind is ActionError else kind("a", "b") for kind in kinds]


@pytest.mark.parametrize("error", examples_of_errors(), ids=lambda error: type(error).__name__)
def test_an_error_of_another_process_has_all_that_it_had(error: RigError) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


def test_a_stopped_run_starts_no_job_in_a_worker_and_tells_the_running_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_stopped", set())

    assert run_on_worker("this", __version__, pack(stop_and_ask, "this")) == (False, True)
    assert run_on_worker("this", __version__, pack(abs, -1)) == NotStarted()
    assert run_on_worker("other", __version__, pack(abs, -1)) == 1
    assert not stop_requested()


def test_a_worker_with_another_version_is_refused() -> None:
    with pytest.raises(ConfigError, match="install the same version"):
        run_on_worker("run", "0.0.0", pack(abs, -1))


def test_a_worker_that_cannot_import_a_job_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    job = pack(refused, 1)
    monkeypatch.delattr(sys.modules[__name__], "refused")
    with pytest.raises(ConfigError, match="refused"):
        run_on_worker("run", __version__, job)


class FakeFuture:
    status = "pending"

    def __init__(self, client: "FakeClient", key: Any, job: Callable[[], Any]) -> None:
        self.client = client
        self.key = key
        self.job = job
        self.callback: Callable[[FakeFuture], None] = lambda future: None

    def add_done_callback(self, callback: Callable[["FakeFuture"], None]) -> None:
        self.callback = callback
        self.client.take(self)

    def result(self) -> Any:
        self.client.running -= 1
        self.client.give_next()
        return self.job()

    def release(self) -> None:
        self.client.unreleased -= 1


class FakeClient:
    """A scheduler whose jobs end in any order, and some of them with their workers."""

    def __init__(self, seed: int, deaths: float) -> None:
        self.random = random.Random(seed)
        self.deaths = deaths
        self.running = self.most = self.given = self.unreleased = 0
        self.held: list[FakeFuture] = []
        self.no_worker = False

    def submit(self, function: Callable[..., Any], *arguments: Any, key: Any) -> FakeFuture:
        self.running += 1
        self.unreleased += 1
        self.most = max(self.most, self.running)
        return FakeFuture(self, key, lambda: self.outcome(function, *arguments))

    def outcome(self, function: Callable[..., Any], *arguments: Any) -> Any:
        from distributed.scheduler import KilledWorker

        if self.random.random() < self.deaths:
            raise KilledWorker("key", None, 3)
        return function(*arguments)

    def take(self, future: FakeFuture) -> None:
        self.held.append(future)
        if not self.no_worker and (self.given == 0 or self.random.random() < 0.5):
            self.give()

    def give(self) -> None:
        future = self.held.pop(self.random.randrange(len(self.held)))
        self.given += 1
        future.status = "finished"
        future.callback(future)

    def give_next(self) -> None:
        self.given -= 1
        if self.given == 0 and self.held:
            self.give()

    def processing(self) -> dict[str, list[Any]]:
        return {"worker": [future.key for future in self.held if not self.no_worker]}

    def run(self, function: Callable[..., Any], *arguments: Any, on_error: str) -> None:
        function(*arguments)

    def cancel(self, futures: list[FakeFuture]) -> None:
        self.held = [future for future in self.held if future not in futures]
        self.given -= sum(future.status == "finished" for future in futures)
        if self.given == 0 and self.held:
            self.give()


class FakeWorkers:
    def __init__(self, client: FakeClient, threads: int) -> None:
        self.client = client
        self.threads = threads

    def look(self) -> None:
        pass


def fake_engine(seed: int = 0, threads: int = 2, deaths: float = 0.0) -> Any:
    pytest.importorskip("distributed")
    from rig.campaigns.dask_engine import DaskEngine

    return DaskEngine(FakeWorkers(FakeClient(seed, deaths), threads))  # type: ignore[arg-type]


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(0, 999), st.integers(1, 3), st.sampled_from((0.0, 0.2)))
def test_in_any_order_of_ends_each_chain_is_in_order_and_complete(
    lengths: list[int], seed: int, threads: int, deaths: float
) -> None:
    engine = fake_engine(seed, threads, deaths)
    found = list(engine.run(worked, chains_of(lengths)))
    assert sorted(found) == steps_of(lengths)
    for chain in range(len(lengths)):
        assert [step.number for step in found if step.chain == chain] == list(range(1, lengths[chain] + 1))
    assert engine._workers.client.most <= 2 * threads
    assert engine._workers.client.unreleased == 0


def test_a_job_that_kills_every_worker_is_given_up() -> None:
    with pytest.raises(RigError, match="too little memory"):
        list(fake_engine(deaths=1.0).run(abs, [Chain(-1)]))


@given(st.integers(0, 999))
def test_an_error_ends_a_run_and_is_raised_after_the_results_of_what_ran(seed: int) -> None:
    engine = fake_engine(seed)
    found: list[int] = []
    with pytest.raises(ConfigError) as caught:
        found.extend(engine.run(refused_from_three_on, [Chain(1, lambda result: result + 1), Chain(0)]))
    assert caught.value.mistakes == ("rig.yaml:1: a", "rig.yaml:2: b")


@given(st.integers(0, 999), st.integers(1, 10))
def test_after_a_stop_nothing_is_begun(seed: int, after: int) -> None:
    engine = fake_engine(seed)
    found: list[Step] = []

    def stop_in_time(step: Step) -> Step | None:
        if len(found) == after:
            engine.stop()
        return following(step)

    with pytest.raises(KeyboardInterrupt):
        found.extend(engine.run(worked, [Chain(chain.first, stop_in_time) for chain in chains_of([10] * 10)]))
    assert len(found) == after, "the others had not begun"


def test_a_stop_before_the_first_worker_has_come_ends_at_once() -> None:
    engine = fake_engine()
    engine._workers.client.no_worker = True

    def chains() -> Iterator[Chain[int, int]]:
        yield Chain(-1)
        engine.stop()
        yield Chain(-2)

    with pytest.raises(KeyboardInterrupt):
        list(engine.run(abs, chains()))
    assert engine._workers.client.held == []


def test_a_run_that_is_left_cancels_its_jobs() -> None:
    engine = fake_engine()
    run = engine.run(worked, chains_of([3, 3, 3]))
    next(run)
    run.close()
    assert engine._workers.client.held == []
    assert sorted(engine.run(worked, chains_of([2, 2]))) == steps_of([2, 2])


def square_or_die(order: tuple[int, Path]) -> tuple[int, int]:
    """Kill the process of the first attempt."""
    number, folder = order
    try:
        (folder / str(number)).touch(exist_ok=False)
    except FileExistsError:
        return number**2, os.getpid()
    return os.kill(os.getpid(), signal.SIGKILL) or (0, 0) if number in (3, 7) else (number**2, os.getpid())


def to_nine(result: int) -> int | None:
    return result if result < 1000 else None


def squared(order: int) -> int:
    return order**2


def signalled(order: Path) -> str:
    """Wait for a file that the test writes after its signal."""
    (order / f"{os.getpid()}.runs").touch()
    while not (order / "end").exists():
        threading.Event().wait(0.01)
    return "ended"


@slow
@pytest.mark.skipif(os.name == "nt", reason="kills its own processes")
def test_several_processes_give_the_same_results_also_when_one_is_killed_and_end_in_order(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with open_engine(2) as engine:
        here = InProcessEngine().run(squared, [Chain(number, to_nine) for number in range(2, 9)])
        there = engine.run(squared, [Chain(number, to_nine) for number in range(2, 9)])
        assert sorted(there) == sorted(here)
        found = dict(engine.run(square_or_die, [Chain((number, tmp_path)) for number in range(9)]))
        assert sorted(found) == [number**2 for number in range(9)]
        assert os.getpid() not in found.values()
        with pytest.raises(ConfigError) as caught:
            list(engine.run(refused, [Chain(1)]))
        assert caught.value.mistakes == ("rig.yaml:1: a", "rig.yaml:2: b")
        results = engine.run(signalled, [Chain(tmp_path) for _ in range(20)])
        threading.Thread(target=_stop_when_two_run, args=(tmp_path,), daemon=True).start()
        ended: list[str] = []
        with pytest.raises(KeyboardInterrupt):
            ended.extend(results)


def _stop_when_two_run(folder: Path) -> None:
    while len(list(folder.glob("*.runs"))) < 2:
        threading.Event().wait(0.01)
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(0.2)
    (folder / "end").touch()

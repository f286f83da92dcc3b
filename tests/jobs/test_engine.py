"""The engine: chains in this process and with workers that end in any order, errors and stops."""

import random
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import ConfigError
from rig.jobs import open_engine as open_engine_module
from rig.jobs.engine import Chain, Engine, InProcessEngine, Workers, WorkersEngine
from rig.jobs.open_engine import open_engine


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


def refused_from_three_on(order: int) -> int:
    if order >= 3:
        raise ConfigError("rig.yaml:1: a", "rig.yaml:2: b")
    return order


class FakeWorkers(Workers):
    """Workers whose jobs end in any order."""

    def __init__(self, seed: int = 0, count: int = 2) -> None:
        self.running: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.most = self.stops = self._ended = 0
        self._count = count
        self._random = random.Random(seed)

    def count(self) -> int:
        self.end_one()
        return self._count

    def submit(self, work: Callable[[Any], Any], order: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.running.append((future, lambda: work(order)))
        self.most = max(self.most, self._ended + len(self.running))
        return future

    def result(self, future: Future[Any], order: object) -> Any:
        self._ended -= 1
        return super().result(future, order)

    def stop(self) -> None:
        self.stops += 1
        self.end_one()

    def end_one(self) -> None:
        """End one job, unless the engine has not seen the end of an earlier one."""
        if not self.running or self._ended:
            return
        self._ended += 1
        future, job = self.running.pop(self._random.randrange(len(self.running)))
        try:
            future.set_result(job())
        except ConfigError as error:
            future.set_exception(error)


@given(st.lists(st.integers(1, 5), max_size=6))
def test_in_this_process_chains_run_one_after_the_other(lengths: list[int]) -> None:
    assert list(InProcessEngine().run(worked, chains_of(lengths))) == steps_of(lengths)


@pytest.mark.parametrize("engine", [InProcessEngine(), WorkersEngine(FakeWorkers())])
def test_the_next_order_is_made_after_its_result_was_yielded(engine: Engine) -> None:
    seen: list[int] = []
    for result in engine.run(abs, [Chain(1, lambda result: result + 1 if seen == [1] else None)]):
        seen.append(result)
    assert seen == [1, 2]


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(0, 999), st.integers(1, 3))
def test_in_any_order_of_ends_each_chain_is_in_order_and_complete(lengths: list[int], seed: int, count: int) -> None:
    workers = FakeWorkers(seed, count)
    found = list(WorkersEngine(workers).run(worked, chains_of(lengths)))
    assert sorted(found) == steps_of(lengths)
    for chain in range(len(lengths)):
        assert [step.number for step in found if step.chain == chain] == list(range(1, lengths[chain] + 1))
    assert workers.most <= count


@given(st.integers(0, 999))
def test_an_error_ends_a_run_and_is_raised_after_the_results_of_what_ran(seed: int) -> None:
    workers = FakeWorkers(seed)
    with pytest.raises(ConfigError, match=r"rig\.yaml:2: b"):
        list(WorkersEngine(workers).run(refused_from_three_on, [Chain(1, lambda result: result + 1), Chain(0)]))
    assert workers.running == []


@given(st.integers(0, 999), st.integers(1, 10))
def test_after_a_stop_nothing_is_begun_and_what_runs_is_asked_to_end(seed: int, after: int) -> None:
    workers = FakeWorkers(seed)
    engine = WorkersEngine(workers)
    found: list[Step] = []

    def stop_in_time(step: Step) -> Step | None:
        if len(found) == after:
            engine.stop()
        return following(step)

    with pytest.raises(KeyboardInterrupt):
        found.extend(engine.run(worked, [Chain(chain.first, stop_in_time) for chain in chains_of([10] * 10)]))
    assert workers.running == []
    assert after < len(found) <= after + 2, "the others had not begun"
    assert workers.stops


def test_a_run_that_is_left_cancels_its_jobs() -> None:
    workers = FakeWorkers()
    run = WorkersEngine(workers).run(worked, chains_of([3, 3, 3]))
    next(run)
    run.close()
    assert workers.running
    assert all(future.cancelled() for future, _ in workers.running)


def test_without_dask_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_engine_module, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"behavior-rig\[cluster\]"), open_engine(1, "tcp://127.0.0.1:1"):
        pass


def test_no_processes_are_refused() -> None:
    with pytest.raises(ConfigError, match="--jobs 0"), open_engine(0):
        pass


def test_there_are_never_more_processes_than_the_most_that_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_engine_module, "default_jobs", lambda: 7)
    with open_engine(None, most=1) as engine:
        assert isinstance(engine, InProcessEngine)

"""A cluster of Dask: its results, its workers, and what it says when they die."""

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

distributed = pytest.importorskip("distributed")

from rig.core.errors import ConfigError, RigError  # noqa: E402
from rig.jobs import dask_cluster  # noqa: E402
from rig.jobs.dask_cluster import connected, run_on_worker  # noqa: E402
from rig.jobs.engine import Chain  # noqa: E402
from rig.jobs.open_engine import open_engine  # noqa: E402
from rig.jobs.worker import pack  # noqa: E402


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    no_pages = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}  # or it opens port 8787
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", scheduler_kwargs=no_pages
    ) as cluster:
        yield cluster.scheduler_address


def refused(order: int) -> int:
    raise ConfigError("rig.yaml:1: a", "rig.yaml:2: b")


def test_a_cluster_runs_chains_and_sends_errors(scheduler: str) -> None:
    with open_engine(1, scheduler) as engine:
        chains = [Chain(-number, lambda result: result + 10 if result < 10 else None) for number in range(5)]
        assert sorted(engine.run(abs, chains)) == [*range(5), *range(10, 15)]
        with pytest.raises(ConfigError, match=r"rig\.yaml:2: b"):
            list(engine.run(refused, [Chain(1)]))


def test_its_workers_are_counted(scheduler: str) -> None:
    with connected(scheduler) as workers:
        assert [workers.count() for _ in range(5)] == [2] * 5


def test_a_cluster_with_another_version_is_refused(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "installed_version", lambda: "0.0.0")
    with pytest.raises(ConfigError, match=r"the scheduler has 0\.0\.0"), connected(scheduler):
        pass


def test_a_worker_with_another_version_is_refused() -> None:
    with pytest.raises(ConfigError, match="install the same version"):
        run_on_worker("0.0.0", pack(abs, -1))


class NoClient:
    def get_executor(self, *, pure: bool) -> None:
        return None


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (distributed.scheduler.KilledWorker("key", None, 3), "mouse 3: given up"),
        (None, "scheduler does not answer any more"),
    ],
)
def test_workers_that_die_and_a_scheduler_that_ends_are_told(error: Exception | None, text: str) -> None:
    future: Future[Any] = Future()
    if error is None:
        future.cancel()
    else:
        future.set_exception(error)
    with pytest.raises(RigError, match=text):
        dask_cluster.DaskWorkers(NoClient()).result(future, "mouse 3")

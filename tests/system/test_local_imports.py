"""Two laboratories' files in one run: each takes its own helpers."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.session.spec.task_classes import find_task
from tests.session.spec.task_files import write


@pytest.fixture(params=["helper_of_a_lab", "protocols.helper_of_a_lab", "package_of_a_lab.inner"])
def helper(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def laboratory(folder: Path, helper: str, pause_s: float) -> Path:
    file = folder / Path(*helper.split(".")).with_suffix(".py")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"PAUSE_S = {pause_s}\n")
    if helper.startswith("package"):
        (file.parent / "__init__.py").write_text("")
    above, _, last = helper.rpartition(".")
    asked = f"from {above} import {last} as helper" if above else f"import {last} as helper"
    task = write(folder / "my_task.py", extra=asked, body=f"import {helper}; await self.sleep(helper.PAUSE_S)")
    task.write_text(task.read_text().replace("pause_s: float = 1.0", "pause_s: float = helper.PAUSE_S"))
    return task


def pause_s(task: Path) -> float:
    return float(find_task(str(task)).task.params_type().pause_s)


def test_each_of_two_laboratories_takes_its_own_helper(tmp_path: Path, helper: str) -> None:
    one, two = (laboratory(tmp_path / name, helper, number) for name, number in (("one", 1.0), ("two", 2.0)))
    assert [pause_s(task) for task in (one, two, one, two)] == [1.0, 2.0, 1.0, 2.0]


def test_what_is_imported_later_is_of_the_task_that_was_asked_for_last(tmp_path: Path, helper: str) -> None:
    one, two = (laboratory(tmp_path / name, helper, number) for name, number in (("one", 1.0), ("two", 2.0)))
    for task, number in ((one, 1.0), (two, 2.0), (one, 1.0)):
        find_task(str(task))
        there: dict[str, float] = {}
        exec(f"from {helper} import PAUSE_S", there)
        assert there["PAUSE_S"] == number


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "one" / ".venv"
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def test_an_environment_below_a_laboratory_stays_as_it_is(tmp_path: Path, environment: Path) -> None:
    one, two = (laboratory(tmp_path / name, "helper_of_a_lab", 1.0) for name in ("one", "two"))
    environment.mkdir()
    (environment / "package_of_all.py").write_text("")
    find_task(str(one))
    module = __import__("package_of_all")
    find_task(str(two))
    assert sys.modules["package_of_all"] is module

"""What holds for every test: no loop is left with tasks on it, hypothesis does not race the machine, signals are heard.

A shell that starts the tests with nohup, or in the background, has switched some signals off for them and for
every program that they start.
"""

import asyncio
import gc
import signal
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import compress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from rig.platform.local_sockets import HAS_LOCAL_SOCKETS
from rig.platform.signals import HANG_UP
from rig.system.carriers import CARRIER
from rig.system.control_socket import FOLDER
from tests.private_folder import private_folder

# The same examples in every run, so that no test is flaky. `make campaign` takes the long profile.
settings.register_profile("rig", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("long", settings.get_profile("rig"), max_examples=1_000)
settings.load_profile("rig")

for number in (signal.SIGINT, HANG_UP):
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


SLOW = (
    "tests/adversary/",
    "tests/docs/test_ci.py",
    "tests/docs/test_recipes.py",
    "tests/docs/test_snippets.py",
    "tests/docs/test_worked_protocol.py",
    "tests/session/test_kill.py",
    "tests/session/test_power.py",
    "tests/test_wheel.py",
)
"""Places whose tests take seconds of processor time each."""
CAMPAIGNS = ("[avr-mega-slow", "[avr-uno-wraps", "[avr8js-mega")
"""Of the contract, the variants of the firmware but one: they run before a change of the firmware is done."""


SLOW_BY_PARAMETER = ("/tests/contracts/", "/tests/sim_hardware/avr8js/")
"""Folders in which another file may have made a test slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(part in item.nodeid for part in SLOW):
            item.add_marker(pytest.mark.slow)
        if any(part in item.nodeid for part in CAMPAIGNS):
            item.add_marker(pytest.mark.campaign)
        if item.get_closest_marker("slow") and not _may_be_slow(item.path):
            raise pytest.UsageError(f"{item.nodeid} is slow: its file must say so, or `make slow` does not import it")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file that has no test for this run; each worker would import it."""
    marks = config.option.markexpr
    if collection_path.suffix != ".py" or "slow" not in marks:
        return None
    is_left_out = _is_slow(collection_path) if "not slow" in marks else not _may_be_slow(collection_path)
    return is_left_out or None


def _is_slow(file: Path) -> bool:
    return any(part in file.as_posix() for part in SLOW)


@cache
def _may_be_slow(file: Path) -> bool:
    is_named = _is_slow(file) or any(part in file.as_posix() for part in SLOW_BY_PARAMETER)
    text = file.read_text(encoding="utf-8")
    return is_named or "slow" in text or "carrier: str" in text or "runtime: Path" in text


def _without_campaigns(config: pytest.Config) -> bool:
    return "not campaign" in config.option.markexpr


def _is_campaign(marks: Iterable[Any]) -> bool:
    return any(mark.name == "campaign" for mark in marks)


def _marks_of(part: object) -> list[Any]:
    """Return the marks of a module, a class or a function; a module may have a single one."""
    found = getattr(part, "pytestmark", [])
    return list(found) if isinstance(found, list | tuple) else [found]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, obj: object) -> list[pytest.Item] | None:
    """Make no items of a campaign that this run leaves out: thousands would be made in each process."""
    if not _without_campaigns(collector.config):
        return None
    marks = [*_marks_of(collector.obj), *_marks_of(obj)]
    return [] if _is_campaign(marks) else None


def pytest_collection_finish() -> None:
    """Let no garbage collection of a test go through all tests again: with thousands it was half of a test's time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Leave out the parameters that belong to a campaign, when this run leaves campaigns out."""
    if _without_campaigns(metafunc.config):
        marks = metafunc.definition.own_markers
        marks[:] = [_shortened(mark) if mark.name == "parametrize" else mark for mark in marks]


def _shortened(mark: pytest.Mark) -> pytest.Mark:
    """Return a ``parametrize`` mark without the parameters of campaigns, and without their ids."""
    names, values, *others = mark.args
    values, options = list(values), dict(mark.kwargs)
    kept = [not _is_campaign(getattr(value, "marks", ())) for value in values]
    if isinstance(options.get("ids"), list):
        options["ids"] = list(compress(options["ids"], kept))
    return pytest.mark.parametrize(names, list(compress(values, kept)), *others, **options).mark


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the transcripts of commands again")
    parser.addoption(
        "--board", help="the board that is held to the contract: sim, avr, avr8js, pico (default: all), or a port"
    )


@pytest.fixture(params=["file", pytest.param("tcp", marks=pytest.mark.slow)])
def carrier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with each carrier: new sessions listen at a socket file, then at a port, as on Windows."""
    if request.param == "file" and not HAS_LOCAL_SOCKETS:
        pytest.skip("this system has no sockets that are files")
    monkeypatch.setenv(CARRIER, request.param)
    return str(request.param)


@pytest.fixture
def runtime(carrier: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder, still to be made, in which the sessions of this test and of its programs can be reached."""
    with private_folder() as folder:
        monkeypatch.setenv(FOLDER, str(folder / "rig"))
        yield folder / "rig"


@pytest.fixture(autouse=True)
def no_task_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test after which a task still runs, on whatever loop the test has made."""
    loops: list[asyncio.BaseEventLoop] = []
    left: set[str] = set()
    make, close = asyncio.BaseEventLoop.__init__, asyncio.BaseEventLoop.close

    def remember(self: asyncio.BaseEventLoop, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        loops.append(self)

    # A loop that is kept after its end keeps its whole session: those of a campaign would fill the memory.
    def forget(self: asyncio.BaseEventLoop) -> None:
        left.update(_tasks_of(self))
        close(self)
        loops[:] = [loop for loop in loops if loop is not self]

    monkeypatch.setattr(asyncio.BaseEventLoop, "__init__", remember)
    monkeypatch.setattr(asyncio.BaseEventLoop, "close", forget)
    yield
    left.update(name for loop in loops for name in _tasks_of(loop))
    assert not left, f"still running after the test: {', '.join(sorted(left))}"


def _tasks_of(loop: asyncio.AbstractEventLoop) -> set[str]:
    return {task.get_name() for task in asyncio.all_tasks(loop)}

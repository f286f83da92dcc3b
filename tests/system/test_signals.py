"""The system's ways of saying stop, outside a session."""

import os
import signal
import subprocess
import sys

import pytest

from rig.system import signals
from rig.system.signals import STOPPED, InterruptHandler, interruptible

posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_every_signal_is_control_c_and_is_given_back(name: str) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)
    with interruptible(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_the_second_finds_it_being_done_and_the_third_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(signals.os, "_exit", ended.append)
    said: list[str] = []
    stops = InterruptHandler(lambda: said.append("stop"))
    for _ in range(2):
        stops(signal.SIGINT, None)
    assert (said, ended) == (["stop"], [])
    stops(signal.SIGINT, None)
    assert (said, ended) == (["stop"], [STOPPED])


def test_what_must_not_be_cut_is_finished_first() -> None:
    said: list[str] = []
    stops = InterruptHandler(lambda: said.append("stop"))
    with stops.deferred():
        stops(signal.SIGINT, None)
        said.append("finished")
    assert said == ["finished", "stop"]


@posix
def test_a_process_whose_status_is_known_keeps_it() -> None:
    code = (
        "import os, signal; from rig.system.signals import ignore_signals; ignore_signals();"
        " [os.kill(os.getpid(), n) for n in (1, 2, 15)]"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=30, check=False).returncode == 0

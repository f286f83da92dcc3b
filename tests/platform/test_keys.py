"""Keys that are read while a display runs, and not after it."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterator

import pytest

from rig.platform import keys

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="Windows has no pseudo-terminals")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, int]]:
    """The two ends of a terminal that is taken for that of this process: the person's and the program's."""
    person, program = os.openpty()
    monkeypatch.setattr(keys, "TERMINAL", os.ttyname(program))
    monkeypatch.setattr(os, "tcgetpgrp", lambda descriptor: os.getpgrp())
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    yield person, program
    os.close(person)
    os.close(program)


def test_a_line_that_is_typed_after_the_display_is_left_to_the_question_that_follows(
    terminal: tuple[int, int],
) -> None:
    person, program = terminal
    taken: list[str] = []
    came = threading.Event()

    def take(text: str) -> None:
        taken.append(text)
        came.set()

    with keys.keys_in_thread(take) as reads:
        assert reads
        os.write(person, b"e")
        assert came.wait(10)
    os.write(person, b"200ul\n")
    os.set_blocking(program, False)
    assert select.select((program,), (), (), 10)[0]
    assert os.read(program, 1024) == b"200ul\n"
    assert taken == ["e"]

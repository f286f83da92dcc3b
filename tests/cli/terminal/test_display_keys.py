"""The keys of the running display at a terminal: they act on the session, and leave the terminal as it was."""

import os
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from rig.core.journal.kinds import OperatorNote, Paused, RewardLine
from rig.core.model.events import Request
from rig.core.model.reward import RewardStatus
from rig.records.journal.read import of_kind
from tests.cli.processes import begun, journal, posix, reason, until
from tests.cli.pseudo_terminal import Terminal, terminal

pytestmark = [posix, pytest.mark.real_time]
RUN = ("run", "two_armed_bandit", "--subject", "M1", "--model", "rflr", "--seed", "1")
HINT = "r reward, n note, p pause, s set, e end"


@pytest.fixture
def data(data: Path, runtime: Path) -> Path:
    """Where the records go of a session that can be reached."""
    return data


def echoes(screen: Terminal) -> bool:
    import termios

    return bool(termios.tcgetattr(screen.master)[3] & termios.ECHO)


def press(screen: Terminal, key: str, answer: str) -> None:
    os.write(screen.master, key.encode())
    until(lambda: screen.shows(answer))


def by_hand(data: Path) -> list[RewardLine]:
    return [line for line in of_kind(journal(data), RewardLine) if line.delivered_by == "operator"]


def notes(data: Path) -> list[str]:
    return [line.text for line in of_kind(journal(data), OperatorNote)]


def test_keys_reward_note_and_end(data: Path) -> None:
    with terminal(*RUN, columns=100) as screen:
        until(lambda: screen.shows(HINT) and begun(data))
        assert not echoes(screen)
        press(screen, "r", "reward at 1 left, 2 right")
        press(screen, "2", "reward at right, 2.5 ul: delivered")
        press(screen, "n", "note (Enter writes it")
        press(screen, "it sleeps\r", "note: it sleeps")
        press(screen, "s", "set 1 choice_window_s, 2 iti_min_s")
        press(screen, "4", "reward_ul (Enter sets it):")
        press(screen, "3\r", "set reward_ul=3, from the next trial on")
        press(screen, "e", "end the session?")
        os.write(screen.master, b"y")
        assert screen.ends() == 130
        assert echoes(screen)
    assert [line.what for line in of_kind(journal(data), Request)].count("set reward_ul=3") == 1
    assert [line.status for line in by_hand(data)].count(RewardStatus.DELIVERED) == 1
    assert notes(data) == ["it sleeps"]
    assert reason(data) == "operator"


def test_nonsense_at_the_keys_changes_nothing(data: Path) -> None:
    draw = random.Random(1)
    # Not the keys that mean something, and none that the terminal itself takes (Ctrl-C, Ctrl-Z and such).
    some = [chr(each) for each in range(0x20, 0x2000) if chr(each) not in "rRnNpPeE"]
    pressed = ["".join(draw.choices(some, k=draw.randrange(1, 20))) for _ in range(100)]
    pressed += ["\x1b[A", "\x1b[1;5C", "\x1bO", "\x1b[", "\t\r\n"]
    with terminal(*RUN, columns=100) as screen:
        until(lambda: screen.shows(HINT) and begun(data))
        for keys in pressed:
            os.write(screen.master, keys.encode())
            screen.shows("")  # what it draws is read, so that it never waits for this terminal
        os.write(screen.master, b"\xff\xfe\x80")
        for _ in range(60):  # a key that arrives together with others does nothing
            os.write(screen.master, b"n")
            with suppress(AssertionError):
                until(lambda: screen.shows("note (Enter writes it"), within_s=0.5)
                break
        press(screen, " still here\r", "still here")
        press(screen, "e", "end the session?")
        os.write(screen.master, b"y")
        assert screen.ends() == 130
    assert [text.lstrip("n ") for text in notes(data)] == ["still here"]
    assert by_hand(data) == []
    assert not any(of_kind(journal(data), Paused))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds children in /proc")
def test_a_display_that_is_killed_leaves_the_terminal_as_it_was(data: Path) -> None:
    with terminal(*RUN) as screen:
        until(lambda: screen.shows(HINT) and begun(data))
        (display,) = screen.displays()
        os.kill(display, signal.SIGKILL)
        os.write(screen.master, b"\x03")
        assert screen.ends() == 130
        assert echoes(screen)

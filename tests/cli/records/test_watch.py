"""`rig watch`: a session that runs elsewhere, or has ended."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import BANDIT, Rig
from tests.cli.panicked import ended_by_panic
from tests.cli.processes import begun, posix, until
from tests.cli.pseudo_terminal import SHORT, terminal


def test_a_session_that_has_ended_is_shown_with_its_end(rig: Rig, data: Path) -> None:
    assert rig(*SHORT).status == 0
    session = data / "sim" / "M1" / "2026-11-21" / "001"
    for words in ((session,), (session / "journal.jsonl",), ()):
        answer = rig("watch", *words)
        assert answer.status == 0
        assert "50 trials, " in answer.out
        assert answer.out.endswith(f"ended: the time limit was reached\nrecords: {session}\n")


def test_without_a_name_it_is_the_session_that_was_written_last(rig: Rig, data: Path) -> None:
    for subject, day in (("M1", "2026-11-22"), ("M2", "2026-11-21")):
        rig("sim", *BANDIT, "--subject", subject, "--start", day)
    os.utime(data / "sim" / "M1" / "2026-11-22" / "001" / "journal.jsonl", (1, 1))
    assert "M2" in rig("watch").out


def test_where_there_is_no_session_it_says_so(rig: Rig, data: Path) -> None:
    answer = rig("watch")
    assert (answer.status, answer.out) == (2, "")
    assert "has no session yet" in answer.err
    assert rig("watch", data / "nowhere").status == 2


def test_another_file_than_a_journal_is_not_watched_for_ever(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("stop: {}\n")
    answer = rig("watch", tmp_path / "mine.yaml")
    assert (answer.status, answer.out) == (2, "")
    assert "is no session: give its folder, or its journal.jsonl" in answer.err


def test_a_panic_is_the_last_word_of_a_session_that_it_has_ended(rig: Rig, tmp_path: Path) -> None:
    ended_by_panic(tmp_path, "2026-11-21")
    answer = rig("watch", tmp_path / "M1" / "2026-11-21" / "001")
    assert "PANIC: everything is off: the panic button of board sim (pin 12) was pressed" in answer.out
    assert answer.out.split("\n")[-3].startswith("ended: PANIC: ")


@posix
@pytest.mark.real_time
def test_a_panic_is_red_on_a_terminal(data: Path) -> None:
    ended_by_panic(data, "2026-11-21")
    with terminal("watch", data / "M1" / "2026-11-21" / "001") as screen:
        assert screen.ends() == 0
    assert "\x1b[1;31mended: PANIC: everything is off" in screen.text


@posix
@pytest.mark.real_time
def test_a_session_that_runs_elsewhere_is_followed_to_the_end_that_another_program_asks_for(
    rig: Rig, data: Path, child: Callable[..., "subprocess.Popen[str]"], runtime: Path
) -> None:
    with child("run", *BANDIT, "--set", "stop.session_s=600", "--subject", "M1", "--yes") as process:
        until(lambda: begun(data))
        with terminal("watch") as screen:
            until(lambda: screen.shows("Ctrl-C leaves it"))
            assert rig("session", "reward", "left").out == "left: 2.5 ul given\n"
            assert rig("session", "end").status == 0
            assert screen.ends() == 0
        process.communicate(timeout=20)
    assert "M1, two_armed_bandit" in screen.text
    assert "ended: stopped by the operator" in screen.text


@posix
@pytest.mark.real_time
def test_leaving_it_leaves_the_session_alone(data: Path, child: Callable[..., "subprocess.Popen[str]"]) -> None:
    with child(*SHORT, "--speed", "20") as process:
        until(lambda: begun(data))
        with terminal("watch") as screen:
            until(lambda: screen.shows("Ctrl-C leaves it"))
            os.write(screen.master, b"\x03")
            assert screen.ends() == 0
        assert "Traceback" not in screen.text
        assert "records: " in screen.text
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130

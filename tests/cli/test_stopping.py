"""A person or the system stops a session: it ends as it should, its records are whole, and the status says 130."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.header import Footer
from rig.core.model.events import Edge
from tests.cli.conftest import BANDIT, Rig
from tests.cli.processes import begun, journal, posix, until

Child = Callable[..., "subprocess.Popen[str]"]


@posix
@pytest.mark.real_time
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_paced_session_as_the_operator_would(rig: Rig, data: Path, child: Child, name: str) -> None:
    words = ("sim", *BANDIT, "--set", "stop.session_s=2400", "--speed", "20", "--subject", "M1", "--json")
    with child(*words) as process:
        until(lambda: begun(data))
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert json.loads(out)["sessions"][0]["reason"] == "operator"
    footer = journal(data)[-1]
    assert isinstance(footer, Footer)
    assert (footer.reason, footer.complete) == ("operator", True)
    (session,) = (path.parent for path in data.rglob("trials.csv"))
    assert rig("replay", session).status == 0


@posix
@pytest.mark.real_time
def test_a_stop_ends_the_whole_campaign_not_only_the_session_of_the_moment(data: Path, child: Child) -> None:
    words = ("sim", *BANDIT, "--set", "stop.session_s=2400", "--speed", "20", "--json")
    with child(*words, "--subjects", "2", "--sessions", "2") as process:
        until(lambda: begun(data))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert [summary["reason"] for summary in json.loads(out)["sessions"]] == ["operator"]
    assert len(list(data.rglob("journal.jsonl"))) == 1


@posix
@pytest.mark.real_time
def test_a_reader_that_has_gone_is_no_traceback(child: Child) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with (
        contextlib.closing(os.fdopen(writing, "w")) as nowhere,
        child("show", "graph", "free_water", stdout=nowhere) as it,
    ):
        _, err = it.communicate(timeout=20)
    assert it.returncode == 1
    assert err == ""


@posix
@pytest.mark.real_time
def test_keys_are_pokes_in_a_session_of_a_person_and_q_stops_it(data: Path, child: Child) -> None:
    import pty
    import termios

    master, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    words = ("run", "two_armed_bandit", "--subject", "me", "--model", "keyboard", "--yes", "--set", "stop.session_s=3")
    try:
        with child(*words, "--json", stdin=terminal) as process:
            until(lambda: begun(data))
            until(lambda: not termios.tcgetattr(terminal)[3] & termios.ICANON)
            os.write(master, b"s")
            until(lambda: any(isinstance(line, Edge) for line in journal(data)))
            os.write(master, b"\x1b[Dd")
            until(lambda: len({line.channel for line in journal(data) if isinstance(line, Edge)}) == 3)
            os.write(master, b"q")
            out, err = process.communicate(timeout=10)
        after = termios.tcgetattr(terminal)
    finally:
        os.close(master)
        os.close(terminal)
    assert process.returncode == 130
    assert "keys: a left" in err
    assert json.loads(out)["reason"] == "operator"
    pokes = [line.channel for line in journal(data) if isinstance(line, Edge) and line.level == 1]
    assert sorted(pokes) == ["center.beam", "left.beam", "right.beam"]
    assert after == before


@posix
@pytest.mark.real_time
def test_a_real_time_session_of_a_model_takes_its_time(rig: Rig, data: Path) -> None:
    words = ("run", "two_armed_bandit", "--subject", "M1", "--model", "rflr", "--set", "stop.session_s=0.5", "--json")
    began = time.monotonic()
    answer = rig(*words)
    assert answer.status == 0, answer.err
    assert time.monotonic() - began >= 0.5
    assert json.loads(answer.out)["reason"] == "time_limit"


@posix
@pytest.mark.real_time
@pytest.mark.parametrize("kind", ["paced", "keyboard"])
def test_a_terminal_that_is_closed_ends_the_session_whole(data: Path, child: Child, tmp_path: Path, kind: str) -> None:
    import fcntl
    import pty
    import termios

    words = {
        "paced": ("sim", *BANDIT, "--set", "stop.session_s=2400", "--speed", "20", "--subject", "M1"),
        "keyboard": (
            "run",
            "two_armed_bandit",
            "--subject",
            "me",
            "--model",
            "keyboard",
            "--yes",
            "--set",
            "stop.session_s=100",
        ),
    }[kind]
    master, terminal = pty.openpty()
    heard = tmp_path / "stderr"

    def own_terminal() -> None:
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    with heard.open("w") as errors:
        options = {"stdin": terminal, "stdout": terminal, "stderr": errors, "start_new_session": True}
        with child(*words, preexec_fn=own_terminal, **options) as process:
            os.close(terminal)
            until(lambda: begun(data))
            os.close(master)
            process.wait(20)
    assert process.returncode == 130
    assert "Traceback" not in heard.read_text()
    footer = journal(data)[-1]
    assert isinstance(footer, Footer)
    assert (footer.reason, footer.complete) == ("operator", True)
    (session,) = (path.parent for path in data.rglob("journal.jsonl"))
    assert {"trials.csv", "summary.json"} <= {path.name for path in session.iterdir()}


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(
    ("command", "function"),
    [
        (("replay", "{session}"), "rig.cli.records.replay.replay"),
        (("analyze", "{session}"), "rig.cli.analyze.analyze.read_sessions"),
        (("recover", "{session}"), "rig.cli.records.recover.recover"),
        (("subject", "rebuild", "M1", "--sim"), "rig.session.subject_folder.past_journals"),
    ],
)
def test_a_command_without_a_session_is_stopped_with_one_word(
    rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], function: str, name: str
) -> None:
    monkeypatch.setattr(function, lambda *arguments, **options: signal.raise_signal(getattr(signal, name)))
    before = {path: path.read_bytes() for path in session.iterdir() if path.is_file()}
    answer = rig(*(word.format(session=session) for word in command))
    assert (answer.status, answer.out, answer.err) == (130, "", "stopped\n")
    assert {path: path.read_bytes() for path in session.iterdir() if path.is_file()} == before


@posix
def test_a_stop_inside_a_replay_is_no_traceback(rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gc

    from rig.core.task.runner import Runner

    monkeypatch.setattr(Runner, "_declared_next", lambda *arguments, **options: signal.raise_signal(signal.SIGTERM))
    assert rig("replay", session).status == 130
    gc.collect()  # a task whose result was never read would warn now


@posix
def test_a_stop_while_the_tables_are_written_ends_the_campaign_behind_them(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rig.cli import run_and_save

    write = run_and_save.write_tables

    def press_and_write(*arguments: Any) -> None:
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        write(*arguments)

    monkeypatch.setattr(run_and_save, "write_tables", press_and_write)
    answer = rig("sim", *BANDIT, "--subjects", "2", "--sessions", "2", "--json")
    assert answer.status == 130
    assert [summary["reason"] for summary in json.loads(answer.out)["sessions"]] == ["time_limit"]
    (session,) = (path.parent for path in data.rglob("journal.jsonl"))
    assert {"trials.csv", "summary.json"} <= {path.name for path in session.iterdir()}

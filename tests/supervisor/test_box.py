"""A box from outside: what its process and its journal say, and how its session has ended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.supervisor import box as module
from rig.supervisor.box import BoxState
from rig.supervisor.box_requests import BoxRequests
from rig.system.control_socket import SessionGoneError
from tests.journal_lines import HEADER, sealed_json
from tests.supervisor.conftest import Make


def test_a_session_is_starting_until_its_records_are_known(make: Make) -> None:
    played = make()
    assert played.box.state is BoxState.IDLE
    played.begin()
    played.box.update()
    assert played.box.state is BoxState.STARTING
    played.asker.status = {"ok": True, "folder": str(played.folder)}
    played.box.update()
    assert (played.box.state, played.box.folder) == (BoxState.RUNNING, played.folder)


def test_a_session_that_ended_before_it_was_asked_is_found_in_the_list(make: Make) -> None:
    played = make().begin()
    played.write("header", **HEADER)
    played.listed = str(played.folder)
    played.box.update()
    assert played.box.state is BoxState.STARTING
    played.end("operator", 130)
    assert (played.box.reason, played.box.status, played.box.folder) == ("operator", 130, played.folder)


def test_a_running_session_is_as_its_journal_says(make: Make) -> None:
    played = make().run()
    played.write("trial", 5.0, outcome="rewarded")
    played.write("state", 6.0, name="iti")
    played.box.update()
    assert (played.box.progress.trials, played.box.progress.state, played.box.reason) == (1, "iti", "")
    assert played.box.left_s is not None
    assert 590 < played.box.left_s <= 594


def test_the_end_is_told_before_its_process_has_written_the_tables(make: Make) -> None:
    played = make().run()
    played.write("footer", 60.0, reason="fault", detail="the board is silent")
    played.box.update()
    assert (played.box.state, played.box.reason) == (BoxState.RUNNING, "fault")
    assert played.box.has_failed
    assert played.box.ended == "a fault: the board is silent"
    played.process.code = 1
    played.box.update()
    assert (played.box.state, played.box.status) == (BoxState.ENDED, 1)
    assert played.asker.is_closed


@pytest.mark.parametrize(
    ("reason", "code", "failed"), [("time_limit", 0, False), ("operator", 130, False), ("panic", 1, True)]
)
def test_a_session_that_ended_has_the_status_of_its_process(make: Make, reason: str, code: int, failed: bool) -> None:
    box = make().run().end(reason, code).box
    assert (box.status, box.has_failed) == (code, failed)


def test_of_a_session_that_another_program_started_the_reason_gives_the_status(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [True]
    monkeypatch.setattr(module, "is_running", lambda pid, mark: runs[0])
    played = make().run()
    played.box._process = None
    played.write("footer", 60.0, reason="operator")
    played.box.update()
    assert played.box.is_active
    runs[0] = False
    played.box.update()
    assert (played.box.state, played.box.status) == (BoxState.ENDED, 130)


def test_a_killed_session_says_how_its_records_are_recovered(make: Make) -> None:
    played = make().run()
    played.process.code = -9
    played.box.update()
    assert (played.box.reason, played.box.status) == ("crash", 1)
    assert played.box.ended == (
        f"its program ended unexpectedly: killed by signal 9; run `rig recover {played.folder}`"
    )


def test_a_session_that_never_began_says_why_in_its_last_line(make: Make) -> None:
    played = make().begin()
    played.log.write_text("a warning\nboard 'uno': no USB serial port was found\n\n")
    played.process.code = 3
    played.box.update()
    assert (played.box.reason, played.box.status) == ("refused", 3)
    assert played.box.ended == "not started: board 'uno': no USB serial port was found"


def test_lines_that_were_written_just_before_the_end_are_read(make: Make) -> None:
    played = make().run()
    played.write("trial", 5.0, outcome="rewarded")
    assert played.end().box.progress.trials == 1


def test_a_box_that_ended_can_begin_anew(make: Make) -> None:
    played = make().run().end("fault", 1)
    played.process.code = None
    played.begin()
    assert (played.box.state, played.box.reason, played.box.progress.trials) == (BoxState.STARTING, "", 0)
    assert not played.box.has_failed


def test_a_session_that_does_not_answer_is_ended_by_a_signal(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[int] = []
    monkeypatch.setattr(module, "request_stop", lambda pid: stopped.append(pid) or True)
    monkeypatch.setattr(module, "is_running", lambda pid, mark: True)
    played = make().run()
    played.asker.answer = ConfigError("the session does not answer")
    with pytest.raises(ConfigError):
        played.box.ask({"do": "pause"}, played.box.session)
    assert stopped == []
    assert played.box.ask({"do": "end"}, played.box.session)["ok"]
    assert stopped == [1]


def test_no_signal_is_sent_to_a_session_that_has_ended(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[int] = []
    monkeypatch.setattr(module, "request_stop", lambda pid: stopped.append(pid) or True)
    played = make().run()
    for gone in (False, True):
        # First another program has the number, then the session closes its socket while it writes its tables.
        monkeypatch.setattr(module, "is_running", lambda pid, mark, gone=gone: gone)
        played.asker.answer = SessionGoneError("ended") if gone else ConfigError("cannot be reached")
        with pytest.raises(ConfigError):
            played.box.ask({"do": "end"}, played.box.session)
    assert stopped == []


def test_an_end_that_a_session_does_not_answer_stops_no_later_session(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[int] = []
    monkeypatch.setattr(module, "request_stop", lambda pid: stopped.append(pid) or True)
    monkeypatch.setattr(module, "is_running", lambda pid, mark: True)
    played = make().run()
    before, asker = played.box.session, played.asker

    def ask(request: object) -> None:  # while it is awaited in vain, the session ends and another one begins
        played.end()
        played.process.code = None
        played.begin()
        raise ConfigError("the session does not answer")

    monkeypatch.setattr(asker, "ask", ask)
    with pytest.raises(ConfigError, match="does not answer"):
        played.box.ask({"do": "end"}, before)
    assert stopped == []


def test_a_signal_that_comes_too_late_leaves_the_requests_alive(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(pid: int, number: int) -> None:
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(module, "is_running", lambda pid, mark: True)
    played = make().run()
    played.asker.answer = ConfigError("the session does not answer")
    with pytest.raises(ConfigError, match="does not answer"):
        played.box.ask({"do": "end"}, played.box.session)


def test_a_question_to_a_session_is_not_answered_to_the_next_one(make: Make) -> None:
    played = make().run()
    requests = BoxRequests(played.box)
    requests.press("r")
    requests.press("1")  # both wait in the thread of a session that is slow
    slow = played.asker
    played.end()
    played.process.code = None
    played.begin()
    slow.run()
    assert slow.asked == played.asker.asked == []
    assert not requests.keys.is_asking
    requests.press("e")
    requests.press("y")
    played.asker.run()
    assert played.asker.asked == [{"do": "end"}]


def test_a_journal_of_another_version_ends_nothing(make: Make, tmp_path: Path) -> None:
    played = make().begin()
    played.asker.status = {"ok": True, "folder": str(played.folder)}
    played.journal.write_bytes(sealed_json({"seq": 0, "k": "header", "format": 1}))
    played.box.update()
    assert played.box.state is BoxState.RUNNING

"""What an operator's requests do to a session, by its socket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rig.core.errors import RecordError
from rig.core.journal.kinds import Note, OperatorNote, ParamsChanged, Paused, Resumed, RewardLine
from rig.core.model.events import Request
from rig.core.model.line import Line
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import of_kind, read_journal
from rig.session.replay import replay_lines
from rig.session.run import controls as module
from rig.session.run import run_session as run_module
from rig.session.run.control_requests import ControlRequest
from rig.session.run.controls import UNAVAILABLE, RequestFollower, SessionControls
from rig.session.run.run_session import SessionResult
from sim_hardware.driver import SimDriver
from tests.control_client import ControlClient, handshake_s
from tests.harness import run_as
from tests.session.run.test_run_session import EDGES, bandit, order
from tests.tables import rows

L = TypeVar("L", bound=Line)

Asked = tuple[float, dict[str, Any]]
PAUSES = (ControlRequest("pause"), ControlRequest("resume"))
SLOW = {"stop_session_s": 20}


class Desk:
    """A second terminal: requests at seconds of the loop, and their answers."""

    def __init__(self, runtime: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self._runtime = runtime
        self._monkeypatch = monkeypatch
        self._data = tmp_path
        self.clients: list[ControlClient] = []

    @property
    def _path(self) -> Path:
        (path,) = self._runtime.iterdir()
        return path

    def run(self, asked: Sequence[Asked], edges: Any = EDGES, **values: Any) -> SessionResult:
        desk = self

        class Asking(SimDriver):
            def connect(self, plan: Any, simulation: SimulationOptions) -> Any:
                for at_s, request in asked:
                    module.running().call_at(at_s, desk._ask, request)
                return super().connect(plan, simulation)

        self._monkeypatch.setattr(run_module, "find_driver", lambda name: Asking())
        simulation = SimulationOptions("scripted", {"edges": edges}, 1)
        return run_as(bandit(**values), order(self._data, simulation=simulation), controlled=True)

    def _ask(self, request: dict[str, Any]) -> None:
        client = ControlClient(self._path)
        client.ask(**request)
        self.clients.append(client)

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [client.answers[0] for client in self.clients]


@pytest.fixture
def desk(runtime: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Desk]:
    it = Desk(runtime, monkeypatch, tmp_path)
    yield it
    for client in it.clients:
        client.close()


def lines_of(result: SessionResult, kind: type[L]) -> list[L]:
    return list(of_kind(read_journal(result.folder), kind))


def test_a_reward_by_hand_is_given_counted_and_confirmed(desk: Desk) -> None:
    result = desk.run([(8.0, {"do": "reward", "source": "left"})], **SLOW)
    assert desk.answers == [{"ok": True, "text": "left: 2.5 ul given", "status": "delivered", "id": 2}]
    rewards = [line for line in lines_of(result, RewardLine) if line.delivered_by == "operator"]
    assert [line.status for line in rewards] == ["pending", "delivered"]
    assert (result.outcome.rewards, result.outcome.ul) == (2, 5.0)
    assert replay_lines(read_journal(result.folder))[1] is None


def test_a_reward_beyond_a_limit_is_refused_with_the_reason(desk: Desk) -> None:
    asked = [(6.0 + each, {"do": "reward", "source": "right"}) for each in range(3)]
    result = desk.run(asked, stop_max_ul=6, **SLOW)
    first, second, third = desk.answers
    assert first["ok"] is True
    assert second["ok"] is third["ok"] is False
    assert second["error"] == "right: not given, because with it the session could give 7.5 ul, and the limit is 6"
    assert result.outcome.ul == 5.0
    assert [note.what for note in lines_of(result, Note)].count("reward_withheld") >= 1
    assert replay_lines(read_journal(result.folder))[1] is None


@pytest.mark.parametrize(
    ("source", "said"),
    [("center", "no reward at 'center': one can be given at left, right"), ("attic", "no reward at 'attic'")],
)
def test_a_place_that_gives_nothing_is_refused_and_leaves_no_line(desk: Desk, source: str, said: str) -> None:
    result = desk.run([(6.0, {"do": "reward", "source": source})], **SLOW)
    assert said in desk.answers[0]["error"]
    assert lines_of(result, Request) == []


def test_a_valve_that_is_open_refuses_the_reward_and_it_does_not_count(desk: Desk) -> None:
    asked = [(2.52, {"do": "reward", "source": "right"}), (2.52, {"do": "reward", "source": "right"})]
    result = desk.run(asked, **SLOW)
    first, second = desk.answers
    assert first["ok"] is True
    assert second["error"] == "right: not given, and it does not count: the board has refused it: was a valve open?"
    assert result.outcome.rewards == 2


def test_a_note_has_the_time_of_the_board(desk: Desk) -> None:
    result = desk.run([(6.0, {"do": "note", "text": "groomed “twice”"})], **SLOW)
    (note,) = lines_of(result, OperatorNote)
    assert note.text == "groomed “twice”"
    assert note.t_us == desk.answers[0]["t_us"]
    assert 5_900_000 < note.t_us < 6_100_000 + 1e6 * handshake_s()
    assert note.uncertainty_us >= 0
    assert replay_lines(read_journal(result.folder))[1] is None


def test_a_session_is_ended_as_by_ctrl_c(desk: Desk) -> None:
    result = desk.run([(6.0, {"do": "end"})], **SLOW)
    assert desk.answers == [{"ok": True, "text": "the session ends"}]
    assert result.outcome.reason == "operator"
    assert result.outcome.t_us < 6_200_000
    assert not result.stopped


def test_a_pause_stops_the_session_s_time_until_it_is_resumed(desk: Desk) -> None:
    asked = [(7.0, "pause"), (8.0, "pause"), (9.0, "status"), (10.0, "resume"), (11.0, "resume"), (11.5, "status")]
    result = desk.run([(at_s, {"do": do}) for at_s, do in asked], **SLOW)
    first, second, during, third, fourth, after = desk.answers
    assert first["text"] == "paused; at most 30 minutes, then the session ends"
    assert second["text"] == "the session is paused already"
    assert (during["text"], during["paused"]) == ("paused in ready", True)
    assert third["text"] == "the session goes on"
    assert fourth["error"] == "the session is not paused"
    assert after["paused"] is False
    assert after["elapsed_s"] - during["elapsed_s"] < 2
    (resumed,) = lines_of(result, Resumed)
    assert 2_900_000 < resumed.paused_us < 3_100_000
    assert result.outcome.t_us == 20_000_000 + resumed.paused_us
    assert replay_lines(read_journal(result.folder))[1] is None


def test_in_a_trial_the_pause_is_said_to_come_later(desk: Desk) -> None:
    result = desk.run([(2.2, {"do": "pause"}), (2.3, {"do": "status"}), (9.0, {"do": "resume"})], **SLOW)
    first, during, _ = desk.answers
    assert first["text"].startswith("the pause begins between two trials; ")
    assert (during["paused"], during["pausing"]) == (False, True)
    assert len(lines_of(result, Paused)) == 1


def test_a_parameter_changes_from_the_next_trial_on_and_the_status_shows_it(desk: Desk) -> None:
    asked = [(2.2, "set"), (2.3, "status"), (6.0, "status")]
    result = desk.run(
        [(at_s, {"do": do, **({"param": "reward_ul= 5"} if do == "set" else {})}) for at_s, do in asked], **SLOW
    )
    answer, before, after = desk.answers
    assert answer == {"ok": True, "text": "reward_ul is 5 from the next trial on"}
    assert (before["live"]["reward_ul"], before["set"], before["set_next"]) == (2.5, {}, {"reward_ul": 5.0})
    assert (after["live"]["reward_ul"], after["set"], after["set_next"]) == (5.0, {"reward_ul": 5.0}, {})
    (line,) = lines_of(result, ParamsChanged)
    assert (line.trial, line.changed) == (2, {"reward_ul": 5.0})
    assert [line.what for line in lines_of(result, Request)] == ["set reward_ul= 5"]
    assert replay_lines(read_journal(result.folder))[1] is None


@rows("param", "said")
def test_a_value_that_the_file_could_not_have_is_refused_and_leaves_no_line(desk: Desk, param: str, said: str) -> None:
    result = desk.run([(6.0, {"do": "set", "param": param})], stop_max_ul=6, **SLOW)
    assert desk.answers[0]["ok"] is False
    assert said in desk.answers[0]["error"]
    assert len(desk.answers[0]["error"].splitlines()) == 1
    assert (lines_of(result, Request), lines_of(result, ParamsChanged)) == ([], [])


def test_a_parameter_that_has_the_value_already_leaves_no_line(desk: Desk) -> None:
    result = desk.run([(6.0, {"do": "set", "param": "reward_ul=2.5"})], **SLOW)
    assert desk.answers == [{"ok": True, "text": "reward_ul=2.5: it has this value"}]
    assert lines_of(result, Request) == []


def test_the_status_says_what_runs_and_what_can_be_done(desk: Desk, tmp_path: Path) -> None:
    result = desk.run([(6.0, {"do": "status"})], **SLOW)
    (status,) = desk.answers
    assert status["ok"] is True
    assert status["folder"] == str(result.folder)
    assert (status["subject"], status["protocol"], status["simulated"]) == ("M1", "two_armed_bandit", True)
    assert (status["trials"], status["rewards"], status["ul"]) == (1, 1, 2.5)
    assert status["sources"] == ["left", "right"]
    assert 5.9 < status["elapsed_s"] < 6.2


def test_before_the_first_state_only_the_end_can_be_asked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "the board is still opening: wait until the task runs"
    session: Any = object()
    controls = SessionControls(session, RequestFollower(), Path())
    monkeypatch.setattr(SessionControls, "_sources", lambda self: ["left"])
    monkeypatch.setattr(module, "Session", object)
    answers: list[dict[str, Any]] = []
    session = type("Opening", (), {"is_ending": False})()
    controls = SessionControls(session, RequestFollower(), Path())
    asked = ControlRequest("reward", "left"), ControlRequest("note", "here"), ControlRequest("set", "a=1"), *PAUSES
    for request in asked:
        controls.handle(request, answers.append)
    assert [answer["error"] for answer in answers] == [said] * 5


def test_after_the_end_has_begun_nothing_is_done_any_more() -> None:
    answers: list[dict[str, Any]] = []
    asked: list[str] = []
    session: Any = type("Ending", (), {"is_ending": False, "request": lambda self, what: asked.append(what)})()
    controls = SessionControls(session, RequestFollower(), Path())
    for request in (ControlRequest("end"), ControlRequest("end"), ControlRequest("note", "late")):
        controls.handle(request, answers.append)
    assert asked == ["stop"]
    assert [answer.get("text") or answer["error"] for answer in answers] == [
        "the session ends",
        "the session is ending already",
        "the session is ending",
    ]


def test_an_error_of_this_program_is_an_answer_and_does_not_end_the_session(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: SessionControls) -> list[str]:
        raise RecordError("the disk is full")

    monkeypatch.setattr(SessionControls, "_sources", broken)
    result = desk.run([(6.0, {"do": "status"})], **SLOW)
    assert desk.answers == [{"ok": False, "error": "the disk is full"}]
    assert result.outcome.reason == "time_limit"


def test_a_board_that_does_not_confirm_in_time_is_not_waited_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RequestFollower, "on_reward", lambda self, reward: None)
    desk.run([(6.0, {"do": "reward", "source": "left"})], **SLOW)
    assert desk.answers == [{"ok": True, "text": "left: ordered; the board has not confirmed it yet, and it counts"}]


def test_where_no_socket_can_be_opened_the_session_runs_and_says_so(desk: Desk, runtime: Path) -> None:
    runtime.write_text("a file")
    result = desk.run([], **SLOW)
    assert result.outcome.reason == "time_limit"
    assert [note.what for note in lines_of(result, Note)].count(UNAVAILABLE) == 1


def test_nonsense_at_the_socket_changes_no_byte_of_the_journal(desk: Desk, runtime: Path, tmp_path: Path) -> None:
    quiet = desk.run([], **SLOW)
    nonsense = [(2.0 + 0.1 * each, {"do": "x" * each}) for each in range(100)]
    loud = desk.run(nonsense, **SLOW)
    assert len(desk.answers) == 100
    assert not any(answer["ok"] for answer in desk.answers)
    a, b = (read_journal(result.folder)[1:-1] for result in (quiet, loud))
    assert a == b

"""What a person does during a session, in the running display."""

import io

from rig.live.display_loop import SessionStatus, session_status
from rig.live.progress import Progress
from rig.live.rich_display import session_panel
from rig.live.text_display import TextDisplay
from rig.terminal.console import SafeConsole
from rig.terminal.format import param_texts
from tests.live.progress_lines import after, line


def test_the_last_reward_by_hand_or_note_has_a_row() -> None:
    progress = after(line("state", 1, name="choose"))
    assert progress.operator is None
    progress.take(line("reward", 61, source="left", status="delivered", delivered_by="operator"))
    assert progress.operator is not None
    assert progress.operator.text == "reward at left, 2.5 ul: delivered"
    progress.take(line("operator_note", 62, text="sleeps"))
    paper = io.StringIO()
    SafeConsole(file=paper, width=80).print(session_panel(progress, SessionStatus(63.0, 1.0), 80, "Ctrl-C stops"))
    assert "by hand  1:02  note: sleeps" in paper.getvalue()


def test_a_reward_of_the_board_and_a_note_of_the_protocol_are_not_by_hand() -> None:
    progress = after(line("state", 1, name="choose"))
    progress.take(line("reward", 61, source="left", status="delivered"))
    progress.take(line("note", 62, what="operator_note", text="not me"))
    assert progress.operator is None


def test_a_pause_is_shown_and_the_time_of_the_session_stands_still() -> None:
    progress = after(line("state", 1, name="ready"), line("pause", 60))
    paper = io.StringIO()
    SafeConsole(file=paper, width=80).print(session_panel(progress, SessionStatus(60.0, 1.0), 80))
    assert "PAUSED in ready" in paper.getvalue()
    assert session_status(progress, 30.0, 0, real_time=True).elapsed_s == 60
    progress.take(line("resume", 90, paused_us=30_000_000))
    assert not progress.clock.is_paused
    assert session_status(progress, 5.0, 0, real_time=True).elapsed_s == 65


def test_a_parameter_that_was_set_is_shown_with_its_value_of_now() -> None:
    progress = Progress()
    progress.take(line("request", 60, what="set reward_ul=3"))
    assert progress.operator is not None
    assert progress.operator.text == "set reward_ul=3, from the next trial on"
    assert progress.set == {}
    progress.take(line("params", 61, trial=4, changed={"reward_ul": 3.0}))
    progress.take(line("params", 62, trial=5, changed={"iti_min_s": 0.5, "laser": None}))
    assert param_texts(progress.set) == ["reward_ul=3", "iti_min_s=0.5", "laser=null"]
    said: list[str] = []
    display = TextDisplay(said.append)
    display.update(progress)
    display.update(progress)
    assert said == ["1:02  set: reward_ul=3, iti_min_s=0.5, laser=null"]

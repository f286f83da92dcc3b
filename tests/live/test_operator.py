"""What a person does during a session, in the running display."""

import io

from rig.live.display_loop import SessionStatus
from rig.live.rich_display import session_panel
from rig.terminal.console import SafeConsole
from tests.live.progress_lines import after, line

BY_HAND = {"id": 1, "source": "left", "amount": 2.5, "unit": "ul", "delivered_by": "operator", "cause": "order"}


def test_the_last_reward_by_hand_or_note_has_a_row() -> None:
    progress = after(line("state", 1, name="choose"))
    assert progress.operator is None
    progress.take(line("reward", 61, status="delivered", **BY_HAND))
    assert progress.operator is not None
    assert progress.operator.text == "reward at left, 2.5 ul: delivered"
    note = {**line("note", 62, what="operator_note", text="sleeps"), "src": "operator"}
    progress.take(note)
    paper = io.StringIO()
    SafeConsole(file=paper, width=80).print(session_panel(progress, SessionStatus(63.0, 1.0), 80, "Ctrl-C stops"))
    assert "by hand  1:02  note: sleeps" in paper.getvalue()


def test_a_reward_of_the_board_and_a_note_of_the_protocol_are_not_by_hand() -> None:
    progress = after(line("state", 1, name="choose"))
    progress.take(line("reward", 61, status="delivered", **{**BY_HAND, "delivered_by": "board"}))
    progress.take(line("note", 62, what="operator_note", text="not me"))
    assert progress.operator is None

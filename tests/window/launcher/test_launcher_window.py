"""The launcher: what its cards show, what its buttons do, and what it asks."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from rig.core.errors import ConfigError
from rig.supervisor.box_facts import FactRow
from tests.supervisor.boxes import FakeAsker
from tests.window.launcher.launcher_desk import Desk, facts

CONFIRM = ("Is it M1? [type M1 or y] ", ("y", "yes, it is M1"), ("n", "no"))


def test_a_card_shows_the_animal_and_the_facts_of_its_box(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2", simulated=True))
    assert desk.card()._name.text() == "1  box_1: M1"
    assert desk.card(2)._name.text() == "2  box_2: M2 (simulated)"
    assert [row.text for row in desk.card()._shown] == [
        "24 g (96.0 % of the baseline)",
        "left FAILED its check",
    ]
    assert (desk.buttons(), desk.card()._state.text()) == (["Start"], "not started")


def test_a_session_is_started_by_the_command_of_a_terminal_with_its_questions(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    desk.press("2", "s")
    assert desk.commands == ["run --boxes mice --only box_2 --leave --experimenter anna"]
    program = desk.programs[-1].prints("subject       M2").asks("weight in g: ", is_number=True)
    desk.turn()
    assert (desk.page._title.text(), desk.page._keypad.isVisibleTo(desk.page)) == ("weight in g: ", True)
    for digit in ("2", "4", ".", "1", "⌫", "5"):
        desk.page._keypad.buttons[digit].click()
    desk.page._answers.buttons["\n"].click()
    assert program.answers == ["24.5"]
    assert desk.page._printed.toPlainText().splitlines() == ["subject       M2", "weight in g: 24.5"]
    program.asks(*CONFIRM)
    desk.turn()
    desk.page._answers.buttons["y"].click()
    program.prints("box_2: M2: started, process 7", is_error=False).ends()
    desk.turn()
    assert not desk.page.is_open
    assert desk.bottom == (
        "$ rig run --boxes mice --only box_2 --leave --experimenter anna | box_2: M2: started, process 7"
    )


def test_a_refusal_is_shown_with_the_sentence_of_the_terminal_until_a_person_goes_back(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.press("s")
    program = desk.programs[-1].asks(*CONFIRM)
    desk.turn()
    desk.page._line.setText("M2")  # a wrong animal
    desk.page._answers.buttons["\n"].click()
    assert program.answers == ["M2"]
    program.prints("box_1: not started: Not confirmed; session not started.").ends(2)
    desk.turn(3)
    assert desk.page.is_open
    assert desk.page._title.text() == ("not done (status 2): box_1: not started: Not confirmed; session not started.")
    desk.page._answers.buttons["b"].click()
    assert (desk.page.is_open, desk.buttons()) == (False, ["Start"])


def test_the_last_lines_before_a_question_are_in_sight_also_in_a_small_window(desk: Desk) -> None:
    from PySide6.QtWidgets import QApplication

    desk.read(facts("box_1", "M1"))
    desk.press("s")
    desk.programs[-1].prints(*(f"line {number}" for number in range(60))).asks("weight in g: ", is_number=True)
    desk.turn()
    desk.window.resize(800, 600)
    QApplication.processEvents()
    bar = desk.page._printed.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0


def test_a_question_that_is_left_is_left_without_an_answer_also_when_the_launcher_is_closed(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.press("s")
    program = desk.programs[-1].asks(*CONFIRM)
    desk.turn()
    desk.page._answers.buttons["\x1b"].click()
    assert program.answers == [None]
    program.ends(2)
    desk.turn()
    desk.page._answers.buttons["b"].click()
    desk.press("s")
    program = desk.programs[-1].asks(*CONFIRM)
    desk.turn()
    desk.window.close()
    assert program.answers == [None]


def test_all_boxes_in_which_no_session_runs_are_started_by_one_command(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"), facts("box_3", "M3"))
    desk.session("box_2", "M2", 7)
    desk.press("a")
    assert desk.commands == ["run --boxes mice --only box_1 --only box_3 --leave --experimenter anna"]
    desk.press("a")
    assert len(desk.commands) == 1, "one command at a time"


def test_the_boxes_are_seen_while_a_command_asks(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    played = desk.session("box_2", "M2", 7)
    desk.press("1", "s")
    played.write("panic", 30.0)
    desk.turn(2)
    texts = [label.text() for label in desk.window._strip._labels]
    assert desk.window._strip.isVisibleTo(desk.window)
    assert texts[1].startswith("✕ box_2: ")


# --- sessions ---------------------------------------------------------------------------------------------------


def test_a_running_session_is_rewarded_noted_paused_and_ended_and_the_command_is_shown(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    desk.session("box_2", "M2", 7)
    assert desk.buttons(2) == ["Reward", "Note", "Pause", "Set", "End"]
    desk.press("2", "r")
    assert desk.buttons(2) == ["left", "right", "none"]
    desk.press("2")
    assert desk.window._command.text() == "$ rig session reward right --subject M2"
    desk.press("n")
    desk.card(2)._line.setText("he sleeps")
    desk.card(2)._line.returnPressed.emit()
    desk.answer_requests()
    assert desk.window._command.text() == "$ rig session note 'he sleeps' --subject M2"
    desk.press("p", "e", "x", "e", "y")
    assert desk.asked["box_2"] == [
        {"do": "reward", "source": "right"},
        {"do": "note", "text": "he sleeps"},
        {"do": "pause"},
        {"do": "end"},
    ]
    assert desk.card(2)._answer.text() == "done"


def test_a_request_that_is_refused_shows_the_sentence_of_the_session(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.session("box_1", "M1", 7)
    asker = desk.window._roster.boxes["box_1"].asker
    assert isinstance(asker, FakeAsker)
    asker.answer = ConfigError("right: this would exceed max_ul of the session (100 ul)")
    desk.press("r", "2")
    assert desk.card()._answer.text() == "right: this would exceed max_ul of the session (100 ul)"


def test_what_is_pressed_while_an_answer_is_awaited_answers_nothing(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.session("box_1", "M1", 7)
    for key in ("e", "y", "y"):
        desk.window.press(key)
    desk.answer_requests()
    assert desk.asked["box_1"] == []
    assert desk.buttons() == ["yes", "no", "none"]


def test_a_double_click_presses_a_button_once(desk: Desk) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    desk.read(facts("box_1", "M1"))
    desk.session("box_1", "M1", 7)
    button = desk.card()._buttons.buttons["r"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.answer_requests()
    QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
    desk.answer_requests()
    assert desk.asked["box_1"] == []


def test_a_launcher_that_is_opened_again_finds_the_sessions_that_run(desk: Desk) -> None:
    desk.session("box_1", "M1", 7)
    assert desk.buttons()[0] == "Reward", "also before the file was read"
    desk.read(facts("box_1", "M5"))
    assert desk.card()._name.text() == "1  box_1: M1", "the animal that is in the session, not that of the file"


def test_a_box_that_the_file_names_no_more_stays_while_its_session_runs(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    played = desk.session("box_2", "M2", 7)
    desk.read(facts("box_1", "M1"))
    assert list(desk.window._roster.boxes) == ["box_1", "box_2"]
    desk.end(played)
    desk.read(facts("box_1", "M1"))
    assert list(desk.window._roster.boxes) == ["box_1"]


def test_of_two_launchers_the_one_that_was_refused_shows_the_session_that_runs(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.session("box_1", "M1", 7)
    desk.session("box_1", "M1", 8)
    desk.running.discard(8)
    desk.turn(2)
    assert desk.window._roster.boxes["box_1"].pid == 7
    assert desk.buttons()[0] == "Reward"


def test_a_session_that_failed_or_was_killed_is_told_with_what_mends_it(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    failed, killed = desk.session("box_1", "M1", 7), desk.session("box_2", "M2", 8)
    desk.end(failed, "fault", detail="the board is lost")
    desk.kill(killed)
    assert "the board is lost" in desk.card()._lamp_words.text()
    assert f"rig recover {killed.folder}" in desk.card(2)._lamp_words.text()
    assert desk.buttons(2) == ["Start"]


def test_a_stuck_session_says_that_it_does_not_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.read(facts("box_1", "M1"))
    desk.session("box_1", "M1", 7)
    box = desk.window._roster.boxes["box_1"]
    assert isinstance(box.asker, FakeAsker)
    box.asker.is_silent = True
    box._changed_s -= 3600
    desk.turn()
    assert "does not answer" in desk.card()._lamp_words.text()


def test_a_question_ends_with_its_session(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    played = desk.session("box_1", "M1", 7)
    desk.press("e")
    desk.end(played, "time_limit")
    desk.turn()
    assert not desk.card().requests.keys.is_asking
    assert desk.buttons() == ["Start"]


# --- what is due, and the file ----------------------------------------------------------------------------------


def test_what_is_due_is_asked_for_by_a_command(desk: Desk) -> None:
    row = FactRow("due", "OPEN, of 2026-11-23: 1000 ul", needs_look=True)
    desk.read(facts("box_1", "M1", rows=[row], is_due=True))
    assert desk.buttons() == ["Start", "Given?"]
    desk.press("g")
    assert desk.commands == ["subject due --ask M1 --by anna"]


def test_a_file_with_mistakes_is_told_and_read_again_and_running_sessions_stay(desk: Desk) -> None:
    desk.session("box_1", "M1", 7)
    desk.read(mistakes=["mice.yaml:3: boxes.box_1.rig: no rig is called 'box1'"])
    assert "no rig is called 'box1'" in desk.window._mistakes.text()
    assert desk.buttons()[0] == "Reward"
    desk.read(facts("box_1", "M1"))
    assert desk.window._mistakes.text() == ""


def test_an_answer_of_the_command_that_is_no_answer_is_told(desk: Desk) -> None:
    desk.turn(2)
    desk.programs[0].prints('{"boxes": [', is_error=False).ends()
    desk.turn()
    assert desk.window._mistakes.text() == "the boxes cannot be read (status 0)"


def test_facts_that_could_not_be_read_for_long_are_told_to_be_old(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.window._reader.ask()
    desk.turn(2)
    reading = desk.programs[-1]
    desk.turn(240)
    assert "may be old" in desk.window._mistakes.text()
    assert desk.buttons() == ["Start"]
    fields = {"file": str(desk.file), "boxes": [asdict(facts("box_1", "M1"))], "experimenters": []}
    reading.prints(json.dumps(fields), is_error=False).ends()
    desk.turn()
    assert desk.window._mistakes.text() == ""


def test_of_many_mistakes_the_first_are_shown_and_the_others_counted(desk: Desk) -> None:
    desk.read(mistakes=[f"mice.yaml:{line}: wrong" for line in range(1, 10)])
    assert desk.window._mistakes.text().splitlines()[-2:] == ["mice.yaml:5: wrong", "and 4 more"]


def test_a_file_that_was_changed_is_read_again(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.turn(2)
    desk.read(facts("box_1", "M1"))
    count = len(desk.programs)
    desk.file.write_text("boxes: {changed: 1}")
    desk.turn(2)
    assert len(desk.programs) == count + 1


def test_what_would_refuse_a_session_is_told_before(desk: Desk) -> None:
    desk.read(facts("box_1", "M1", problem="left was measured on 2026-01-01, 300 days ago; at most 30 are allowed"))
    assert "300 days ago" in desk.card()._lamp_words.text()
    assert desk.buttons() == ["Start"], "the command has the last word"


def test_the_name_of_the_person_is_written_into_the_commands(desk: Desk) -> None:
    desk.read(facts("box_1", "M1", is_due=True), names=["anna", "bob"])
    desk.window._person._box.setCurrentText("bob")
    desk.press("g")
    desk.programs[-1].ends()
    desk.turn()
    desk.window._person._box.setCurrentText(" ")
    desk.press("s")
    assert desk.commands == ["subject due --ask M1 --by bob"]
    assert "write your name" in desk.window._answer.text()
    desk.window._person._box.setCurrentText("eve")
    desk.press("s")
    assert desk.commands[1:] == ["run --boxes mice --only box_1 --leave --experimenter eve"]


# --- hands and keys ---------------------------------------------------------------------------------------------


def test_every_button_is_large_enough_for_a_glove_at_800_by_600(desk: Desk) -> None:
    from PySide6.QtWidgets import QApplication

    from rig.window.button_row import GloveButton

    desk.window.resize(800, 600)
    desk.read(*(facts(f"box_{number}", f"M{number}") for number in range(1, 5)))
    desk.session("box_1", "M1", 7)
    QApplication.processEvents()
    buttons = [button for button in desk.window.findChildren(GloveButton) if button.isVisible()]
    assert len(buttons) >= 9
    assert min(min(button.width(), button.height()) for button in buttons) >= 48
    words = {button: button.text().split("\n")[0] for button in buttons}
    cut = [text for button, text in words.items() if button.fontMetrics().horizontalAdvance(text) + 8 > button.width()]
    assert cut == []
    assert desk.window.size().width() == 800
    assert desk.window._grid.columns == 2


def test_tab_reaches_every_button_and_chooses_its_card(desk: Desk) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    desk.read(facts("box_1", "M1", is_due=True), facts("box_2", "M2"))
    desk.window.activateWindow()
    QApplication.processEvents()
    desk.card()._buttons.buttons["s"].setFocus()
    reached = []
    for _ in range(3):
        focus = QApplication.focusWidget()
        assert focus is not None
        chosen = desk.window._grid.chosen
        reached.append((getattr(focus, "text", str)().split("\n")[0], chosen and chosen.box.name))
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert reached == [("Start", "box_1"), ("Given?", "box_1"), ("Start", "box_2")]
    desk.card(2)._buttons.buttons["s"].setFocus()
    QTest.keyClick(desk.card(2)._buttons.buttons["s"], Qt.Key.Key_Return)
    assert desk.commands == ["run --boxes mice --only box_2 --leave --experimenter anna"]


def test_letters_that_a_person_writes_are_no_keys(desk: Desk) -> None:
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    desk.read(facts("box_1", "M1"))
    desk.window.activateWindow()
    QApplication.processEvents()
    line = desk.window._person._box.lineEdit()
    line.setFocus()
    line.clear()
    QTest.keyClicks(line, "sasqa")
    assert (desk.window._commands.experimenter, desk.commands) == ("sasqa", [])


def test_the_charts_of_a_session_are_shown_by_a_program_of_their_own(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    played = desk.session("box_1", "M1", 7)
    desk.press("c")
    assert desk.commands == [f"watch --window {played.folder}"]
    desk.programs[-1].prints("the window has failed (status 1)").ends(2)
    desk.turn()
    assert desk.window._answer.text() == "the window has failed (status 1)"


def test_words_of_records_are_no_markup(desk: Desk) -> None:
    desk.read(facts("box_1", "M1", problem="<img src=x>", rows=[FactRow("weight", "<b>24</b>")]))
    assert desk.card()._lamp_words.text() == "<img src=x>"
    from PySide6.QtCore import Qt

    assert desk.card()._lamp_words.textFormat() is Qt.TextFormat.PlainText


def test_closing_ends_no_session_and_the_keys_are_listed(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.session("box_1", "M1", 7)
    desk.press("?")
    assert desk.window._help.isVisible()
    desk.press("\x1b", "d", "q")
    assert not desk.window.isVisible()
    assert desk.asked["box_1"] == []

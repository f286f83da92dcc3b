"""The launcher in real hands: presses that repeat, fingers that are late, and questions that were left open."""

from __future__ import annotations

from typing import Any

from tests.window.launcher.launcher_desk import Desk, facts

CONFIRM = ("Is it M1? [type M1 or y] ", ("y", "yes, it is M1"), ("n", "no"))


def tap(widget: Any, at_ms: int, *, double: bool = False) -> None:
    """Press and release the left button in the middle of a widget, at a time of the screen's clock."""
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    middle = QPointF(widget.rect().center())
    down = QEvent.Type.MouseButtonDblClick if double else QEvent.Type.MouseButtonPress
    for kind in (down, QEvent.Type.MouseButtonRelease):
        left = Qt.MouseButton.LeftButton
        pressed = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else left
        event = QMouseEvent(kind, middle, widget.mapToGlobal(middle), left, pressed, Qt.KeyboardModifier.NoModifier)
        event.setTimestamp(at_ms)
        QApplication.sendEvent(widget, event)


def key(widget: Any, code: Any, at_ms: int, text: str = "", *, repeats: bool = False) -> None:
    from PySide6.QtCore import QEvent, Qt
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QApplication

    event = QKeyEvent(QEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier, text, repeats)
    event.setTimestamp(at_ms)
    QApplication.sendEvent(widget, event)


def focus() -> Any:
    from PySide6.QtWidgets import QApplication

    QApplication.processEvents()
    return QApplication.focusWidget()


def activate(desk: Desk) -> None:
    desk.window.activateWindow()
    focus()


def in_session(desk: Desk, count: int = 1) -> None:
    desk.read(*(facts(f"box_{number}", f"M{number}") for number in range(1, count + 1)))
    for number in range(1, count + 1):
        desk.session(f"box_{number}", f"M{number}", 6 + number)
    activate(desk)


# --- presses that repeat ----------------------------------------------------------------------------------------


def test_taps_in_quick_succession_press_the_first_button_alone(desk: Desk) -> None:
    in_session(desk)
    for index in range(6):  # a person hammers on the button of rewards, which becomes that of the first valve
        tap(desk.card()._buttons._all[0], 1000 + 300 * index, double=bool(index % 2))
        desk.answer_requests()
    assert desk.asked["box_1"] == []
    tap(desk.card()._buttons.buttons["1"], 4000)
    desk.answer_requests()
    assert desk.asked["box_1"] == [{"do": "reward", "source": "left"}]


def test_a_second_tap_does_not_answer_the_question_of_the_next_animal(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    desk.press("a")
    program = desk.programs[-1].asks(*CONFIRM)
    desk.turn(2)
    tap(desk.page._answers.buttons["y"], 5000)
    program.asks("Is it M2? ", ("y", "yes, it is M2"), ("n", "no"))
    desk.turn(2)
    tap(desk.page._answers.buttons["y"], 5450)
    assert program.answers == ["y"]
    tap(desk.page._answers.buttons["y"], 7000)
    assert program.answers == ["y", "y"]


def test_a_key_that_is_held_presses_once(desk: Desk) -> None:
    from PySide6.QtCore import Qt

    in_session(desk)
    desk.card()._buttons.buttons["r"].setFocus()
    for index in range(8):
        key(focus(), Qt.Key.Key_Return, 1000 + 300 * index, "\r", repeats=index > 0)
        desk.answer_requests()
    assert desk.asked["box_1"] == []
    assert desk.buttons() == ["left", "right", "none"]


def test_enter_by_itself_gives_no_drop_and_ends_no_session(desk: Desk) -> None:
    from PySide6.QtCore import Qt

    in_session(desk)
    for at_ms, start in ((10_000, "r"), (20_000, "e")):
        desk.card()._buttons.buttons[start].setFocus()
        for index in range(2):
            key(focus(), Qt.Key.Key_Return, at_ms + 1000 * index, "\r")
            desk.answer_requests()
        assert desk.asked["box_1"] == []
        assert focus() is desk.card()._buttons.buttons["r"]


def test_a_second_enter_does_not_press_what_the_first_has_shown(desk: Desk) -> None:
    from PySide6.QtCore import Qt

    desk.read(facts("box_1", "M1"))
    activate(desk)
    desk.press("s")
    program = desk.programs[-1].asks(*CONFIRM)
    desk.turn()
    desk.page._line.setText("M2")
    key(focus(), Qt.Key.Key_Return, 1000, "\r")
    program.prints("box_1: not started: Not confirmed; session not started.").ends(2)
    desk.turn(2)
    key(focus(), Qt.Key.Key_Return, 1300, "\r")
    assert desk.page.is_open, "the refusal is still shown"
    key(focus(), Qt.Key.Key_Return, 3000, "\r")
    assert not desk.page.is_open


def test_a_tap_at_a_question_that_has_just_come_does_nothing(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.press("s")
    program = desk.programs[-1].asks(*CONFIRM)
    desk.turn()
    tap(desk.page._answers.buttons["y"], 1000)
    assert program.answers == []
    desk.turn()
    tap(desk.page._answers.buttons["y"], 2000)
    assert program.answers == ["y"]


def test_a_tap_at_cards_that_have_just_changed_places_does_nothing(desk: Desk) -> None:
    desk.session("box_2", "M2", 7)
    desk.read(facts("box_1", "M1"), facts("box_2", "M2"))
    desk.window._is_new = False
    desk.read(facts("box_2", "M2"), facts("box_1", "M1"))
    desk.turn()
    desk.window._reader.facts = type(desk.window._reader.facts)(())
    desk.window._take_facts(desk.window._reader.facts)
    tap(desk.card()._buttons.buttons["e"], 1000)
    assert not desk.card().requests.is_busy
    desk.turn()
    tap(desk.card()._buttons.buttons["e"], 2000)
    assert desk.card().requests.is_busy


def test_a_digit_that_is_typed_while_an_answer_is_awaited_chooses_no_other_box(desk: Desk) -> None:
    in_session(desk, 3)
    desk.press("3")
    for letter in ("r", "2", "r", "1"):
        desk.window.press(letter)
    assert desk.window._grid.chosen is desk.card(3)
    for box in desk.window._roster.boxes.values():
        box.asker.run()  # type: ignore[union-attr]
    desk.window.press("2")  # before the question was drawn
    desk.answer_requests()
    assert desk.asked == {"box_1": [], "box_2": [], "box_3": []}


def test_every_tap_on_the_number_pad_counts(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.press("s")
    desk.programs[-1].asks("weight in g: ", is_number=True)
    desk.turn()
    pad = desk.page._keypad.buttons
    for index, digit in enumerate("2255"):
        tap(pad[digit], 1000 + 100 * index, double=bool(index % 2))
    assert desk.page._line.text() == "2255"
    tap(pad["⌫"], 1400)
    tap(pad["⌫"], 1500, double=True)
    assert desk.page._line.text() == "22"


# --- notes and questions ----------------------------------------------------------------------------------------


def test_no_button_writes_its_letter_into_a_note(desk: Desk) -> None:
    in_session(desk)
    desk.press("n")
    assert desk.buttons() == ["send", "none"]
    desk.card()._line.setText("he sleeps")
    desk.card()._buttons.buttons["\n"].click()
    desk.answer_requests()
    assert desk.asked["box_1"] == [{"do": "note", "text": "he sleeps"}]
    assert desk.buttons()[-1] == "End"


def test_a_button_that_is_pressed_before_the_note_is_drawn_writes_nothing(desk: Desk) -> None:
    in_session(desk)
    desk.card().press("n")
    for box in desk.window._roster.boxes.values():
        box.asker.run()  # type: ignore[union-attr]
    desk.card()._buttons._press("e")  # as it is still drawn
    desk.answer_requests()
    desk.card()._line.setText("he sleeps")
    desk.card()._line.returnPressed.emit()
    desk.answer_requests()
    assert desk.asked["box_1"] == [{"do": "note", "text": "he sleeps"}]


def test_a_key_beside_a_note_writes_nothing_and_leads_back_to_it(desk: Desk) -> None:
    in_session(desk)
    desk.press("n")
    desk.card()._buttons.buttons["\n"].setFocus()
    desk.press("3", "r")
    assert focus() is desk.card()._line
    desk.card()._line.setText("he sleeps")
    desk.card()._line.returnPressed.emit()
    desk.answer_requests()
    assert desk.asked["box_1"] == [{"do": "note", "text": "he sleeps"}]


def test_a_question_is_left_when_another_card_is_chosen(desk: Desk) -> None:
    in_session(desk, 3)
    desk.press("3", "r")
    assert desk.buttons(3) == ["left", "right", "none"]
    desk.card(1)._buttons.buttons["p"].click()
    desk.answer_requests()
    desk.press("3", "1")  # chooses cards: nothing asks any more
    assert desk.asked["box_3"] == []
    assert desk.window._grid.chosen is desk.card(1)


def test_a_press_on_a_card_does_not_move_it(desk: Desk) -> None:
    in_session(desk, 8)
    desk.window.resize(800, 600)
    focus()
    desk.turn()
    bar = desk.window._grid.verticalScrollBar()
    assert bar.maximum() > 40
    bar.setValue(40)
    tap(desk.card(4)._buttons.buttons["n"], 1000)
    desk.answer_requests()
    assert desk.window._grid.chosen is desk.card(4)
    assert bar.value() == 40


def test_a_long_name_of_an_animal_is_shown_to_its_end(desk: Desk) -> None:
    from rig.window.launcher.card import BREAK

    name = "C57BL6J_cohort_2026_11_cage_14_stripe_left_ear_tag_0123_mouse_03"
    desk.window.resize(800, 600)
    desk.read(facts("box_1", name), facts("box_2", "M2"), facts("box_3", "M3"), facts("box_4", "M4"))
    focus()
    shown = desk.card()._of_animal
    assert shown.text().replace(BREAK, "") == name
    assert shown.height() >= shown.heightForWidth(shown.width()) > shown.fontMetrics().height()
    assert desk.card(2)._name.text() == "2  box_2: M2"
    assert desk.card(2)._of_animal.isHidden()


def test_many_answers_stand_in_several_rows_inside_of_the_card(desk: Desk) -> None:
    in_session(desk, 4)
    desk.window.resize(800, 600)
    focus()
    desk.turn()
    card = desk.card()
    card._buttons.show_buttons([(str(number), f"left_feeder_{number}") for number in range(1, 10)] + [("x", "none")])
    focus()
    assert card.width() <= 400
    places = [button.geometry() for button in card._buttons.buttons.values()]
    assert all(place.right() < card._buttons.width() and place.width() >= 48 for place in places)
    assert len({place.top() for place in places}) > 1


# --- the name of the person -------------------------------------------------------------------------------------


def test_after_a_name_was_chosen_the_keys_act_on_the_card(desk: Desk) -> None:
    from PySide6.QtCore import Qt

    desk.read(facts("box_1", "M1"), names=["anna", "bob"])
    activate(desk)
    field = desk.window._person._box
    field.setFocus()
    field.setCurrentIndex(1)
    field.activated.emit(1)
    key(focus() or desk.window, Qt.Key.Key_S, 1000, "s")
    assert desk.commands == ["run --boxes mice --only box_1 --leave --experimenter bob"]


def test_the_wheel_changes_no_name(desk: Desk) -> None:
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    desk.read(facts("box_1", "M1"), names=["anna", "bob"])
    field, at = desk.window._person._box, QPointF(5, 5)
    for widget in (field, field.lineEdit()):
        wheel = QWheelEvent(
            at,
            field.mapToGlobal(at),
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, wheel)
    assert desk.window._commands.experimenter == "anna"


# --- what commands print ----------------------------------------------------------------------------------------


def test_a_long_refusal_leaves_room_for_the_button_that_goes_back(desk: Desk) -> None:
    desk.window.resize(800, 600)
    desk.read(facts("box_1", "M1"))
    desk.press("s")
    desk.programs[-1].prints("no " * 3000).ends(2)
    desk.turn(2)
    focus()
    assert desk.window.height() == 600
    button = desk.page._answers.buttons["b"]
    assert desk.window.rect().contains(button.mapTo(desk.window, button.rect().bottomRight()))
    desk.page._answers.buttons["b"].click()
    focus()
    assert desk.window.height() == 600


def test_what_is_no_question_is_printed(desk: Desk) -> None:
    desk.read(facts("box_1", "M1"))
    desk.press("s")
    desk.programs[-1].prints("\x1e5", '\x1e["Is it M1? ", [3], false]', '\x1e["Is it')
    desk.turn()
    assert desk.page._printed.toPlainText().count("Is it") == 2
    assert desk.page._question is None


def test_the_command_that_reads_the_facts_is_asked_nothing(desk: Desk) -> None:
    desk.turn(2)
    assert desk.programs[0].answers == [None]


def test_a_fact_that_needs_a_look_has_a_sign_beside_its_color(desk: Desk) -> None:
    from rig.window.labels import Words

    desk.read(facts("box_1", "M1"))
    texts = [label.text() for label in desk.card().findChildren(Words) if not label.isHidden()]
    assert "! left FAILED its check" in texts

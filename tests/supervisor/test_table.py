"""The table of the boxes, and its lines where there is no terminal."""

from __future__ import annotations

import io

import pytest
from rich.text import Text

from rig.supervisor.box import Box
from rig.supervisor.lines import BoxLines
from rig.supervisor.supervise import watch
from rig.supervisor.table import BAD, boxes_table, last_warning, state_text
from rig.terminal.console import SafeConsole
from tests.supervisor.boxes import STOP, PlayedBox
from tests.supervisor.conftest import Make


def drawn(*played: PlayedBox, columns: int = 140, hint: str = "") -> str:
    file = io.StringIO()
    console = SafeConsole(file=file, width=columns)
    console.print(boxes_table([each.box for each in played], 0, columns, hint))
    text = file.getvalue()
    assert all(len(line) <= columns for line in text.split("\n"))
    return text


@pytest.mark.parametrize("columns", [80, 140])
def test_a_row_has_what_a_technician_looks_for(make: Make, columns: int) -> None:
    one, two = make("one", "M1").run(), make("two", "M2")
    one.write("trial", 5.0, outcome="rewarded")
    one.write("note", 6.0, what="stuck", channel="left.beam", since_us=2_000_000)
    one.box.update()
    text = drawn(one, two, columns=columns, hint="the keys")
    row = next(line for line in text.split("\n") if "one" in line)
    assert row.startswith("> 1")
    assert all(word in row for word in ("M1", "ready", "0 ul", "9:5", "OK"))
    assert "left.beam has been on since 0:02" in text.replace("\n", " ")
    assert "not started" in text
    assert "the keys" in text


def test_twelve_boxes_fit_on_a_terminal(make: Make) -> None:
    many = [make(f"box_{number}", f"M{number}").run() for number in range(12)]
    assert len(drawn(*many, columns=80).rstrip("\n").split("\n")) == 13


def test_an_end_stays_in_the_table_and_a_failure_is_red(make: Make) -> None:
    ended, failed = make("one").run().end(), make("two").run().end("fault", 1, detail="the board is silent")
    text = drawn(ended, failed)
    assert "time limit" in text
    assert "a fault: the board is silent" in text
    assert (state_text(ended.box).style, last_warning(ended.box)) == ("", Text())
    assert state_text(failed.box).style == last_warning(failed.box).style == BAD


def test_a_lost_board_is_red_with_the_time_that_is_left_and_comes_first(make: Make) -> None:
    warned, lost = make("one").run(), make("two").run(stop={**STOP, "reconnect_within_s": 60})
    warned.write("note", 6.0, what="stuck", channel="left.beam", since_us=2_000_000)
    lost.write("fault", 30.0, what="disconnected", detail="no board")
    for each in (warned, lost):
        each.box.update()
    text = drawn(warned, lost)
    assert "LOST, 60 s" in text
    assert text.index("two: BOARD LOST: plug it in within 60 s") < text.index("one: 0:06")
    assert last_warning(lost.box).style == BAD


def test_a_panic_is_red_at_once_before_its_session_has_ended(make: Make) -> None:
    played = make().run()
    played.panic()
    assert played.box.is_active
    assert (state_text(played.box).plain, state_text(played.box).style) == ("PANIC", BAD)
    assert (last_warning(played.box).plain, last_warning(played.box).style) == ("PANIC: everything is off", BAD)
    played.end("panic", 1)
    assert (state_text(played.box).plain, state_text(played.box).style) == ("PANIC", BAD)


def test_a_pause_is_seen(make: Make) -> None:
    played = make().run()
    played.write("pause", 5.0)
    played.box.update()
    assert "PAUSED" in drawn(played)


def test_a_session_that_does_not_answer_is_seen_once_its_journal_is_silent_too(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = make().run()
    played.asker.is_silent = True
    assert "NO ANSWER" not in drawn(played)
    monkeypatch.setattr(played.box, "_changed_s", played.box._changed_s - 10)
    assert "NO ANSWER" in drawn(played)


def test_words_of_a_journal_are_no_commands_to_the_terminal(make: Make) -> None:
    played = make("one", "M1").run()
    played.write("state", 1.0, name="\x1b[2J[red]x")
    played.box.update()
    assert "\x1b[2J" not in drawn(played)


# --- without a terminal -------------------------------------------------------------------------------------------


def test_each_start_warning_and_end_is_a_line(make: Make) -> None:
    said: list[str] = []
    played = make()
    lines = BoxLines([played.box], said.append)
    lines.render()
    played.begin()
    lines.render()
    played.run()
    lines.render()
    played.panic()
    lines.render()
    played.end("panic", 1)
    lines.render()
    lines.render()
    assert [line.replace(str(played.folder), "FOLDER") for line in said] == [
        "box_1: M1: started, process 1",
        "box_1: M1: records: FOLDER",
        "box_1: 0:30  warning: the panic button of board uno (pin 12) was pressed, or its wire is broken: "
        "the board has switched everything off",
        "box_1: M1: ended: PANIC: everything is off",
    ]


def test_a_box_that_is_refused_is_told_once(make: Make) -> None:
    said: list[str] = []
    box = make().box
    box.refuse("how heavy is the subject?", 2)
    lines = BoxLines([box], said.append)
    lines.render()
    lines.render()
    assert said == ["box_1: not started: how heavy is the subject?"]


def test_one_that_fails_ends_alone_and_the_table_goes_on_until_the_last(make: Make) -> None:
    failing, other = make("one").run(), make("two").run()
    seen: list[tuple[bool, bool]] = []
    steps = [lambda: setattr(failing.process, "code", -9), lambda: None, other.end]

    def wait(seconds: float) -> None:
        assert seconds <= 0.5
        seen.append((failing.box.is_active, other.box.is_active))
        steps.pop(0)()

    boxes: list[Box] = [failing.box, other.box]
    assert watch(boxes, lambda: None, wait)
    assert seen == [(True, True), (False, True), (False, True)]
    assert (failing.box.reason, other.box.reason) == ("crash", "time_limit")

"""The picture of a running session: it fits, and what it says is true without colors."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rig.live.display_loop import SessionStatus, session_status
from rig.live.progress import Progress
from rig.live.rich_display import RichDisplay, session_panel
from rig.terminal.console import SafeConsole as Console
from tests.live.progress_lines import HEADER, STOP, after, line


def drawn(progress: Progress, now: SessionStatus, columns: int = 80, **options: Any) -> str:
    paper = io.StringIO()
    Console(file=paper, width=columns, legacy_windows=False, **options).print(
        session_panel(progress, now, columns, "Ctrl-C stops")
    )
    return paper.getvalue()


def row(text: str, name: str) -> str:
    return next(each for each in text.splitlines() if each.startswith(f"│ {name} ")).strip("│ ")


def test_a_session_in_the_middle() -> None:
    paid = [line("trial", 60, outcome="rewarded", choice="left")] * 3
    progress = after(line("state", 1, name="side_in"), *paid, line("trial", 61, outcome="omission"))
    for number in range(3):
        progress.take(line("reward", 60, id=number, source="left", status="delivered"))
    text = drawn(progress, SessionStatus(62.9, 1.0))
    assert "M1, p" in text.splitlines()[0]
    assert row(text, "state").endswith("side in")
    assert row(text, "time").endswith("1:02 of 10:00, 8:58 left")
    assert row(text, "given").endswith("7.5 of 100 ul, 3 of 40 rewards")
    assert row(text, "trials").endswith("4: 3 rewarded, 1 omission")
    assert row(text, "last").endswith("LLL.")
    assert row(text, "board").endswith("OK")
    assert row(text, "warning").endswith("none")
    assert text.splitlines()[-1].endswith("Ctrl-C stops ─╯")


@pytest.mark.parametrize(("simulated", "title"), [(True, "M1, p, simulated"), (False, "M1, p ─")])
def test_the_frame_of_a_session_says_that_it_is_simulated(simulated: bool, title: str) -> None:
    text = drawn(after(header={**HEADER, "simulated": simulated}), SessionStatus(1.0, 1.0))
    assert title in text.splitlines()[0]


def test_what_is_wrong_is_said() -> None:
    fault = line("lease_expired", 60, executed=0)
    progress = after(line("fault", 50, what="link_lost", detail="no board"), fault, fault)
    text = drawn(progress, SessionStatus(200.0, 130.0, damaged=2), 100)
    assert row(text, "board").endswith("1 link lost, 2 leases expired, 2 damaged lines, nothing new for 2:10")
    assert "1:00  the computer was silent for too long" in text
    assert "and 2 before" in text


def test_a_lost_board_is_red_with_the_time_that_is_left() -> None:
    lost = line("fault", 50, what="disconnected", detail="no board")
    header = {**HEADER, "stop": {**STOP, "reconnect_within_s": 60}}
    progress = after(line("state", 1, name="side_in"), lost, header=header)
    now = session_status(progress, 17.6, 0, True)
    assert row(drawn(progress, now), "board").endswith("BOARD LOST: plug it in within 42 s")
    colored = drawn(progress, now, force_terminal=True, color_system="standard")
    assert "\x1b[1;31mBOARD LOST" in colored
    again = line("continued", 70, gap_us=20_000_000, why="link_lost")
    for back in (again, line("fault", 110, what="link_lost", detail="not back")):
        there = after(line("state", 1, name="side_in"), lost, back, header=header)
        assert session_status(there, 1.0, 0, True).lost_text == ""
        assert "1 loss of the board" in row(drawn(there, session_status(there, 1.0, 0, True)), "board")


def test_a_panic_is_in_the_line_of_the_board_and_in_the_last_warning() -> None:
    panic = line("panic", 50, board="uno", pin=12, executed=3, number=7)
    text = drawn(after(panic), SessionStatus(60.0, 0.0))
    assert row(text, "board").endswith("1 press of the panic button")
    assert "the panic button of board uno (pin 12) was pressed" in " ".join(text.split())


def test_a_panic_is_red_in_the_line_of_the_state_before_its_session_has_ended() -> None:
    panic = line("panic", 50, board="uno", pin=12, executed=3, number=7)
    ended = line("footer", 50, reason="panic")
    for lines, text in (((panic,), "PANIC: everything is off"), ((panic, ended), "ended: PANIC: everything is off")):
        progress = after(line("state", 1, name="side_in"), *lines)
        assert row(drawn(progress, SessionStatus(60.0, 0.0)), "state").endswith(text)
        colored = drawn(progress, SessionStatus(60.0, 0.0), force_terminal=True, color_system="standard")
        assert f"\x1b[1;31m{text}" in colored


def test_the_end_of_a_session_stays_in_the_line_of_the_state() -> None:
    text = drawn(after(line("state", 1, name="side_in"), line("footer", 50)), SessionStatus(60.0, 0.0))
    assert row(text, "state").endswith("ended: the time limit was reached")


def test_a_session_without_limits_has_no_bars() -> None:
    text = drawn(after(header={**HEADER, "stop": {"min_trials": 1}}), SessionStatus(5.0, 0.0))
    assert row(text, "time").split() == ["time", "0:05"]
    assert row(text, "given").split() == ["given", "0", "ul,", "0", "rewards"]


def test_a_narrow_terminal_keeps_the_words_and_drops_the_bars() -> None:
    text = drawn(after(), SessionStatus(62.0, 0.0), 50)
    assert row(text, "time").split(maxsplit=1)[1] == "1:02 of 10:00, 8:58 left"
    assert row(text, "given").split(maxsplit=1)[1] == "0 of 100 ul, 0 of 40 rewards"


names = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=90)


@given(columns=st.integers(40, 220), name=names, count=st.integers(0, 300), detail=names)
def test_no_line_is_longer_than_the_terminal_even_after_ctrl_c(
    columns: int, name: str, count: int, detail: str
) -> None:
    rows = [line("trial", n, outcome=name, choice=name) for n in range(count)]
    fault = line("fault", 99, what=name, detail=detail)
    progress = after(line("state", 1, name=name), *rows, fault, fault, header={**HEADER, "subject": name})
    text = drawn(progress, SessionStatus(100.0, 90.0, 3), columns)
    assert max(cell_len(each) for each in text.splitlines()) <= columns - 4


def test_colors_only_repeat_the_words() -> None:
    progress = after(line("overflow", 50, lost=3))
    colored = drawn(progress, SessionStatus(60.0, 0.0), force_terminal=True, color_system="truecolor")
    assert "\x1b[1;33m" in colored
    bare = drawn(progress, SessionStatus(60.0, 0.0), force_terminal=True, color_system="truecolor", no_color=True)
    assert "33m" not in bare
    assert "the board has lost 3 events" in bare


@pytest.mark.parametrize("kept", [True, False])
def test_the_last_picture_stays_when_it_is_to_be_kept(kept: bool) -> None:
    paper = io.StringIO()
    with RichDisplay(Console(file=paper, width=80, force_terminal=True, legacy_windows=False), kept=kept) as panel:
        panel.render(after(), SessionStatus(1.0, 0.0))
    erased = paper.getvalue().rpartition("╯")[2]
    assert ("\x1b[2K" in erased) is not kept
    assert "\x1b[?25h" in erased, "the cursor is shown again"


def test_nothing_is_drawn_before_there_is_a_session() -> None:
    paper = io.StringIO()
    with RichDisplay(Console(file=paper, width=80, force_terminal=True, legacy_windows=False), kept=True) as panel:
        panel.render(Progress(), SessionStatus(0.0, 0.0))
    assert "state" not in paper.getvalue()


def test_a_program_that_does_not_come_back_is_said() -> None:
    assert "has not come back for 12 s" in " ".join(drawn(after(), SessionStatus(60.0, 0.0, held_s=12.0)).split())
    assert "has not come back" not in drawn(after(), SessionStatus(60.0, 0.0, held_s=3.0))

"""The running display without a terminal."""

from rig.core.model.line import Line
from rig.live.display_loop import SessionStatus
from rig.live.progress import Progress
from rig.live.text_display import TextDisplay
from tests.live.progress_lines import HEADER, line


def said(*lines: Line) -> list[str]:
    texts: list[str] = []
    progress, plain = Progress(), TextDisplay(texts.append)
    for each in (line("header", **HEADER), *lines):
        progress.take(each)
        plain.update(progress)
    return texts


def trials(count: int) -> list[Line]:
    return [line("trial", n, outcome="rewarded" if n % 2 else "omission", choice="left") for n in range(1, count + 1)]


def test_a_line_every_fifty_trials() -> None:
    assert said(*trials(49)) == []
    assert said(*trials(149)) == [
        "0:50  50 trials, 0 ul: 25 rewarded, 25 omission",
        "1:40  100 trials, 0 ul: 50 rewarded, 50 omission",
    ]


def test_a_line_for_each_warning() -> None:
    faults = [line("overflow", n, lost=n) for n in (61, 62)]
    assert said(*faults, line("state", 63, name="iti")) == [
        "1:01  warning: the board has lost 61 events",
        "1:02  warning: the board has lost 62 events",
    ]


def test_a_panic_says_which_button_it_was() -> None:
    (text,) = said(line("panic", 63, board="uno", pin=12, executed=4, number=9))
    assert text == (
        "1:03  warning: the panic button of board uno (pin 12) was pressed, or its wire is broken: "
        "the board has switched everything off"
    )


def test_a_line_every_five_minutes_in_which_nothing_was_said() -> None:
    texts: list[str] = []
    progress, plain = Progress(), TextDisplay(texts.append)
    progress.take(line("header", **HEADER))
    for elapsed_s in (299.0, 300.0, 301.0, 599.0, 600.0):
        plain.render(progress, SessionStatus(elapsed_s, 0.0))
    progress.take(line("footer", 900, reason="idle"))
    plain.render(progress, SessionStatus(900.0, 0.0))
    assert texts == ["5:00  0 trials, 0 ul", "10:00  0 trials, 0 ul"]


def test_a_program_that_does_not_come_back_is_said_once_and_again_when_it_happens_again() -> None:
    texts: list[str] = []
    progress, plain = Progress(), TextDisplay(texts.append)
    progress.take(line("header", **HEADER))
    for held_s in (0.0, 3.9, 4.0, 9.0, 0.5, 5.0):
        plain.render(progress, SessionStatus(10.0, 0.0, held_s=held_s))
    assert [text.partition(": does")[0] for text in texts] == [
        f"0:10  warning: the protocol has not come back for {held_s} s" for held_s in (4, 5)
    ]

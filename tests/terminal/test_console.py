"""rich draws what files say: styles are ours, and nothing in a text is a command, a mark or a link."""

import io
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from rig.terminal.console import SafeConsole, visible_text
from rig.terminal.visible import CONTROL_CHARACTERS

RICHS = re.compile(r"\x1b\[[0-9;]*m|\n")
"""What rich adds to a picture: styles, and the ends of lines."""


def drawn(thing: Any, **options: Any) -> str:
    paper = io.StringIO()
    SafeConsole(file=paper, width=60, **options).print(thing)
    return paper.getvalue()


@given(st.text())
def test_no_text_of_any_picture_reaches_a_terminal_as_a_command(text: str) -> None:
    table = Table(text, title=text)
    table.add_row(text)
    table.add_row(Text(text, "bold"))
    for thing in (text, Text(text, "red"), Text.assemble((text, "bold"), "  ", text), table, Panel(text, title=text)):
        for options in ({}, {"force_terminal": True}):
            assert not CONTROL_CHARACTERS.search(RICHS.sub("", drawn(thing, **options)))


def test_a_style_of_a_text_is_not_one_of_ours() -> None:
    colored = "\x1b[31mall is well\x1b[0m"
    assert "\\x1b[31mall is well\\x1b[0m" in drawn(Text(colored), force_terminal=True)


def test_marks_of_rich_and_links_are_words() -> None:
    for text in ("[bold red]M1[/]", "[link=http://x]M1[/link]", "[/]", ":smile:", "[@click=x]y[/]"):
        assert drawn(text, force_terminal=True) == f"{text}\n"


def test_words_keep_all_their_characters() -> None:
    assert drawn("M1\rM2\x07") == "M1\\rM2\\x07\n"


def test_a_line_break_in_a_text_does_not_begin_a_line() -> None:
    assert drawn(Text("M1\nended: well")) == "M1\\nended: well\n"


def test_the_other_characters_keep_their_styles() -> None:
    text = Text.assemble(("a\x1b", "red"), ("b\u202e", "bold"), "c", style="dim")
    again = visible_text(text)
    assert again.plain == "a\\x1bb\\u202ec"
    assert [(again.plain[span.start : span.end], span.style) for span in again.spans if span.style != "dim"] == [
        ("a", "red"),
        ("\\x1b", "red"),
        ("b", "bold"),
        ("\\u202e", "bold"),
    ]
    assert again.style == "dim"


def test_a_picture_keeps_its_frame() -> None:
    lines = drawn(Panel(Text("x" * 50 + "\u200b" * 5))).splitlines()
    assert {len(line) for line in lines} == {60}

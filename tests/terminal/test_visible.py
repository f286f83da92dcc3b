"""What a terminal obeys or hides is shown as a number; what a person reads stays as it is."""

import re
import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from rig.terminal.visible import CONTROL_CHARACTERS, escape_controls, escaped

READ = re.compile("[\u0600-\u0605\u06dd\u0890\u0891\u08e2]")
"""Arabic signs that a person sees, although Unicode calls them formats."""


def test_every_control_and_every_format_character_is_shown() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and not READ.match(character):
            assert CONTROL_CHARACTERS.match(character), hex(code)


@given(st.text())
def test_every_other_character_stays_and_the_number_tells_which_it_was(text: str) -> None:
    again = "".join(
        piece.encode().decode("unicode_escape") if CONTROL_CHARACTERS.match(character) else piece
        for character, piece in ((each, escape_controls(each)) for each in text)
    )
    assert again == text
    assert escape_controls(text) == "".join(map(escape_controls, text))
    assert not CONTROL_CHARACTERS.search(escape_controls(text))


def test_words_in_any_script_stay_as_they_are() -> None:
    for text in ("µl ± 3 °C", "Jürgen", "小鼠七号", "крыса", "عصفور", "ขนาด", "🐁❤️", "é", "a b"):
        assert escape_controls(text) == text


def test_a_line_stays_one_line() -> None:
    assert escape_controls("a\nb\r\tc\x1b[2J\x9b") == "a\\nb\\r\\tc\\x1b[2J\\x9b"
    assert [escaped(each) for each in "\x7f\u202e\U000e0041"] == ["\\x7f", "\\u202e", "\\U000e0041"]

"""Characters that look like what was meant: named, at their line, with what to type."""

import pytest

from rig.config import load_config
from rig.config.errors.lookalikes import ascii_equivalent, to_ascii

TEXT = """\
# A comment may hold “anything” − at all.
protocol: free_water
params:
  reward_ul: 2.5
  pause_s: 1
stop:
  session_s: 600
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "reward_ul: 2.5",
            "reward_ul: −2.5",
            "4: params.reward_ul: '−' is a minus sign (U+2212): type -, so that it reads -2.5",
        ),
        (
            "reward_ul: 2.5",
            "reward_ul: ２.5",
            "4: params.reward_ul: '２' is a fullwidth digit two (U+FF12): type 2, so that",
        ),
        (
            "reward_ul: 2.5",
            "reward_ul: 2．5",
            "4: params.reward_ul: '．' is a fullwidth full stop (U+FF0E): type ., so that",
        ),
        ("reward_ul: 2.5", "reward_ul: ٢.5", "4: params.reward_ul: '٢' is a arabic-indic digit two (U+0662): type 2"),
        (
            "reward_ul",
            "rеward_ul",
            "4: params.rеward_ul: 'е' is a cyrillic small letter ie (U+0435): type e, so that it reads",
        ),
        (
            "pause_s",
            "pause\u200b_s",
            "5: params.'pause\\u200b_s': holds what cannot be seen, a zero width space (U+200B)",
        ),
        (
            "free_water",
            "frеe_water",
            "2: protocol: 'е' is a cyrillic small letter ie (U+0435): type e, so that it reads",
        ),
        (
            "free_water",
            "“free_water”",
            "2: protocol: '“' is a left double quotation mark (U+201C): type \", or leave the",
        ),
        ("reward_ul: 2.5", "reward_ul： 2.5", "4: '：' is a fullwidth colon (U+FF1A): type :"),
        (
            "  reward_ul",
            "\u00a0\u00a0reward_ul",
            "4: '\\xa0\\xa0reward_ul': holds a no-break space (U+00A0): type a space instead",
        ),
        (
            "reward_ul: 2.5",
            "reward_ul:\u00a02.5",
            "4: what follows the colon holds a no-break space (U+00A0): type a space",
        ),
        (
            "reward_ul: 2.5",
            "reward_ul: 2.5\u202f",
            "4: params.reward_ul: holds a narrow no-break space (U+202F): type a space",
        ),
        ("reward_ul: 2.5", "reward_ul:2.5", "4: params: there is no space after the colon: write reward_ul: 2.5"),
        ("  pause_s: 1", "  pause_s:1", "5: there is no space after the colon: write pause_s: 1"),
        ("  session_s: 600", "  session_s:600", "7: stop: there is no space after the colon: write session_s: 600"),
        (
            "stop:\n  session_s: 600",
            "stop: {session_s:600}",
            "6: stop.session_s:600: there is no space after the colon",
        ),
    ],
)
def test_a_slip_is_reported_once_at_its_own_line(write, mistakes, old, new, said):
    assert old in TEXT
    (found,) = mistakes(lambda: load_config(write(TEXT.replace(old, new, 1))))
    assert found.startswith(f"a.yaml:{said}")


@pytest.mark.parametrize(
    "value",
    [
        "Пётр",
        "5 µl − at once",
        "“soft” light",
        "'−1'",
        "https://lab.example/x",
        "./mine.py:Mine",
        "12:30",
        "Müller",
        "β",
    ],
)
def test_words_of_any_language_are_left_alone(write, value):
    assert load_config(write(f"note: {value}\n")).data["note"] == value.strip("'")


def test_what_is_typed_instead_is_known_of_look_alikes_only():
    assert [ascii_equivalent(char) for char in "−。０　\u200bа"] == ["-", ".", "0", " ", "", "a"]
    assert [ascii_equivalent(char) for char in "-aяµ中é"] == [None] * 6
    assert to_ascii("−２．５ µl") == "-2.5 µl"

"""Characters that look like what was meant: named, at their line, with what to type."""

from rig.config import load_config
from rig.config.errors.lookalike_characters import ascii_equivalent, to_ascii
from tests.tables import rows

TEXT = """\
# A comment may hold “anything” − at all.
protocol: free_water
params:
  reward_ul: 2.5
  pause_s: 1
stop:
  session_s: 600
"""


@rows("old", "new", "said")
def test_a_slip_is_reported_once_at_its_own_line(write, mistakes, old, new, said):
    assert old in TEXT
    (found,) = mistakes(lambda: load_config(write(TEXT.replace(old, new, 1))))
    assert found.startswith(f"a.yaml:{said}")


@rows("value")
def test_words_of_any_language_are_left_alone(write, value):
    assert load_config(write(f"note: {value}\n")).data["note"] == value.strip("'")


def test_what_is_typed_instead_is_known_of_look_alikes_only():
    assert [ascii_equivalent(char) for char in "−。０　\u200bа"] == ["-", ".", "0", " ", "", "a"]
    assert [ascii_equivalent(char) for char in "-aяµ中é"] == [None] * 6
    assert to_ascii("−２．５ µl") == "-2.5 µl"

import pytest
import yaml

from rig.config.yaml.syntax import forbidden_characters, syntax_problems


def test_each_line_with_a_forbidden_character_is_named_once():
    assert forbidden_characters("a\r\n\x00\x01\nb\rc\x7f") == [
        (2, "the character U+0000 is not allowed; remove it"),
        (4, "the character U+007F is not allowed; remove it"),
    ]


def test_an_error_without_a_place_is_put_on_the_first_line_in_one_line():
    assert syntax_problems(yaml.YAMLError("two\nlines"), "") == [(1, "not YAML: two lines")]


def test_tabs_elsewhere_are_not_blamed_for_another_error():
    text = "a: {b: 1,\n\tc: 2}\nd: [\n"
    with pytest.raises(yaml.YAMLError) as caught:
        list(yaml.parse(text, Loader=yaml.CSafeLoader))
    assert [line for line, _ in syntax_problems(caught.value, text)] == [4]

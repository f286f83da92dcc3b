"""Text that YAML takes for a comment, an escape, an entry or a word: the message says what to write."""

import pytest
import yaml

from rig.config.errors.errors import SourceLocation
from rig.config.yaml import document
from rig.core.errors import ConfigError


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def loader(request, monkeypatch):
    monkeypatch.setattr(document, "LOADER", getattr(yaml, request.param))


def read(text):
    return document.parse(text, lambda line: SourceLocation("file", line))[0]


COMMENT = "# begins a comment, so that"
ESCAPE = "in double quotes a backslash begins an escape, such as \\n for a line break: write"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: {p: 0,9, q: 3}", "file:1: a.p: the comma in 0,9 begins a new entry: write 0.9, with a point"),
        ("a: {p: 0,9}", "file:1: a.p: the comma in 0,9 begins a new entry: write 0.9, with a point"),
        (
            "a: {p: 1,200}",
            "file:1: a.p: the comma in 1,200 begins a new entry: write 1200 for thousands, or 1.2 if this is a "
            "decimal fraction",
        ),
        ("a: 1\nb: #202020\n", f"file:2: b: {COMMENT} nothing is left: write '#202020' in quotes"),
        ("b: #202020  # gray\n", f"file:1: b: {COMMENT} nothing is left: write '#202020' in quotes"),
        ("- #3\n- 4\n", f"file:1: [0]: {COMMENT} nothing is left: write '#3' in quotes"),
        ("s: mouse #3\n", f"file:1: s: {COMMENT} 'mouse' is left: write 'mouse #3' in quotes"),
        (r'e: "..\rigs\nose.yaml"', f"file:1: e: {ESCAPE} ../rigs/nose.yaml"),
        (r'e: "C:\temp\new"', f"file:1: e: {ESCAPE} C:/temp/new"),
        (r'e: "rigs\new.yaml"', f"file:1: e: {ESCAPE} rigs/new.yaml"),
    ],
)
def test_text_that_is_lost_is_named_with_what_to_write(text, said):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert caught.value.mistakes == (said,)


@pytest.mark.parametrize("word", ["$BOX_A", "${BOX_A}", "$HOME/rigs", "'$BOX_A'", "'%PORT%'", r"'%APPDATA%\rig'"])
def test_an_environment_variable_is_not_read(word):
    with pytest.raises(ConfigError, match="environment variables are not read here: write the value itself"):
        read(f"port: {word}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: {p: 0, 9: }", {"a": {"p": 0, "9": None}}),
        ("a: {p: 0, 9: 1}", {"a": {"p": 0, "9": 1}}),
        ("a: {p: x, 9}", {"a": {"p": "x", "9": None}}),
        ("a: # nothing\n", {"a": None}),
        ("a: #not used any more\n", {"a": None}),
        ("a: 5 #3\n", {"a": 5}),
        ("a: true #3\n", {"a": True}),
        ("a: mouse # 3\n", {"a": "mouse"}),
        ("a: mouse #the third\n", {"a": "mouse"}),
        ("a: 'mouse' #3\n", {"a": "mouse"}),
        ("a: '#202020'\n", {"a": "#202020"}),
        (r'a: "Well done!\nGo on."', {"a": "Well done!\nGo on."}),
        (r'a: "Left\nRight"', {"a": "Left\nRight"}),
        (r"a: '..\rigs\nose.yaml'", {"a": r"..\rigs\nose.yaml"}),
        ("a: $5", {"a": "$5"}),
        ("a: it costs $x", {"a": "it costs $x"}),
        ("a: 5%", {"a": "5%"}),
    ],
)
def test_what_is_meant_so_is_read(text, value):
    assert read(text) == value

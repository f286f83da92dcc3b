"""Text that YAML takes for a comment, an escape, an entry or a word: the message says what to write."""

import pytest
import yaml

from rig.config.errors.errors import SourceLocation
from rig.config.yaml import document
from rig.core.errors import ConfigError
from tests.tables import rows


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def loader(request, monkeypatch):
    monkeypatch.setattr(document, "LOADER", getattr(yaml, request.param))


def read(text):
    return document.parse(text, lambda line: SourceLocation("file", line))[0]


@rows("text", "said")
def test_text_that_is_lost_is_named_with_what_to_write(text, said):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert caught.value.mistakes == (said,)


@pytest.mark.parametrize("word", ["$BOX_A", "${BOX_A}", "$HOME/rigs", "'$BOX_A'", "'%PORT%'", r"'%APPDATA%\rig'"])
def test_an_environment_variable_is_not_read(word):
    with pytest.raises(ConfigError, match="environment variables are not read here: write the value itself"):
        read(f"port: {word}")


@rows("text", "value")
def test_what_is_meant_so_is_read(text, value):
    assert read(text) == value

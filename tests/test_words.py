"""No file uses a word or a name that the project has replaced."""

import re
from collections.abc import Iterator

import pytest

from tests.repository import ROOT
from tests.test_repository import repository_files

LIST = "tests/retired_words.txt"
NOT_READ = (LIST, "CHANGELOG.md", "firmware/", "docs/explanations/firmware.md", "rig/_firmware/", "docs/scenes/")


def retired() -> dict[str, str]:
    """Map each retired pattern to what is written instead."""
    lines = (ROOT / LIST).read_text(encoding="utf-8").splitlines()
    parted = (line.partition(" => ") for line in lines if line and not line.startswith("#"))
    return {pattern: instead for pattern, _, instead in parted}


def found(text: str, words: dict[str, str]) -> Iterator[str]:
    """Yield the line, the word and its replacement for every retired word of a text."""
    whole = re.compile(rf"\b(?:{'|'.join(words)})\b")
    for match in whole.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        word = match.group()
        instead = next(instead for pattern, instead in words.items() if re.fullmatch(pattern, word))
        yield f"{line}: '{word}': write {instead}"


def test_no_file_uses_a_retired_word() -> None:
    words = retired()
    wrong = []
    for name in repository_files():
        if name.startswith(NOT_READ):
            continue
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:  # a picture, or a file that a test needs to be damaged
            continue
        wrong += [f"{name}:{where}" for where in found(text, words)]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("one\ntwo old_name\n", ["2: 'old_name': write new_name"]),
        ("old_name_too, an_old_name", []),
        ("olds and old", ["1: 'olds': write new", "1: 'old': write new"]),
    ],
)
def test_a_retired_word_is_found_where_it_is_a_whole_word(text: str, wrong: list[str]) -> None:
    assert list(found(text, {"old_name": "new_name", "olds?": "new"})) == wrong

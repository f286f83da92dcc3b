"""No file uses a word or a name that the project has replaced."""

import re
from collections.abc import Iterator

import pytest

from tests.repository import ROOT
from tests.test_repository import repository_files

LIST = "tests/retired_words.txt"
NAME = re.compile(r"\b(?!test_)\w+\b")
"""A name of Python code; the name of a test is a sentence."""
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


def found_in_names(text: str, words: dict[str, str]) -> Iterator[str]:
    """Yield the line, the name and the replacement for every name of Python code that has a retired word as a part.

    The parts of ``_old_name`` are ``old`` and ``name``; those of a constant count in lower case.
    """
    patterns = {re.compile(pattern): instead for pattern, instead in words.items()}
    for match in NAME.finditer(text):
        name = match.group()
        if "_" not in name and not name.isupper():  # a whole word, which `found` reads
            continue
        for part in filter(None, name.lower().split("_")):
            for pattern, instead in patterns.items():
                # The replacement itself may have the old word as a part.
                if pattern.fullmatch(part) and name not in re.split(r"\W+", instead):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{line}: '{part}' in '{name}': write {instead}"


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
        if name.endswith(".py"):
            wrong += [f"{name}:{where}" for where in found_in_names(text, words)]
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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("one\n_old = 1\n", ["2: 'old' in '_old': write new, run_old"]),
        ("OLDS", ["1: 'olds' in 'OLDS': write new, run_old"]),
        ("MOST_OLD_S", ["1: 'old' in 'MOST_OLD_S': write new, run_old"]),
        ("run_old, older_name, Old_, def test_what_is_old", ["1: 'old' in 'Old_': write new, run_old"]),
    ],
)
def test_a_retired_word_is_found_as_a_part_of_a_name(text: str, wrong: list[str]) -> None:
    assert list(found_in_names(text, {"olds?": "new, run_old"})) == wrong

"""The mouse of a table: how the table is read, and what is said of tables that are wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocols.two_armed_bandit.subjects.ngram import NgramMouse, NgramParams, read_table
from rig.core.errors import ConfigError
from tests.tables import rows

GOOD: dict[str, Any] = {
    "format": 1,
    "kind": "ngram",
    "length": 3,
    "p_switch": 0.07,
    "words": {"AAA": {"n": 4711, "p_switch": 0.0102}, "aBb": {"n": 3, "p_switch": 1}},
}


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def table(text: str | None = None, **changed: Any) -> Path:
        path = tmp_path / "a table.json"
        path.write_text(json.dumps({**GOOD, **changed}) if text is None else text, encoding="utf-8")
        return path

    return table


def test_a_table_becomes_a_mouse_that_switches_by_it(table: Callable[..., Path]) -> None:
    learner = NgramMouse(NgramParams(file=table())).learner
    learner.observe("right", True)
    assert learner.p_left() == pytest.approx(0.07)
    for _ in range(2):
        learner.observe("right", True)
    assert learner.p_left() == pytest.approx(0.0102)


@rows("changed", "said")
def test_what_is_wrong_in_a_table_is_named_with_the_file_and_what_would_be_right(
    table: Callable[..., Path], changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        read_table(table(**changed))
    assert "a table.json: " in str(caught.value)
    assert said in str(caught.value)
    assert '{"format": 1, "kind": "ngram"' in str(caught.value)


def test_every_mistake_is_listed(table: Callable[..., Path]) -> None:
    with pytest.raises(ConfigError) as caught:
        read_table(table(format=0, length="three", words=[]))
    assert len(caught.value.mistakes) == 3


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"format": 1'])
def test_a_file_that_is_no_table_is_a_mistake(table: Callable[..., Path], text: str) -> None:
    with pytest.raises(ConfigError, match=r"a table\.json"):
        read_table(table(text))


def test_a_table_that_is_not_there_or_not_text_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    for name in ("nowhere.json", "binary.json"):
        with pytest.raises(ConfigError, match=f"{name}: cannot be read as a table of words"):
            read_table(tmp_path / name)

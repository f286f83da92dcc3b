"""What the first line of a journal may say: nothing that its readers could stumble over."""

from typing import Any

import pytest
from msgspec import ValidationError

from rig.core.journal.header import Header
from rig.core.model.rows import TRIAL_TABLE, column_name_error
from tests.journal_lines import HEADER, made


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("columns", 3),
        ("columns", ["a", "a"]),
        ("columns", ["a", ""]),
        ("columns", ["=cmd"]),
        ("tables", {"../evil": []}),
        ("tables", {"/abs": []}),
        ("tables", {"trials": []}),
        ("tables", {"positions": []}),
        ("tables", {"a\n": []}),
        ("tables", {"a" * 65: []}),
        ("tables", {"con.tables": []}),
        ("tables", {"days": "abc"}),
        ("tables", []),
        ("start", "yesterday"),
        ("start", "9999-12-31T23:59:59"),
        ("start", "0001-01-01"),
        ("start", 5),
        ("stop", {}),
        ("stop", {"min_trials": True}),
        ("stop", {"min_trials": 1, "session_s": "long"}),
        ("rig", {"name": "x", "board": {}, "devices": {"left": 3}, "calibrations": {}}),
        ("curriculum", {"name": "x"}),
        ("curriculum", "x"),
        ("subject", ["M1"]),
        ("task", 3),
        ("from_records", "../evil"),
        ("remaining_today", {"beer": 3}),
        ("descriptions", {"trials": {"a": {"kind": "odd", "unit": "", "text": ""}}}),
        ("params", {"a": 1 << 63}),
    ],
)
def test_a_header_says_nothing_that_its_readers_could_stumble_over(field: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        made("header", **{**HEADER, field: value})


def test_a_header_knows_the_columns_of_every_table() -> None:
    header = made("header", **{**HEADER, "columns": ["t", "a"], "tables": {"days": ["b"]}})
    assert isinstance(header, Header)
    assert header.columns_by_table == {TRIAL_TABLE: ["t", "a"], "days": ["b"]}


def test_a_session_is_called_by_its_protocols_file_or_else_by_its_task() -> None:
    plain, named = made("header", **HEADER), made("header", **HEADER, variant="p_90-10")
    assert isinstance(plain, Header)
    assert isinstance(named, Header)
    assert (plain.protocol_name, named.protocol_name) == ("p", "p_90-10")


def test_very_many_columns_are_checked_all_the_same() -> None:
    """Comparing each name with each other one would take minutes."""
    names = [f"c{number}" for number in range(30_000)]
    assert column_name_error([*names, names[-1]]) == f"a column '{names[-1]}' is there twice"

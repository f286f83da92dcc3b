"""The trial table: every value as a spreadsheet and pandas read it."""

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.journal.cells import unescape_formula
from rig.core.journal.header import Header
from rig.records.journal.read import rows_of
from rig.records.session.trials import format_cell, write_table, write_trials
from rig.table_files.read_table import read_table
from tests.harness import poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("t_side_in", None, ""),
        ("choice", "", ""),
        ("t_side_in", 1.5, "1.500000"),
        ("t_side_in", 0.1 + 0.2, "0.300000"),
        ("latency_s", 2399.1234567, "2399.123457"),
        ("t_side_in", 3, "3"),
        ("reward_ul", 2.5, "2.5"),
        ("p_left", 0.2, "0.2"),
        ("trial", 12, "12"),
        ("outcome", "rewarded", "rewarded"),
        ("flag", True, "True"),
        ("t_pokes", [1, 2], "[1, 2]"),
    ],
)
def test_a_value_is_written_so_that_it_can_be_read(name: str, value: Any, text: str) -> None:
    assert format_cell(name, value) == text


def test_the_columns_are_those_of_the_header_whatever_the_rows_order(tmp_path: Path) -> None:
    rows = [{"b": 1, "t_a": 0.5, "other": 9}, {"t_a": None, "b": 2}]
    path = write_trials(tmp_path, ["t_a", "b"], rows)
    assert path == tmp_path / "trials.csv"
    assert path.read_bytes() == b"t_a,b\r\n0.500000,1\r\n,2\r\n"


def test_without_a_trial_there_are_only_names(tmp_path: Path) -> None:
    assert write_trials(tmp_path, ["trial", "outcome"], []).read_bytes() == b"trial,outcome\r\n"


def test_commas_quotes_line_breaks_and_letters_of_any_language_do_not_break_the_table(tmp_path: Path) -> None:
    rows = [{"note": 'he said "no", twice'}, {"note": "Mäuschen\r\n小鼠\r"}]
    path = write_trials(tmp_path, ["note"], rows)
    assert path.read_bytes() == 'note\r\n"he said ""no"", twice"\r\n"Mäuschen\r\n小鼠\r"\r\n'.encode()


RUN = ["=1+2", "+49", "-1.5", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'=1", "''-", "＝1", "=", "'"]


@given(st.lists(st.text(st.characters(codec="utf-8")) | st.sampled_from(RUN), max_size=8))
def test_every_text_comes_back_from_a_table_as_it_was_and_none_is_run(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = tmp_path_factory.mktemp("table") / "trials.csv"
    write_table(path, ["n", "text"], [{"n": -1.5, "text": text} for text in texts])
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    assert [row[0] for row in rows] == ["-1.5"] * len(texts), "a number is no text"
    assert [unescape_formula(row[1]) for row in rows] == texts
    assert not [row[1] for row in rows if row[1][:1] in tuple("=+-@\t\r\n")]
    # Another program's table may have spaces around a cell, and no control characters.
    plain = [text for text in texts if text.isprintable() and text == text.strip()]
    if plain:
        write_table(path, ["n", "text"], [{"n": n, "text": text} for n, text in enumerate(plain)])
        assert read_table(path, ["text"], lambda row: row["text"], "row", "x") == plain


def test_what_no_file_can_hold_is_written_as_its_escape(tmp_path: Path) -> None:
    path = write_trials(tmp_path, ["note"], [{"note": "a\ud800"}])
    assert path.read_text(encoding="utf-8").splitlines()[1] == "a\\ud800"


def test_a_table_is_replaced_and_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    write_trials(tmp_path, ["a"], [{"a": 1}] * 5)
    first = write_trials(tmp_path, ["a"], [{"a": 2}]).read_bytes()
    assert first == write_trials(tmp_path, ["a"], [{"a": 2}]).read_bytes() == b"a\r\n2\r\n"


def test_the_table_of_a_session_has_a_line_for_every_row(tmp_path: Path) -> None:
    pokes = [poke("center", 2, 0.1), poke("left", 2.4, 0.2), poke("center", 5, 0.1)]
    harness = run_harness(protocol_spec(stop_session_s=20), scripted_subject(*pokes))
    header = harness.journal[0]
    assert isinstance(header, Header)
    with write_trials(tmp_path, header.columns, rows_of(harness.journal)).open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["outcome"] for row in table] == [row["outcome"] for row in harness.rows]
    assert (table[0]["t_center_in"], table[0]["choice"]) == (f"{harness.rows[0]['t_center_in']:.6f}", "left")
    assert (table[1]["outcome"], table[1]["t_side_in"]) == ("omission", "")

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from protocols.two_armed_bandit.analysis.public import TABLE, decision_file, trial_table
from protocols.two_armed_bandit.analysis.sessions import of_decisions
from protocols.two_armed_bandit.tables.decisions import read_decisions
from tests.protocols.two_armed_bandit.made import histories, real_data, real_sessions, session


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_the_table_has_the_columns_and_the_numbers_of_the_authors() -> None:
    made = session("LLrR", high="LLRR")
    table = rows_of(trial_table([made]))
    assert tuple(table[0]) == TABLE
    assert [row["Trial"] for row in table] == ["1", "2", "3", "4"]
    assert [row["blockTrial"] for row in table] == ["1", "2", "0", "1"]
    assert [row["Decision"] for row in table] == ["1", "1", "0", "0"]
    assert [row["Switch"] for row in table] == ["", "0", "1", "0"]
    assert [row["Target"] for row in table] == ["1", "1", "0", "0"]
    assert [row["blockLength"] for row in table] == ["2", "2", "2", "2"]
    assert {(row["Condition"], row["Session"], row["Mouse"]) for row in table} == {("80-20", "m_80-20", "m")}


def test_trials_that_were_dropped_keep_their_numbers() -> None:
    table = rows_of(trial_table([session("LLRRL").without_first(2)]))
    assert [row["Trial"] for row in table] == ["3", "4", "5"]


@given(histories)
def test_a_file_of_decisions_is_read_back_as_the_same_session(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str]
) -> None:
    n = len(rows[0])
    known = {"latency_s": np.full(n, 0.4), "initiation_s": np.full(n, 1.5)}
    made = session(rows[0], ("LR" * n)[:n], **known)
    path = tmp_path_factory.mktemp("decisions") / "m_80-20.csv"
    path.write_text(decision_file(made) or "")
    read = of_decisions("m_80-20", "m", read_decisions(path))
    for name in ("choice", "reward", "high", "time_s", "latency_s"):
        np.testing.assert_allclose(getattr(read, name), getattr(made, name))


def test_odds_that_changed_have_no_file() -> None:
    assert decision_file(session("LL", odds=None)) is None


@real_data
def test_a_real_session_is_written_as_it_was_read(tmp_path: Path) -> None:
    (made,) = real_sessions("baby_80-20.csv")
    path = tmp_path / "baby_80-20.csv"
    path.write_text(decision_file(made) or "")
    read = of_decisions(made.name, made.subject, read_decisions(path))
    for name in ("choice", "reward", "high"):
        np.testing.assert_array_equal(getattr(read, name), getattr(made, name))
    np.testing.assert_allclose(read.time_s, made.time_s, rtol=1e-5)
    np.testing.assert_allclose(read.initiation_s[1:], made.initiation_s[1:], rtol=1e-5)

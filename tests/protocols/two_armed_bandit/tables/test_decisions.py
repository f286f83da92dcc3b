from pathlib import Path

import pytest

from protocols.two_armed_bandit.tables.decisions import COLUMNS, Decision, is_decision_file, read_decisions
from rig.core.errors import ConfigError
from tests.tables import rows

HEAD = ",".join(COLUMNS)
GOOD = "11.147,2.652,0.309,1,0.8,0.2,1"


def file(folder: Path, *lines: str) -> Path:
    path = folder / "mouse.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_row_is_a_decision(tmp_path):
    (decision,) = read_decisions(file(tmp_path, HEAD, GOOD))
    assert decision == Decision(11.147, 2.652, 0.309, "right", 0.8, 0.2, 1)
    assert decision.center_s == pytest.approx(10.838)


def test_columns_may_stand_in_any_order_and_others_beside_them(tmp_path):
    (decision,) = read_decisions(file(tmp_path, "mouse,reward," + ",".join(COLUMNS[:-1]), "baby,0,5.0,0,0.4,2,0.1,0.9"))
    assert decision == Decision(5.0, 0.0, 0.4, "left", 0.1, 0.9, 0)


@rows("row", "why")
def test_every_bad_row_is_named_with_its_line(tmp_path, row, why):
    with pytest.raises(ConfigError) as caught:
        read_decisions(file(tmp_path, HEAD, GOOD, row, GOOD, row))
    assert [
        str(mistake).startswith(f"{tmp_path / 'mouse.csv'}:{line}: ")
        for line, mistake in zip((3, 5), caught.value.mistakes, strict=True)
    ] == [True, True]
    assert all(why in mistake for mistake in caught.value.mistakes)


def test_a_file_that_is_something_else_says_how_one_begins(tmp_path):
    path = file(tmp_path, "t_us,place,level", "1,left,1")
    assert not is_decision_file(path)
    with pytest.raises(ConfigError, match="must begin with the line `decision_s,"):
        read_decisions(path)


def test_a_file_without_rows_is_no_session(tmp_path):
    path = file(tmp_path, HEAD)
    assert is_decision_file(path)
    with pytest.raises(ConfigError, match="has no decision"):
        read_decisions(path)


def test_a_file_that_is_not_there_or_not_text_is_no_traceback(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        read_decisions(tmp_path / "none.csv")
    (tmp_path / "binary.csv").write_bytes(b"PK\x03\x04\x14\x00\x08")
    with pytest.raises(ConfigError, match="cannot be read as decisions: is a workbook"):
        read_decisions(tmp_path / "binary.csv")
    assert not is_decision_file(tmp_path / "binary.csv")
    assert not is_decision_file(tmp_path)


@pytest.mark.parametrize("row", ["14,1,400,1,0.8,0.2,1", "14,1500,0.4,1,0.8,0.2,1", "14,2.8,0.4,1,0.8,0.2,1"])
def test_times_that_reach_before_the_decision_before_are_refused(tmp_path, row):
    with pytest.raises(ConfigError, match=r"csv:3: .* after 11.147 in line 2: wanted all three in seconds"):
        read_decisions(file(tmp_path, HEAD, GOOD, row))


def test_times_with_five_digits_may_reach_as_far_as_they_are_rounded(tmp_path):
    rows = ["1204.3,1.5,0.4,1,0.8,0.2,1", "1206.2,1.554,0.443,1,0.8,0.2,1"]
    assert len(read_decisions(file(tmp_path, HEAD, *rows))) == 2

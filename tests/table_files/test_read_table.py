from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.table_files.read_table import Row, begins_with, number_in, read_table


def length(row: Row) -> float:
    return number_in(row, "cm", 0, 10)


def read(path: Path, text: str) -> list[float]:
    path.write_text(text, encoding="utf-8")
    return read_table(path, ("cm",), length, "length", "4.5")


def test_rows_are_parsed_whatever_else_they_hold(tmp_path: Path) -> None:
    assert read(tmp_path / "a.csv", "\ufeffname,cm\na,4\nb,10\n") == [4, 10]


def test_every_wrong_line_is_named_with_what_would_be_right(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(ConfigError) as caught:
        read(path, "cm,g\n4,1\n11,1\ninf,1\nx,1\n")
    assert str(caught.value).splitlines() == [
        f"{path}:3: cm is 11, not 0 to 10; wanted a length such as `4.5`",
        f"{path}:4: cm is inf, not 0 to 10; wanted a length such as `4.5`",
        f"{path}:5: cm: x is no number; wanted a length such as `4.5`",
    ]


@pytest.mark.parametrize(("text", "why"), [("mm\n1\n", "a file of lengths must begin with"), ("cm\n", "has no length")])
def test_a_table_of_something_else_or_of_nothing_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        read(tmp_path / "a.csv", text)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read as lengths: No such file"):
        read_table(tmp_path / "none.csv", ("cm",), length, "length", "4.5")
    assert not begins_with(tmp_path / "none.csv", ("cm",))


def test_the_first_line_tells_what_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,cm\n")
    assert begins_with(tmp_path / "a.csv", ("cm",))
    assert not begins_with(tmp_path / "a.csv", ("cm", "g"))

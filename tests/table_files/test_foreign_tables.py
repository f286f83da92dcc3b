"""Tables that other programs have written or damaged are read as they were meant, or refused: never anything else."""

import random
import re
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import ConfigError
from tests.table_files.foreign_tables import FORMATS, NOT_FOR, REFUSED, SAME, Format, moved, sorted_by


def put(folder: Path, content: bytes | str) -> Path:
    path = folder / "table.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(form: Format, folder: Path, content: bytes | str) -> Any:
    return form.read(put(folder, content))


def plain(value: Any) -> str:
    """A result as text: NaN is equal to NaN, and the order of keys does not count."""
    if isinstance(value, dict):
        return str({key: plain(value[key]) for key in sorted(value)})
    return "[" + ", ".join(map(plain, value)) + "]" if isinstance(value, list) else repr(value)


@pytest.mark.parametrize(("change", "name"), [pair for pair in product(SAME, FORMATS) if pair not in NOT_FOR])
def test_what_changes_nothing_is_read_as_it_was_meant(name: str, change: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    wanted = plain(read(form, tmp_path, form.text))
    assert plain(read(form, tmp_path, SAME[change](form.text))) == wanted


@pytest.mark.parametrize(("damage", "name"), [pair for pair in product(REFUSED, FORMATS) if pair not in NOT_FOR])
def test_what_may_change_a_result_is_refused_with_what_would_be_right(name: str, damage: str, tmp_path: Path) -> None:
    make, why = REFUSED[damage]
    with pytest.raises(ConfigError) as refused:
        read(FORMATS[name], tmp_path, make(FORMATS[name].text))
    assert all("table.csv" in mistake for mistake in refused.value.mistakes)
    assert re.search(why, str(refused.value))


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("people", "grid_wide")])
def test_a_table_that_was_sorted_by_another_column_is_refused_or_still_in_order(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    wanted = plain(read(form, tmp_path, form.text))
    for column in range(len(form.text.splitlines()[0].split(","))):
        refused_or_same(form, tmp_path, sorted_by(form.text, column), wanted)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("people", "grid_wide")])
def test_rows_in_any_other_order_are_refused_or_are_the_same(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    wanted = plain(read(form, tmp_path, form.text))
    order = list(range(len(form.text.splitlines()) - 1))
    for seed in range(10):
        random.Random(seed).shuffle(order)
        refused_or_same(form, tmp_path, moved(form.text, order), wanted)


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_cut_anywhere_loses_whole_rows_or_is_refused(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    raw = form.text.encode()
    whole = []
    for end in [place for place in range(len(raw)) if raw[place : place + 1] == b"\n"][1:]:
        with suppress(ConfigError):  # one row may be too few
            whole.append(plain(read(form, tmp_path, raw[: end + 1])))
    for end in range(raw.index(b"\n") + 2, len(raw)):
        try:
            found = plain(read(form, tmp_path, raw[:end]))
        except ConfigError:
            continue
        # The last cell of a number may have lost digits: no one can see that.
        assert found in whole or raw[end - 1 : end].isdigit(), raw[:end][-40:]


def refused_or_same(form: Format, folder: Path, content: str, wanted: str) -> None:
    """Check that a table is refused, or that all of its sessions are as before."""
    try:
        found = read(form, folder, content)
    except ConfigError as error:
        assert "table.csv:" in str(error)  # noqa: PT017 (either is right)
    else:
        assert parts(found) == parts(read(form, folder, form.text)), wanted


def parts(found: Any) -> list[str]:
    """The sessions or rounds of a table, in whatever order they stand in it."""
    if isinstance(found, list) and found and isinstance(found[0], dict) and "session" in found[0]:
        numbers = sorted({row["session"] for row in found})
        return [plain([row for row in found if row["session"] == number]) for number in numbers]
    rounds = getattr(found, "rounds", None)
    return sorted(map(repr, rounds)) if rounds is not None else [plain(found)]

"""Which analysis reads a table: the one that needs most of its columns, then the one that names the protocol."""

from typing import Any

import pytest

from rig.analysis.common.plugin import Analysis
from rig.analysis.common.select_analysis import Found, select
from rig.core.errors import ConfigError


def found(name: str, columns: tuple[str, ...], **fields: Any) -> Found:
    return Found(name, type(name, (Analysis,), {"about": name, "columns": columns, **fields}))


GRID = found(
    "grid",
    ("tile", "kept"),
    protocols=("grid_bandit",),
    file_columns=("id", "scale"),
    other_file_columns=(("x", "y", "z"),),
)
RISKY = found("risky", ("tile", "kept"), protocols=("risky_bandit",))


def test_two_analyses_of_the_same_columns_are_told_apart_by_the_protocol() -> None:
    for protocol, expected in (("grid_bandit", GRID), ("risky_bandit", RISKY)):
        assert select([GRID, RISKY], ("tile", "kept"), protocol=protocol) == expected


def test_a_protocol_that_neither_names_has_to_be_chosen_for() -> None:
    with pytest.raises(ConfigError, match="grid and risky: choose one, such as --analysis grid"):
        select([GRID, RISKY], ("tile", "kept"), protocol="my_search")


def test_an_analysis_reads_files_of_each_of_its_formats() -> None:
    for columns in (("id", "scale", "more"), ("z", "y", "x")):
        assert select([RISKY, GRID], columns, of_file=True) == GRID
    assert select([RISKY, GRID], ("id", "x"), of_file=True) is None


def test_the_protocol_does_not_outweigh_the_columns() -> None:
    larger = found("larger", ("tile", "kept", "risk"))
    assert select([GRID, larger], ("tile", "kept", "risk"), protocol="grid_bandit") == larger

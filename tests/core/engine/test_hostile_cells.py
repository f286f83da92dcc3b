"""A real session writes every row, whatever object a cell holds and whatever name is set; values of numpy are plain."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pytest

from rig.core.engine.trials import Trials
from rig.core.errors import TaskError
from rig.core.journal.kinds import TrialLine
from rig.core.model.reward import Reward
from rig.core.model.rows import OneOf, Row
from tests.core.engine.test_task_log import Bench


@dataclass
class Cells(Row):
    n: int = 0
    x_ms: float = 0.0
    ok: bool = False
    word: Annotated[str, OneOf("", "left")] = ""
    series: tuple[float, ...] = ()
    anything: Any = None

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        if self.word == "sums":
            self.summed = 3  # no column


class Closed:
    """An object that answers no question."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Faceless:
    """An object that does not even say its class."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError

    def __repr__(self) -> str:
        raise SystemExit


class Side(enum.Enum):
    LEFT = "left"


HOSTILE = {
    "a whole number beyond floats": 10**400,
    "a whole number without a text": -(10**5000),
    "an object without attributes": Closed(),
    "an object without a class": Faceless(),
    "a list with it": [Faceless()],
    "an enum": Side.LEFT,
    "a generator": iter(()),
}


@pytest.mark.parametrize("column", Cells.columns())
@pytest.mark.parametrize("case", HOSTILE)
def test_no_object_in_a_cell_ends_a_real_session(case: str, column: str) -> None:
    bench, row = Bench(keep=True), Cells()
    setattr(row, column, HOSTILE[case])
    bench.log.row(row)
    bench.log.conclude()
    assert bench.lines[0].row.keys() == row.values().keys()
    assert {note.what for note in bench.notes} == {"wrong_cell", "wrong_cells"}


@pytest.mark.parametrize("keep", [True, False])
def test_values_of_numpy_are_written_as_what_they_hold(keep: bool) -> None:
    bench, row = Bench(keep=keep), Cells()
    row.n, row.x_ms, row.ok, row.word = np.int64(3), np.float32(1.5), np.bool_(True), np.str_("left")  # type: ignore
    row.series, row.anything = np.arange(2.0), [np.int64(1), np.float64(2.5)]  # type: ignore[assignment]
    bench.log.row(row)
    assert bench.notes == []
    expected = {"n": 3, "x_ms": 1.5, "ok": True, "word": "left", "series": [0.0, 1.0], "anything": [1, 2.5]}
    assert bench.lines[0].row == row.values() == expected
    assert [type(value) for value in row.values().values()] == [int, float, bool, str, list, list]


def test_a_wrong_value_of_numpy_is_told_as_the_number_that_it_holds() -> None:
    with pytest.raises(TaskError, match=r"Cells\.n is 1\.5, wanted a whole number"):
        Bench(keep=False).log.row(Cells(np.float64(1.5)))  # type: ignore[arg-type]


def test_a_column_that_the_code_of_a_real_row_sets_when_its_rewards_are_known_ends_no_session() -> None:
    # The board's events settle a row's rewards, and not the code of a state.
    bench = Bench(keep=True)
    trials = Trials(bench.log, [])
    trials.begin_trial(Cells(word="sums"))
    trials.end_trial()
    assert isinstance(bench.lines[0], TrialLine)
    assert {note.fields.get("column") for note in bench.notes} == {"trials.word", "trials.summed"}


@pytest.mark.parametrize("name", ["values", "columns", "on_rewards", "interrupted", "letter"])
def test_a_name_that_every_row_has_replaces_nothing_in_a_real_session(name: str) -> None:
    bench, row = Bench(keep=True), Cells()
    trials = Trials(bench.log, [])
    trials.begin_trial(row)
    setattr(row, name, True)
    row.interrupted()
    trials.end_trial()
    assert isinstance(bench.lines[0], TrialLine)
    assert bench.notes[0].fields["column"] == f"trials.{name}"


def test_names_without_end_are_cut_and_counted() -> None:
    bench, row = Bench(keep=True), Cells()
    trials = Trials(bench.log, [])
    trials.begin_trial(row)
    for number in range(150):
        setattr(row, f"x{number}", 1)
    setattr(row, "y" * 5_000_000, 1)
    trials.end_trial()
    bench.log.conclude()
    assert len(bench.notes) == 102
    assert bench.notes[-1].fields["cells"]["further columns"] == 51

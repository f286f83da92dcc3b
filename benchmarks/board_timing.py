"""Timing of the firmware on a cycle-accurate simulated chip: the table of ``rig board bench``.

A row is one run, because virtual time does not depend on the machine. Only the speed of a session does.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.measure import Options
from rig.boards.chips import AVRS
from rig.boards.driver_lookup import find_driver
from rig.cli.board.timing_report import USUAL, timing_rows
from rig.core.errors import ConfigError
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec
from rig.diagnostics.timing.report_rows import Row


@dataclass(frozen=True)
class Judged:
    """A row of that table as a measure; a row without a bound holds."""

    chip: str
    row: Row

    @property
    def what(self) -> str:
        """Return the name of the row with its chip."""
        return f"{self.chip}: {self.row.what.strip()}"

    @property
    def note(self) -> str:
        """Return the number of events and the note of the row."""
        return f"n {self.row.n}" + (f"; {self.row.note}" if self.row.note else "")

    @property
    def measured(self) -> str:
        """Return the measured value."""
        return self.row.got

    @property
    def must_be(self) -> str:
        """Return the bound."""
        return self.row.must

    @property
    def holds(self) -> bool:
        """Whether the value is within the bound."""
        return self.row.met is not False

    def to_dict(self) -> dict[str, object]:
        """Return the row as data for JSON."""
        return {"chip": self.chip, **self.row.to_dict()}


def measure(options: Options, n: int = USUAL) -> list[Judged]:
    """Return the judged rows of both chips; empty without the compiler or the simulator of the chip."""
    driver = find_driver("avr")
    try:
        return [
            Judged(chip, row)
            for chip in AVRS
            for row in timing_rows(driver, RigSpec("bench", BoardSpec("board", "avr", chip=chip), Wiring(())), n)
        ]
    except ConfigError:
        return []

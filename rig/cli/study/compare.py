"""``rig study compare``: the verdicts of several runs of a study, such as runs with different seeds."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from rig.analysis.common.tables import Table
from rig.cli.analyze.answer import print_answer
from rig.core.errors import ConfigError
from rig.studies.estimate import Estimate
from rig.studies.figure_result import Verdict, verdict_text
from rig.system.atomic_files import read_errors
from rig.system.statuses import FAILED, OK
from rig.terminal.format import pluralize


class _Figure(BaseModel):
    """What is read of a number; the other keys of the document are left out."""

    name: str
    of: str
    take: str
    obtained: float | None
    error: float | None
    fitted: bool
    verdict: Verdict
    unsafe: bool

    @property
    def text(self) -> str:
        value, error = (math.nan if number is None else number for number in (self.obtained, self.error))
        verdict = verdict_text(self.verdict, fitted=self.fitted, unsafe=self.unsafe)
        return f"{Estimate(value, error).text}, {verdict}"


class _Results(BaseModel):
    kind: Literal["study_run"]
    title: str
    seed: int
    figures: list[_Figure] = Field(min_length=1)

    @property
    def places(self) -> list[tuple[str, str, str]]:
        return [(figure.name, figure.of, figure.take) for figure in self.figures]


def run(arguments: argparse.Namespace) -> int:
    """Print each number with its verdicts; the status is 1 where verdicts differ. Raises ``RigError``."""
    runs = [_read(Path(name)) for name in arguments.results]
    for name, results in zip(arguments.results, runs, strict=True):
        if results.places != runs[0].places:
            raise ConfigError(f"{name}: has other figures than {arguments.results[0]}: wanted runs of one study")
    rows = list(zip(*(results.figures for results in runs), strict=True))
    different = [figures[0].name for figures in rows if len({figure.verdict for figure in figures}) > 1]
    header = ("number", *(f"seed {results.seed}" for results in runs))
    cells = tuple((figures[0].name, *(figure.text for figure in figures)) for figures in rows)
    print_answer([Table(runs[0].title, header, cells)], [], [])
    print(_summary(different, len(rows)))
    return FAILED if different else OK


def _summary(different: Sequence[str], count: int) -> str:
    if not different:
        return f"The verdicts of {pluralize(count, 'number')} agree."
    return f"The verdicts of {len(different)} of {pluralize(count, 'number')} differ: {', '.join(different)}."


def _read(path: Path) -> _Results:
    """Return the results in a file. Raises ``ConfigError`` and ``RecordError``."""
    with read_errors(path):
        content = path.read_bytes()
    try:
        return _Results.model_validate_json(content)
    except ValidationError:
        raise ConfigError(f"{path}: wanted the output of `rig study run STUDY --json`, with figures") from None

"""The results of a study on the terminal."""

from __future__ import annotations

from rig.analysis.common.tables import Table
from rig.cli.analyze.answer import print_answer
from rig.studies.figure_text import VERDICTS, expected_text, named, obtained_text, summary
from rig.studies.results import StudyResult


def print_figures(result: StudyResult) -> None:
    """Print each number beside the one that it should be, and what is wrong."""
    rows = tuple(
        (
            named(each.figure),
            each.figure.published or "-",
            expected_text(each.figure),
            obtained_text(each.obtained),
            VERDICTS[each.verdict],
        )
        for each in result.figures
    )
    header = ("number", "published", "expected", "obtained", "")
    problems = [f"{each.figure.name}: {each.obtained.problem}" for each in result.figures if each.obtained.problem]
    print_answer([Table(result.file.title, header, rows)], problems, [])
    if result.figures:
        print("After ± of an obtained number stands its Monte Carlo error, after ± of an expected one its tolerance.")
        print(summary(result.figures))

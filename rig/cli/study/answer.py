"""Run a study and compare its figures, or ask how many subjects an effect needs. Needs the extras of `rig study`."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rig.analysis.common.tables import Table
from rig.cli import common
from rig.cli.analyze.answer import print_answer
from rig.cli.study.progress import study_progress
from rig.cli.terminal.printing import print_json
from rig.config import find
from rig.jobs.engine import Engine
from rig.jobs.open_engine import open_engine
from rig.platform.command_line import command_line
from rig.studies.figure_result import FigureResult, verdict_text
from rig.studies.lock import only_run
from rig.studies.plan import Study
from rig.studies.results import StudyResult
from rig.studies.run import StudyProgress, StudyRun, results_folder, versions
from rig.system.atomic_files import write_atomic
from rig.system.statuses import FAILED, OK, STOPPED
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class _Answer:
    """What a command found: its page, its data, its printed lines, and its exit status."""

    page: str
    document: dict[str, object]
    printed: Callable[[], None]
    status: int


def run_study(arguments: argparse.Namespace) -> int:
    """Run the sessions that have not run, and write the page. Raises ``RigError``."""
    study = Study(find("studies", arguments.study), arguments.seed)
    answer_of = {"run": _figures, "power": _power}[arguments.what]
    data = common.data_folder(arguments)
    folder = results_folder(study, data)
    work: StudyRun | None = None
    try:
        with open_engine(arguments.jobs, arguments.scheduler) as engine, only_run(folder):
            with study_progress() as progress:
                work = StudyRun(study, data, again=arguments.again)
                answer = answer_of(work, engine, progress, _command(arguments))
            place = folder / f"{arguments.what}.html" if arguments.to is None else Path(arguments.to)
            write_atomic(place, answer.page)
    except KeyboardInterrupt:
        if work is None:
            raise
        print("stopped:", _kept(work), file=sys.stderr)
        return STOPPED
    for said in work.left_over:
        print(said, file=sys.stderr)
    if arguments.json:
        print_json({"format": 1, "kind": f"study_{arguments.what}", **answer.document, "page": str(place)})
    else:
        answer.printed()
        print(f"page: {place}")
    if arguments.open:
        webbrowser.open(place.absolute().as_uri())
    return answer.status


def _figures(work: StudyRun, engine: Engine, progress: StudyProgress, command: str) -> _Answer:
    from rig.studies.page import study_page

    work.sessions(work.compared, engine, progress)
    result = work.result(engine, progress, command)
    status = FAILED if result.missed else OK
    return _Answer(study_page(result, common.now().date()), result.document(), lambda: print_figures(result), status)


def _power(work: StudyRun, engine: Engine, progress: StudyProgress, command: str) -> _Answer:
    from rig.studies.power.page import power_page
    from rig.studies.power.sentences import sentences
    from rig.studies.power.tables import tables
    from rig.studies.power_run import power_of, question_of

    power, _ = question_of(work)
    work.sessions((power.baseline, power.effect), engine, progress)
    result, notes = power_of(work, engine, progress.on_subject)
    page = power_page(
        result,
        study=work.study.name,
        title=work.study.file.title,
        command=command,
        made=common.now().date(),
        versions=versions(),
        arms=[(name, work.study.arms[name].what) for name in (power.baseline, power.effect)],
        notes=[*work.left_over, *notes],
    )
    said = [*sentences(result), *result.notes, *notes]
    return _Answer(page, dict(result.document()), lambda: print_answer(tables(result), said, []), OK)


def _kept(work: StudyRun) -> str:
    """Return how many sessions of a stopped study need not run again."""
    done, total = work.done, work.study.total
    return f"{done} of {pluralize(total, 'session')} have run, and are kept in {work.folder}; the same command goes on"


def _command(arguments: argparse.Namespace) -> str:
    """Return the command that repeats a study, on any computer."""
    seed = [] if arguments.seed is None else ["--seed", str(arguments.seed)]
    return command_line(["rig", "study", arguments.what, arguments.study, *seed])


def print_figures(result: StudyResult) -> None:
    """Print each number beside the one that it should be, and what is wrong."""
    rows = tuple(_row(figure) for figure in result.figures)
    header = ("number", "published", "expected", "obtained", "between subjects", "")
    print_answer(
        [Table(result.file.title, header, rows)], [note for each in result.figures for note in _notes(each)], []
    )
    if result.figures:
        print(
            "After ± of an expected number stands its tolerance, after ± of an obtained one its Monte Carlo error; "
            "between subjects stands its standard error over subjects that the file names."
        )
        print(result.summary)


def _row(result: FigureResult) -> tuple[str, ...]:
    verdict = verdict_text(result.verdict, fitted=result.figure.fitted, unsafe=result.is_unsafe)
    return *result.texts, result.obtained.spread_text, verdict


def _notes(result: FigureResult) -> Iterator[str]:
    """Yield what there is to say of a number below the table."""
    if result.without is not None:
        yield f"{result.figure.name}, without the cause of its explanation: {result.without.text}"
    for problem in result.problems:
        yield f"{result.figure.name}: {problem}"

"""Run a session and write its tables, for the commands that run sessions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from rig.analysis.common.select_analysis import fill_tables
from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import JOURNAL, read_ends
from rig.records.session.summary import Summary, summarize, write_summary
from rig.records.session.trials import TRIALS, write_tables
from rig.session.run.run_session import SessionResult, resume_session, run_session
from rig.session.spec.session_spec import SessionSpec
from rig.system.statuses import FAILED, OK, STOPPED
from rig.terminal.output import multiline_output


class FinishedSession(NamedTuple):
    """A finished session: its summary, its exit status, and whether the operator stopped the campaign."""

    summary: Summary
    status: int
    stopped: bool


def run_and_save(
    spec: SessionSpec,
    on_folder: Callable[[Path], object] | None = None,
    on_beat: Callable[[], object] | None = None,
    *,
    controlled: bool = False,
    resumed: Path | None = None,
) -> FinishedSession:
    """Run a session and write its tables; ``controlled`` opens its socket. Raises as ``run_session`` does.

    ``resumed`` is the folder of a session that broke off and goes on.
    """
    run = run_session if resumed is None else partial(resume_session, session=resumed)
    summaries: list[Summary] = []
    with redirect_stdout(multiline_output(sys.stderr)):  # a protocol's prints must not mix with JSON
        result = run(
            spec,
            on_folder=on_folder,
            on_beat=on_beat,
            on_finished=lambda result: summaries.append(save_tables(result)),
            controlled=controlled,
        )
    summary = summaries[0]
    for settled in result.settled:
        with suppress(OSError):
            print(settled.text, file=sys.stderr)
    stopped_by = "operator" if result.stopped and summary.reason not in ("fault", "panic") else summary.reason
    return FinishedSession(summary, status_of(stopped_by, summary.refused_orders), result.stopped)


def save_tables(result: SessionResult) -> Summary:
    """Write the tables of a finished session; return its summary, with any write error as its fault."""
    summary = _summary(result)
    try:
        write_tables(result.folder, result.header, result.tables)
        if read_ends(result.folder / JOURNAL).footer is not None:  # a summary is proof of a complete journal
            write_summary(result.folder, summary)
    except RecordError as error:
        with suppress(OSError):  # a worker's stderr may be closed
            print(f"{error}: the journal is kept, `rig recover {result.folder}` makes the tables", file=sys.stderr)
        detail = "; ".join(filter(None, (result.outcome.detail, str(error))))
        summary = summary.model_copy(update={"reason": "fault", "detail": detail})
    else:
        _fill(result.folder, result.header.columns)
    return summary.model_copy(update={"folder": str(result.folder)})


def _fill(folder: Path, columns: Sequence[str]) -> None:
    """Write the columns that analyses compute; a failure leaves the tables valid without them."""
    try:
        fill_tables(folder, columns)
    except (ConfigError, RecordError) as error:
        with suppress(OSError):
            print(f"{error}: {TRIALS} is written without its computed columns", file=sys.stderr)


def _summary(result: SessionResult) -> Summary:
    outcome = result.outcome
    # The records may have failed after the footer was written.
    footer = replace(outcome.footer, reason=outcome.reason, detail=outcome.detail)
    summary = summarize(result.header, footer, result.rows, result.notes)
    return summary.model_copy(update={"remark": result.remark}) if result.remark else summary


def status_of(reason: str, refused_orders: int = 0) -> int:
    """Convert the reason of a session's end into an exit status; refused orders mean failure."""
    return {"fault": FAILED, "panic": FAILED, "operator": STOPPED}.get(reason, FAILED if refused_orders else OK)

"""Functions that the commands for sessions share."""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rig.analysis.common.select_analysis import fill_tables
from rig.core.errors import ConfigError, RecordError
from rig.core.model.rig_spec import SimulationOptions
from rig.records.read import JOURNAL, read_ends
from rig.records.summary import summarize, write_summary
from rig.records.trials import TRIALS, write_tables
from rig.session.build.spec import SessionSpec
from rig.session.run.run_session import SessionResult, resume_session, run_session
from rig.session.subject import SubjectFolder
from rig.system.settings import load_settings
from rig.system.statuses import FAILED, OK, STOPPED
from rig.terminal.output import multiline_output

SLOWEST = 0.001
"""A thousandth of real time; below it the system's sleep can overflow."""


def data_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder of the records: ``--data``, or what the computer is set to. Raises ``ConfigError``."""
    return Path(arguments.data or load_settings().data.value)


def known_subject(arguments: argparse.Namespace) -> SubjectFolder:
    """Return the subject, real or with ``--sim`` simulated; its folder must exist.

    A command without the option is for real subjects only. Raises ``ConfigError``.
    """
    data = data_folder(arguments)
    real, simulated = (SubjectFolder(data, arguments.subject, simulated=simulated) for simulated in (False, True))
    sim: bool | None = getattr(arguments, "sim", None)
    wanted, other = (simulated, real) if sim else (real, simulated)
    if not wanted.folder.is_dir():
        advice = {True: "leave --sim out", False: "add --sim", None: "this command is for real subjects only"}
        hint = f"; {other.folder} is there: {advice[sim]}"
        where = wanted.folder.parent
        raise ConfigError(f"{where}: has no subject '{wanted.name}'{hint if other.folder.is_dir() else ''}")
    return wanted


def options(pairs: Sequence[str]) -> dict[str, str]:
    """Parse ``--param k=v``. Raises ``ConfigError`` that lists every value of another form."""
    wrong = [pair for pair in pairs if "=" not in pair or pair.startswith("=")]
    if wrong:
        raise ConfigError(*(f"--param {pair}: wanted NAME=VALUE, such as --param tau=2" for pair in wrong))
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def now() -> datetime.datetime:
    """Return this computer's date and time, without microseconds."""
    return datetime.datetime.now().replace(microsecond=0)


def start_time(text: str | None) -> datetime.datetime:
    """Parse ``--start``; without it return the current time. Raises ``ConfigError``."""
    if text is None:
        return now()
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--start {text}: is no time; wanted such as 2026-11-21T09:00") from None


def speed(text: str) -> float:
    """Parse ``--speed``. Raises ``ConfigError``."""
    try:
        value = math.inf if text == "max" else float(text)
    except ValueError:
        value = 0.0
    if not value >= SLOWEST:
        raise ConfigError(f"--speed {text}: wanted max, or a number such as 1 (real time) or 60")
    return value


def simulation(arguments: argparse.Namespace, seed: int) -> SimulationOptions:
    """Return the options of the simulated rig."""
    return SimulationOptions(arguments.model, options(arguments.param), seed=seed)


class FinishedSession(NamedTuple):
    """A finished session: its summary, its exit status, and whether the operator stopped the campaign."""

    summary: dict[str, Any]
    status: int
    stopped: bool


def run_and_save(
    spec: SessionSpec,
    on_folder: Callable[[Path], object] = lambda folder: None,
    on_beat: Callable[[], object] | None = None,
    *,
    controlled: bool = False,
    resumed: Path | None = None,
) -> FinishedSession:
    """Run a session and write its tables; ``controlled`` opens its local socket. Raises as ``run_session`` does.

    ``resumed`` is the folder of a session that broke off and goes on.
    """
    run = run_session if resumed is None else partial(resume_session, session=resumed)
    summaries: list[dict[str, Any]] = []
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
    stopped_by = "operator" if result.stopped and summary["reason"] not in ("fault", "panic") else summary["reason"]
    return FinishedSession(summary, status_of(stopped_by, summary["refused_orders"]), result.stopped)


def save_tables(result: SessionResult) -> dict[str, Any]:
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
        summary = {**summary, "reason": "fault", "detail": detail}
    else:
        _fill(result.folder, result.header["columns"])
    return {**summary, "folder": str(result.folder)}


def _fill(folder: Path, columns: Sequence[str]) -> None:
    """Write the columns that analyses compute; a failure leaves the tables valid without them."""
    try:
        fill_tables(folder, columns)
    except (ConfigError, RecordError) as error:
        with suppress(OSError):
            print(f"{error}: {TRIALS} is written without its computed columns", file=sys.stderr)


def _summary(result: SessionResult) -> dict[str, Any]:
    outcome = result.outcome
    footer = {
        "reason": outcome.reason,
        "detail": outcome.detail,
        "t": outcome.t_us,
        "rewards": outcome.rewards,
        "ul": round(outcome.ul, 6),
        "pellets": outcome.pellets,
        "access_s": outcome.access_s,
        "unconfirmed_rewards": outcome.unconfirmed_rewards,
        "refused_orders": outcome.refused_orders,
        "remark": result.remark,
    }
    return summarize(result.header, footer, result.rows, result.notes)


def status_of(reason: str, refused_orders: int = 0) -> int:
    """Convert the reason of a session's end into an exit status; refused orders mean failure."""
    return {"fault": FAILED, "panic": FAILED, "operator": STOPPED}.get(reason, FAILED if refused_orders else OK)

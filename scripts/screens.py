"""Write docs/reference/screens.md: the terminal output of one session, at 80 and at 200 columns."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import io
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rich.console import Console

from rig.boards.driver_lookup import Connection
from rig.cli import run_and_save
from rig.cli.run.before import weight_rows
from rig.cli.terminal.end_screen import EndScreen, print_end
from rig.cli.terminal.screen_layout import write
from rig.cli.terminal.start_screen import StartScreen, print_start
from rig.cli.terminal.top_up import top_up_text
from rig.config.subject import limits_of, load_subject
from rig.core.journal.kinds import SessionLine
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.live.display_loop import SessionStatus
from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from rig.live.rich_display import session_panel
from rig.live.text_display import TextDisplay
from rig.records.session.summary import Summary
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.top_up import top_up_of
from rig.records.weight_entry import WeightEntry
from rig.session.daily_total import load_daily_total
from rig.session.last_session import last_session
from rig.session.run.run_session import run_session
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.driver import SimDriver
from sim_hardware.loop import VirtualLoop

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "screens.md"
WIDTHS = (80, 200)
RIG = "nose_ports_uno"
START = datetime.datetime(2026, 11, 6, 9, 0)
"""Three days after the calibrations of the rig: a real session refuses those older than 7 days."""
WEIGHT = WeightEntry(weight_g=21.1)
SUBJECT = "baseline_g: 25\nbaseline_date: 2026-11-01\ndaily_target_ul: 1500\n"
CHANGES = ("params.p_high=0.9", "params.reward_ul=3")
CUT = frozenset({"right.beam"})
"""Channel with a broken wire, so that the screens show a warning."""
MIDWAY_S = 1200.0
"""Session time of the running display on the page."""


class _SimulatedAsReal(SimDriver):
    """Driver of a simulated board that counts as a real one, with a virtual mouse, in virtual time."""

    records = "real"

    def __init__(self, rehearsal: SimulationOptions) -> None:
        self._rehearsal = rehearsal

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Return a virtual loop, whatever the speed."""
        return VirtualLoop()

    def connect(self, plan: RigSpec, rehearsal: SimulationOptions) -> Connection:
        """Return the board's connection with the page's virtual mouse."""
        return super().connect(plan, replace(self._rehearsal, hints=rehearsal.hints))


@dataclass(frozen=True)
class Session:
    """One session with all inputs of its screens."""

    start: StartScreen
    weight: list[Any]
    summary: Summary
    afterwards: EndScreen
    lines: list[SessionLine]


def session(data: Path) -> Session:
    """Run the session of the page, after a session of the previous day."""
    folder = data / "M1"
    folder.mkdir()
    (folder / "subject.yaml").write_text(SUBJECT, encoding="utf-8")
    known = load_subject(folder)
    spec = build_spec(SessionRequest("two_armed_bandit", RIG, CHANGES))
    day_before = START - datetime.timedelta(days=1)
    _run(build_spec(SessionRequest("two_armed_bandit", RIG)), data, day_before, SimulationOptions("rflr", seed=1))
    day = load_daily_total(folder, limits_of(folder), START)
    start = StartScreen(spec, False, folder, START, "A. Keeper", last_session(folder), day)
    summary = _run(spec, data, START, SimulationOptions("rflr", seed=2, cut=CUT))
    afterwards = EndScreen(WEIGHT.said(known), top_up_text(top_up_of(folder, load_known_subject(folder), START.date())))
    lines = JournalFollower(Path(summary.folder) / "journal.jsonl").read()
    return Session(start, weight_rows(WEIGHT, known), summary, afterwards, lines)


def _run(spec: SessionSpec, data: Path, start: datetime.datetime, rehearsal: SimulationOptions) -> Summary:
    request = SessionRequest(data=data, subject="M1", seed=rehearsal.seed, start=start)
    with patch("rig.session.run.run_session.find_driver", lambda name: _SimulatedAsReal(rehearsal)):
        return run_and_save.save_tables(run_session(replace(spec, request=request, facts=WEIGHT.facts())))


def page(data: Path) -> str:
    """Build the page; the session is run below ``data``."""
    shown = session(data)
    blocks = [TITLE]
    for columns in WIDTHS:
        with patch.dict(os.environ, {"COLUMNS": str(columns)}):
            blocks += [f"## {columns} columns\n", "### Before\n", _fenced(_start(shown)), "### While it runs\n"]
            blocks += [_fenced(_panel(shown, columns)), "### Afterwards\n", _fenced(_end(shown))]
    blocks += [PLAIN, _fenced("\n".join(_plain(shown)))]
    return "\n".join(blocks).replace(str(data), "data")


def _fenced(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"


def _start(shown: Session) -> str:
    paper = io.StringIO()
    print_start(shown.start, paper)
    write(shown.weight, paper)
    return paper.getvalue()


def _panel(shown: Session, columns: int) -> str:
    progress = Progress()
    for line in shown.lines:
        if line.t_us <= MIDWAY_S * 1e6:
            progress.take(line)
    paper = io.StringIO()
    Console(file=paper, width=columns).print(
        session_panel(progress, SessionStatus(MIDWAY_S, 0.2), columns, "Ctrl-C stops")
    )
    return paper.getvalue()


def _end(shown: Session) -> str:
    paper = io.StringIO()
    print_end(shown.summary, paper, shown.afterwards)
    return paper.getvalue()


def _plain(shown: Session) -> Iterator[str]:
    said: list[str] = []
    progress, plain = Progress(), TextDisplay(said.append)
    for line in shown.lines:
        progress.take(line)
        plain.update(progress)
    yield from said[:10]


TITLE = """# The screens of a session

This page shows what the terminal displays before, during and after one session of a mouse. In this session the wire
of the right beam is broken. `make pages` writes this page (`scripts/screens.py`). A test fails when the page is out
of date.

In a terminal, warnings are yellow, faults red and rewarded trials green. Each color only repeats what the text says.
The program uses no colors if the output is not a terminal, or if `NO_COLOR` is set.

- The **start screen** shows unusual facts. Examples are parameters that differ from the protocol's defaults, a
  changed open time of a valve, and a last session that crashed or was less than 18 hours ago. The program asks you to
  confirm the subject, unless you give `--yes` or the subject is virtual. If the rig gives rewards to a real subject,
  it also asks for the weight. In a simulated session the start screen and the end screen begin with a frame:
  `SIMULATED: M1 is in no real rig`.
- A separate process draws the **running display**. It only reads the journal. If it crashes, the session continues.
  When the session ends, the display ends too. In the row `last`, each character is a trial. A letter is a choice, a
  capital letter is a rewarded choice, and a dot is a trial without a choice. `rig watch` shows the same display for a
  session in another terminal, or for one that has ended.
- The program prints the **end screen** to standard output; with `--json` it prints it to standard error. Two of its
  lines have tabs between the values, so that you can paste them into a spreadsheet.
"""
PLAIN = """## Without a terminal

If the output is not a terminal, the program prints lines to standard error: one line every 50 trials or 5 minutes,
and one line for each warning:
"""


def pages() -> Mapping[Path, str]:
    """Return the page with its path."""
    # The page names files relative to the repository.
    with tempfile.TemporaryDirectory() as data, contextlib.chdir(PAGE.parents[2]):
        return {PAGE: page(Path(data))}

"""``rig demo``: show a session of a virtual mouse, and its report."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path

from rig.cli import common
from rig.cli.records.report import write_session_report
from rig.cli.run_and_save import run_and_save
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import print_end
from rig.cli.terminal.printing import print_lines
from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.cli.terminal.window import DetachedWindow, window_of_session
from rig.core.model.rig_spec import SimulationOptions
from rig.platform.command_line import quoted
from rig.platform.system import has_display
from rig.records.journal.read import JOURNAL
from rig.report.session_report import REPORT
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.window.launch import check_window

SPEED, SPEED_OF_WINDOW = "600", "20"
"""The session takes 4 s on the live display; in the window 2 minutes, in which its charts can be read."""
NEXT = """
Look next at:
  rig demo --window   the same session in the window, at 20 times real time
  rig run two_armed_bandit --subject me --model keyboard   the same task with you as the mouse
  rig watch {folder}   this session's display
  rig --help   all commands"""


def run(arguments: argparse.Namespace) -> int:
    """Run the session, and write its report."""
    if arguments.window:
        check_window()
    speed = common.speed(arguments.speed or (SPEED_OF_WINDOW if arguments.window else SPEED))
    spec = build_spec(
        SessionRequest(
            "two_armed_bandit",
            data=common.data_folder(arguments),
            subject="demo",
            seed=arguments.seed,
            start=common.start_time(None),
            simulation=SimulationOptions("rflr", seed=arguments.seed),
            speed=speed,
        )
    )
    minutes = spec.stop.session_s / 60
    print(f"A virtual mouse does a two-armed bandit, 80-20, for {minutes:g} minutes of its time.", flush=True)
    with (
        DetachedWindow(window_of_session(arguments.theme) if arguments.window else None) as window,
        Display(real_time=speed == 1) as display,
    ):

        def show(folder: Path) -> None:
            display.start(folder)
            window.start(folder)

        finished = run_and_save(spec, on_folder=show)
    print_end(finished.summary, sys.stdout)
    folder = Path(finished.summary.folder)
    _show_report(folder, may_open=not arguments.window)
    print_lines(NEXT.format(folder=quoted(str(folder))))
    return finished.status


def _show_report(folder: Path, *, may_open: bool) -> None:
    """Write the session's report, and open it if the person at the desktop agrees."""
    document = write_session_report(folder / JOURNAL, folder / REPORT)
    page = Path(str(document["file"])).absolute()
    print()
    print(f"Its report says {document['verdict']}: {page}", flush=True)
    if may_open and is_interactive() and has_display() and _has_browser():
        answer = ask_now("Open this report in the browser? [Y/n] ")
        if answer is not None and answer.lower() in ("", "y", "yes"):
            webbrowser.open(page.as_uri())


def _has_browser() -> bool:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True

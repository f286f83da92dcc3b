"""``rig demo``: a virtual mouse runs a two-armed bandit session on the live display."""

from __future__ import annotations

import argparse
import shlex
import sys

from rig.cli import common
from rig.cli.run_and_save import run_and_save
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import print_end
from rig.cli.terminal.printing import print_lines
from rig.core.model.rig_spec import SimulationOptions
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest

NEXT = """
Look next at:
  rig report {folder}   the page of this session: a verdict, warnings, every parameter
  rig run two_armed_bandit --subject me --model keyboard   the same task with you as the mouse
  rig --help   all commands"""


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    speed = common.speed(arguments.speed)
    request = SessionRequest(
        "two_armed_bandit",
        data=common.data_folder(arguments),
        subject="demo",
        seed=arguments.seed,
        start=common.start_time(None),
        simulation=SimulationOptions("rflr", seed=arguments.seed),
        speed=speed,
    )
    spec = build_spec(request)
    minutes = spec.stop.session_s / 60
    print(f"A virtual mouse does a two-armed bandit, 80-20, for {minutes:g} minutes of its time.", flush=True)
    with Display(real_time=speed == 1) as display:
        finished = run_and_save(spec, on_folder=display.start)
    print_end(finished.summary, sys.stdout)
    print_lines(NEXT.format(folder=shlex.quote(finished.summary["folder"])))
    return finished.status

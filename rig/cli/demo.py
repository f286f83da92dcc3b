"""``rig demo``: a virtual mouse does the two-armed bandit, for everyone to see."""

from __future__ import annotations

import argparse
import sys

from rig.cli import common
from rig.cli.display import Display
from rig.cli.end_screen import print_end
from rig.core.plan import Rehearsal
from rig.session.perform import Order
from rig.session.setup import prepare


def run(arguments: argparse.Namespace) -> int:
    """Run the demonstration."""
    prepared = prepare("two_armed_bandit")
    minutes = prepared.stop.session_s / 60
    print(f"A virtual mouse does a two-armed bandit, 80-20, for {minutes:g} minutes of its time.", flush=True)
    speed = common.speed(arguments.speed)
    with Display(real_time=speed == 1) as display:
        order = Order(
            data=common.data_folder(arguments),
            subject="demo",
            seed=arguments.seed,
            start=common.start_time(None),
            rehearsal=Rehearsal("rflr", seed=arguments.seed),
            speed=speed,
            on_folder=display.start,
        )
        kept = common.conduct(prepared, order)
    print_end(kept.summary, sys.stdout)
    return kept.status

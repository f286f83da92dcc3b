"""``rig session set``: change a live parameter of a running session, or list those that it has."""

from __future__ import annotations

import argparse

from rig.cli.session.control import answer_of, send
from rig.system.statuses import OK
from rig.terminal.format import param_texts


def run(arguments: argparse.Namespace) -> int:
    """Send the request, and print what changes; without ``KEY=VALUE`` print what may change."""
    if arguments.parameter is not None:
        return send(arguments.subject, do="set", param=arguments.parameter)
    status = answer_of(arguments.subject, do="status")
    values, wanted = status["live"], status["set_next"]
    for text, key in zip(param_texts(values), values, strict=True):
        then = (
            f", {param_texts({key: wanted[key]})[0].partition('=')[2]} from the next trial on" if key in wanted else ""
        )
        print(f"{text}{then}")
    if not values:
        print("no parameter of this protocol may change during a session")
    return OK

"""``rig session list``: list the sessions that run on this computer."""

from __future__ import annotations

import argparse

from rig.cli.session.find import sessions
from rig.cli.terminal.printing import print_json
from rig.live.format import clock, param_texts, pluralize
from rig.system.control_socket import Answer
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Print them."""
    found = [status for _, status in sessions()]
    if arguments.json:
        print_json(found)
    elif not found:
        print("no session runs")
    else:
        print(*(_line(status) for status in found), sep="\n")
    return OK


def _line(status: Answer) -> str:
    if not status["ok"]:
        return f"one that cannot be asked: {status.get('error')}"
    simulated = ", simulated" if status.get("simulated") else ""
    return (
        f"{status['subject']}: {status['protocol']} on {status['rig']}{simulated}, {status['text']}, "
        f"{clock(status['elapsed_s'])} of {clock(status['session_s'])}, {pluralize(status['trials'], 'trial')}, "
        f"{pluralize(status['rewards'], 'reward')}{_set(status)}; {status['folder']}"
    )


def _set(status: Answer) -> str:
    """Return the parameters that an operator has changed, and those that change at the next trial."""
    parts = [("set", status["set"]), ("from the next trial on", status["set_next"])]
    return "".join(f", {words} {', '.join(param_texts(values))}" for words, values in parts if values)

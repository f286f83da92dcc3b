"""``rig session list``: list the sessions that run on this computer, and those that a panic button has ended today."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from rig.cli import common
from rig.cli.terminal.printing import print_json
from rig.live.end_reasons import ended_text
from rig.live.warnings import lost_board_text
from rig.records.journal.read import read_ends
from rig.records.session.history import journals
from rig.session.subject_folder import NAME, subjects_folder
from rig.system import control_socket
from rig.system.control_socket import Answer
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole
from rig.terminal.format import clock, param_texts, pluralize


def run(arguments: argparse.Namespace) -> int:
    """Print the sessions. Raises ``ConfigError``, ``RecordError``."""
    found = sorted((status for _, status in control_socket.running()), key=_place)
    running = {status.get("subject") for status in found}
    ended = panics_of(common.data_folder(arguments), common.now().date())
    panics = [panic for panic in ended if panic["subject"] not in running]
    if arguments.json:
        print_json([*found, *panics])
        return OK
    console = SafeConsole()
    for panic in panics:
        console.print(Text(f"{panic['subject']}: {panic['text']}; {panic['folder']}", "bold red"), soft_wrap=True)
    for status in found:
        is_lost = status.get("reconnect_s") is not None
        console.print(Text(_line(status), "bold red" if is_lost else ""), soft_wrap=True)
    if not found and not panics:
        print("no session runs")
    return OK


def _place(status: Answer) -> tuple[str, str]:
    return str(status.get("box") or ""), str(status.get("subject") or "")


def _line(status: Answer) -> str:
    if not status["ok"]:
        return f"one that cannot be asked: {status.get('error')}"
    simulated = ", simulated" if status.get("simulated") else ""
    box = f"{status['box']}: " if status.get("box") else ""
    left_s = status.get("reconnect_s")
    lost = "" if left_s is None else f"{lost_board_text(left_s)}, "
    protocol = status.get("variant") or status["protocol"]
    return (
        f"{box}{status['subject']}: {protocol} on {status['rig']}{simulated}, {lost}{status['text']}, "
        f"{clock(status['elapsed_s'])} of {clock(status['session_s'])}, {pluralize(status['trials'], 'trial')}, "
        f"{pluralize(status['rewards'], 'reward')}{_set(status)}; {status['folder']}"
    )


def _set(status: Answer) -> str:
    """Return the parameters that an operator has changed, and those that change at the next trial."""
    parts = [("set", status["set"]), ("from the next trial on", status["set_next"])]
    return "".join(f", {words} {', '.join(param_texts(values))}" for words, values in parts if values)


def panics_of(data: Path, day: datetime.date) -> Iterator[dict[str, object]]:
    """Yield subject, text and folder of each. Raises ``RecordError``."""
    for simulated in (False, True):
        place = subjects_folder(data, simulated=simulated)
        for subject in sorted(place.iterdir() if place.is_dir() else ()):
            journal = next(journals(subject), None) if NAME.fullmatch(subject.name) else None
            if journal is None or journal.parent.parent.name != day.isoformat():
                continue
            footer = read_ends(journal).footer
            if footer is not None and footer.reason == "panic":
                text = ended_text("panic", footer.detail)
                yield {"subject": subject.name, "reason": "panic", "text": text, "folder": str(journal.parent)}

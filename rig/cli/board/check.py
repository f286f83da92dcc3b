"""``rig board check``: what is wrong with computer, port and board, and every input and output of a rig."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from rich.text import Text

from rig.boards.driver_lookup import find_driver
from rig.cli import common
from rig.cli.board.terminal_operator import TerminalOperator, run_io_test
from rig.cli.subject_names import known_subject
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.prompt import is_interactive
from rig.cli.terminal.screen_layout import box
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics.findings import host_findings
from rig.diagnostics.host_system import HostSystem
from rig.diagnostics.io_test import AutoOperator, ChannelResult
from rig.records.subject.deliveries import record_manual_delivery
from rig.session.spec.build import load_rig_spec
from rig.system.settings import load_settings
from rig.system.settings_text import settings_texts
from rig.system.statuses import NO_HARDWARE, OK, STOPPED
from rig.terminal.console import SafeConsole

_STYLES = {
    "setting": "dim",
    "ok": "green",
    "warning": "yellow",
    "error": "bold red",
    "unavailable": "dim",
    "skipped": "yellow",
}


def run(arguments: argparse.Namespace) -> int:
    """Check computer, port, board and channels, and print the results."""
    plan = None if arguments.rig is None else _plan(arguments)
    driver = None if plan is None else find_driver(plan.board.driver)
    needs_hardware = driver is None or driver.needs_hardware
    findings = host_findings(plan, arguments.port, HostSystem()) if needs_hardware else []
    settings = load_settings()
    if not arguments.json:
        _print((what, "setting", text, "") for what, text in settings_texts(settings))
        _print((finding.what, finding.verdict, finding.text, finding.fix) for finding in findings)
    if arguments.subject is not None and (driver is None or driver.records != "real"):
        raise ConfigError("--subject: an animal is given something on a real rig alone: name it with --rig")
    channels: list[ChannelResult] | None = []
    if plan is not None and driver is not None and not _bad(finding.verdict for finding in findings):
        watched = driver.operator == "person"
        if watched and not is_interactive():
            raise ConfigError("there is no terminal at which a person could watch the rig: leave --rig out")
        channels = run_io_test(plan, _operator(arguments) if watched else AutoOperator())
    if channels is None:
        print("stopped: everything is off", file=sys.stderr)
        return STOPPED
    if arguments.json:
        found: dict[str, object] = {"settings": asdict(settings)}
        found |= {"findings": [asdict(each) for each in findings], "channels": [asdict(each) for each in channels]}
        print_json(found)
    else:
        _print((each.channel, each.result, each.text, "") for each in channels)
    wrong = _bad([*(finding.verdict for finding in findings), *(each.result for each in channels)])
    return NO_HARDWARE if wrong else OK


class _RecordingOperator(TerminalOperator):
    """A technician with an animal in the rig: what it is given counts for its day, and is written down beforehand."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def note_delivery(self, amount: Amount) -> None:
        """Write it down. Raises ``RecordError``: then nothing is opened."""
        record_manual_delivery(self._folder, amount, common.experimenter(None), "rig board check", common.now())


def _operator(arguments: argparse.Namespace) -> TerminalOperator:
    if arguments.subject is None:
        box(
            "No animal may be in the rig: what is given now counts for no subject. With one in it: --subject NAME",
            sys.stderr,
        )
        return TerminalOperator()
    return _RecordingOperator(known_subject(arguments).folder)


def _bad(verdicts: Iterable[str]) -> bool:
    return "error" in verdicts


def _plan(arguments: argparse.Namespace) -> RigSpec:
    plan = load_rig_spec(arguments.rig, arguments.board)
    return plan if arguments.port is None else replace(plan, board=replace(plan.board, port=arguments.port))


# --- how it is printed ------------------------------------------------------------------------------------------


def _print(rows: Iterable[tuple[str, str, str, str]]) -> None:
    console = SafeConsole()
    for what, verdict, text, fix in rows:
        console.print(Text.assemble((f"{verdict:8}", _STYLES[verdict]), "  ", (what, "bold"), ": ", text))
        if fix:
            console.print(Text(f"{'':10}{fix}"), soft_wrap=True)  # in one piece, so that it can be copied

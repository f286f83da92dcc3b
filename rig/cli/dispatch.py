"""Running the command that was asked for, so that neither a stop nor a closed terminal hides how it ended."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from rig.system.signals import ignore_signals, interruptible
from rig.system.statuses import STOPPED
from rig.terminal.output import SafeStreams

_FOLDERS = {"board": "rig.cli.board.board", "show": "rig.cli.show.show"}
"""The commands that have commands of their own."""


def module_of(command: str) -> str:
    """Return the module whose ``run`` is a command."""
    return _FOLDERS.get(command, f"rig.cli.commands.{command.replace('-', '_')}")


def dispatch(arguments: argparse.Namespace, *, last: bool) -> int:
    """Run a command and return its exit status; ``last`` says that the program ends with it."""
    with SafeStreams() as outputs:
        try:
            with interruptible() as stops:
                with stops.held():  # Python forgets what interrupts an import
                    from rig.cli.error_handling import flush_output, run_guarded

                    command = import_module(module_of(arguments.command))
                return flush_output(run_guarded(lambda: int(command.run(arguments))), outputs.out)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return STOPPED
        finally:
            if last:
                ignore_signals()

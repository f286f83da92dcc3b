"""Running the command that was asked for, so that neither a stop nor a closed terminal hides how it ended."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from rig.signals import deaf, interruptible
from rig.status import STOPPED
from rig.terminal.output import Outputs


def run_command(arguments: argparse.Namespace, *, last: bool) -> int:
    """Run a command and return its exit status; ``last`` says that the program ends with it."""
    with Outputs() as outputs:
        try:
            with interruptible() as stops:
                with stops.held():  # Python forgets what interrupts an import
                    from rig.cli.mistakes import guarded, printed

                    command = import_module(f"rig.cli.{arguments.command.replace('-', '_')}")
                return printed(guarded(lambda: int(command.run(arguments))), outputs.out)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return STOPPED
        finally:
            if last:
                deaf()

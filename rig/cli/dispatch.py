"""Run the requested command; a stop signal or a closed terminal does not hide its exit status."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from rig.system.signals import ignore_signals, interruptible
from rig.system.statuses import STOPPED
from rig.terminal.output import SafeStreams


def dispatch(arguments: argparse.Namespace, module: str, *, last: bool) -> int:
    """Run the command of a module and return its exit status; with ``last`` the program ends after it."""
    with SafeStreams() as outputs:
        try:
            with interruptible() as stops:
                with stops.deferred():  # an interrupted import leaves a half-built module behind
                    from rig.cli.default_rig import with_rig_of_box
                    from rig.cli.error_handling import flush_output, run_guarded

                    command = import_module(module)
                return flush_output(run_guarded(lambda: int(command.run(with_rig_of_box(arguments)))), outputs.out)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return STOPPED
        finally:
            if last:
                ignore_signals()

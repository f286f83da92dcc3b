"""Run a command, and convert its errors into messages and an exit status; a technician sees no traceback."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib import import_module

from rig.core.errors import BoardError, CalibrationError, ConfigError, RecordError, RigError
from rig.system.atomic_files import os_error_text
from rig.system.garbage import rare_collections
from rig.system.signals import ignore_signals, interruptible
from rig.system.statuses import FAILED, NO_HARDWARE, OK, STOPPED, WRONG_INPUT
from rig.terminal.output import SafeOutput, SafeStreams


def dispatch(arguments: argparse.Namespace, *, last: bool) -> int:
    """Run the function that the command's parser names; return its exit status. With ``last`` the program ends."""
    module, _, function = arguments.run.partition(":")
    # What a command makes stays until its end: its modules, its specification, the lines that it reads.
    with rare_collections(), SafeStreams() as outputs:
        try:
            with interruptible() as stops:
                with stops.deferred():  # an interrupted import leaves a half-built module behind
                    from rig.cli.default_rig import with_rig_of_box

                    command = getattr(import_module(module), function)
                return flush_output(run_guarded(lambda: int(command(with_rig_of_box(arguments)))), outputs.out)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return STOPPED
        finally:
            if last:
                ignore_signals()


_STATUS: tuple[tuple[type[RigError], int], ...] = (
    (ConfigError, WRONG_INPUT),
    (CalibrationError, WRONG_INPUT),
    (RecordError, WRONG_INPUT),
    (BoardError, NO_HARDWARE),
    (RigError, FAILED),
)


def run_guarded(command: Callable[[], int]) -> int:
    """Run a command; print its errors and return an exit status."""
    try:
        _ensure_cwd()
        return command()
    except RigError as error:
        print(*error.lines, sep="\n", file=sys.stderr)
        return next(status for kind, status in _STATUS if isinstance(error, kind))
    except Exception as error:  # a defect of this program: the traceback goes to a file
        if isinstance(error, OSError) and error.filename is not None:  # the system refused access to a file
            print(f"{error.filename}: cannot be used: {os_error_text(error)}", file=sys.stderr)
            return WRONG_INPUT
        print(f"rig has failed: {type(error).__name__}: {error}", _details(), sep="\n", file=sys.stderr)
        return FAILED


def flush_output(status: int, out: SafeOutput) -> int:
    """Write the remaining output; return ``FAILED`` instead of success when it could not be written."""
    out.flush()
    if out.failure is None or status != OK:
        return status
    if not isinstance(out.failure, BrokenPipeError):  # the reader closed the pipe, as `| head` does
        print(f"rig: the output could not be printed: {out.failure.strerror}", file=sys.stderr)
    return FAILED


def _ensure_cwd() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise ConfigError(
            f"the folder that rig was started in is not there any more ({error.strerror}): cd to another one"
        ) from None


def _details() -> str:
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="rig-error-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            traceback.print_exc(file=file)
    except OSError as error:
        return f"The details could not be kept: {error.strerror}"
    return f"The details are in {file.name}"

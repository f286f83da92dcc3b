"""From errors to exit statuses: no traceback reaches a technician."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable

from rig.cli.status import FAILED, NO_HARDWARE, STOPPED, WRONG_INPUT
from rig.core.errors import BoardError, CalibrationError, ConfigError, RecordError, RigError

_STATUS: tuple[tuple[type[RigError], int], ...] = (
    (ConfigError, WRONG_INPUT),
    (CalibrationError, WRONG_INPUT),
    (RecordError, WRONG_INPUT),
    (BoardError, NO_HARDWARE),
    (RigError, FAILED),
)


def guarded(command: Callable[[], int]) -> int:
    """Run a command and say its errors in words."""
    try:
        status = command()
        if sys.stdout is not None:  # a terminal that was closed
            sys.stdout.flush()  # here, where a reader that has gone is no traceback
        return status
    except RigError as error:
        print(f"{error}", file=sys.stderr)
        return next(status for kind, status in _STATUS if isinstance(error, kind))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # the reader of our output has gone, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:  # our own mistake: say where the details are, do not show them
        print(f"rig has failed: {type(error).__name__}: {error}\nThe details are in {_details()}", file=sys.stderr)
        return FAILED


def _details() -> str:
    with tempfile.NamedTemporaryFile("w", prefix="rig-error-", suffix=".txt", delete=False, encoding="utf-8") as file:
        traceback.print_exc(file=file)
    return file.name

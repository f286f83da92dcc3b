"""Start the window's process: what it is asked for, and why it cannot be shown on this computer. Imports no Qt."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec

from rig.core.errors import ConfigError
from rig.platform.system import has_display

NEEDED = ("pyqtgraph", "PySide6")
INSTALL = "pip install 'behavior-rig[gui]'"


@dataclass(frozen=True)
class WindowRequest:
    """The sessions to show: named journals, or the boxes of a data folder, or else all that run.

    With ``boxes_file``, as a person has named it, the launcher of its boxes is shown; ``options`` are further words of
    its commands.
    """

    journals: Sequence[str] = ()
    boxes_data: str = ""
    boxes: Sequence[str] = ()
    boxes_file: str = ""
    options: Sequence[str] = ()
    experimenter: str = ""
    theme: str = "system"

    @classmethod
    def parse(cls, text: str) -> WindowRequest:
        """Parse what `command` wrote."""
        return cls(**json.loads(text))

    def command(self) -> list[str]:
        """Return the command of the process."""
        return [sys.executable, "-P", "-m", "rig.window", json.dumps(asdict(self))]


def check_window() -> None:
    """Check that a window can be shown here. Raises ``ConfigError`` that says what to install or to set."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ConfigError(f"the window needs {' and '.join(missing)}: {INSTALL}")
    if not has_display():
        raise ConfigError(
            "this terminal has no display: start the window on the computer's own desktop, or over ssh with `ssh -X`"
        )

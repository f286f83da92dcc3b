"""The folders that a system gives a user; asked at every press of the tab key, so that it imports next to nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

if sys.platform == "win32":

    def config_folder() -> str:
        """Return the folder of the user's own settings, those of all programs."""
        return os.environ.get("APPDATA") or os.path.expanduser("~")

    def runtime_folders(scratch: str | None) -> Iterator[str]:
        """Yield the folders for what lasts as long as a program, the preferred one first."""
        yield os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local"), "rig")
else:

    def config_folder() -> str:
        """Return the folder of the user's own settings, those of all programs."""
        return os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")

    def runtime_folders(scratch: str | None) -> Iterator[str]:
        """Yield the folders for what lasts as long as a program, the preferred one first.

        ``scratch`` is the folder of temporary files, if there is one.
        """
        user = os.geteuid()
        if session := os.environ.get("XDG_RUNTIME_DIR"):
            yield os.path.join(session, "rig")
        # A session that cron or ssh started may lack the variable of the desktop.
        yield f"/run/user/{user}/rig"
        if scratch is not None:
            yield os.path.join(scratch, f"rig-{user}")
        yield f"/tmp/rig-{user}"

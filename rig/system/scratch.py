"""The folder in which this program keeps temporary files."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rig.core.errors import ConfigError


def scratch_place() -> Path:
    """Return the system's folder for temporary files. Raises ``ConfigError`` if none can be used."""
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:  # it is looked for once, by writing a file to each of several
        raise ConfigError(
            f"{error.strerror}: wanted one that you may write in, with some space; the variable TMPDIR names another"
        ) from None

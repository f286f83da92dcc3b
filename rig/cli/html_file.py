"""The option ``--to`` of commands that write a page."""

from __future__ import annotations

from pathlib import Path

from rig.core.errors import ConfigError


def check_html_file(path: str) -> None:
    """Check that a page may be written there. Raises ``ConfigError``."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        # A name that was completed one word too far must not replace a journal.
        raise ConfigError(f"--to {path}: a report is an HTML file: wanted a name that ends in .html")
    if not Path(path).absolute().parent.is_dir():
        raise ConfigError(f"--to {path}: there is no folder {Path(path).parent}")

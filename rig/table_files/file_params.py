"""Parameters that are written as the name of a file and stored as what it holds, so that a replay needs no file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationInfo

RECORDED: Mapping[str, bool] = {"recorded": True}
"""The context in which the parameters of a journal's header are validated: they name no file that is then read."""


def check_not_recorded(info: ValidationInfo, what: str) -> None:
    """Check that a file's name does not come from a journal. Raises ``ValueError``."""
    if info.context == RECORDED:
        raise ValueError(f"a journal names a file: wanted the {what} themselves, and no file is read")


def named_file(name: str | Path) -> Path:
    """Return the path of a file that a person named; ``~`` is a home folder. Raises ``ValueError``."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ValueError(f"{name}: there is no such home folder: wanted the path of a file") from None

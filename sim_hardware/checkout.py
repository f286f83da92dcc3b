"""Find the folders of a checkout that the wheel does not have."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1]
_ONLY_IN_CHECKOUTS = "sim_hardware/avr/shim"


def checkout_folder(name: str) -> Path:
    """Return the path of a folder in the checkout: this program's, or else that of the working directory.

    A copy of the program, as pip installs it, has no checkout; the folder may then be missing.
    """
    root = PROGRAM
    if not (root / _ONLY_IN_CHECKOUTS).is_dir():
        with suppress(OSError):  # the working directory may have been removed
            here = Path.cwd()
            root = next((up for up in (here, *here.parents) if (up / _ONLY_IN_CHECKOUTS).is_dir()), root)
    return root / name

"""Find the folders of a checkout that the wheel does not have."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

PROGRAM = Path(__file__).resolve().parents[1]
_ONLY_IN_CHECKOUTS = "sim_hardware/avr/shim"


def checkout_folder(name: str) -> Path:
    """Return the path of a folder in the checkout: this program's, or else that from which pip has copied it.

    A copy without a checkout may lack the folder. The working directory is not searched: its files, which may come from
    anywhere, would be compiled and run.
    """
    root = next((root for root in (PROGRAM, _copied_from()) if (root / _ONLY_IN_CHECKOUTS).is_dir()), PROGRAM)
    return root / name


def _copied_from() -> Path:
    """Return the folder that pip has noted as the source of this copy (PEP 610); `PROGRAM` if it was another one."""
    try:
        noted = json.loads(distribution("behavior-rig").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return PROGRAM
    return Path(url2pathname(urlsplit(noted["url"]).path)) if "dir_info" in noted else PROGRAM

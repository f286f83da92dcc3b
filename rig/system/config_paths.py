"""Where configuration files lie; asked at every press of the tab key, so that it imports next to nothing."""

from __future__ import annotations

import os
import sys
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["protocols", "curricula", "rigs", "calibrations", "boxes", "studies"]
KINDS: tuple[Kind, ...] = get_args(Kind)

SIMULATED = "sim"
"""Below the folder of all records: where sessions lie in which there was no subject."""

REPORTS = "reports"
"""Below the folder of all records: where reports of subjects and days lie."""

STUDIES = "studies"
"""Below the folder of all records: where tables and pages of studies lie."""

NO_SUBJECTS = (SIMULATED, REPORTS, STUDIES)
"""Folders among those of the subjects that belong to none."""

LOCAL_CONFIGS = "configs"
"""A laboratory's own configurations, below the folder in which a person stands."""

SETTINGS = "rig.toml"
"""The file of a computer's own settings, here or in the user's configuration folder."""


def shipped_folder() -> str:
    """Return the folder of our own configurations: inside the wheel, or beside the package in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "_configs")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), LOCAL_CONFIGS)


def folders(kind: str, near: tuple[str, ...] = ()) -> list[str]:
    """Return the folders in which a name of a kind is looked up, first ones first; ``near`` go before all."""
    return [os.path.join(root, kind) for root in dict.fromkeys((*near, LOCAL_CONFIGS, shipped_folder()))]


def names(kind: str, near: tuple[str, ...] = ()) -> list[str]:
    """Return the names of a kind of configuration, sorted."""
    found = (file for folder in folders(kind, near) for file in yaml_files(folder))
    return sorted({file.removesuffix(".yaml") for file in found if file.endswith(".yaml")})


def yaml_files(folder: str) -> list[str]:
    """Return the names of the YAML files of a folder; a folder that cannot be read holds none."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith((".yaml", ".yml")))
    except OSError:
        return []


def user_settings() -> str:
    """Return the path of the user's own settings."""
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA") or os.path.expanduser("~")
    else:
        folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "rig", SETTINGS)

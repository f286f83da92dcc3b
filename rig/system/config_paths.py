"""Where configuration files lie; asked at every press of the tab key, so that it imports next to nothing."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from rig.platform.folders import config_folder
from rig.system.entry_point_texts import entry_point_texts

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

PACKAGES = "rig.configs"
"""The group of entry points by which an installed package says that it has a folder ``configs``."""

SETTINGS = "rig.toml"
"""The file of a computer's own settings, here or in the user's configuration folder."""


def shipped_folder() -> str:
    """Return the folder of our own configurations: inside the wheel, or beside the package in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "_configs")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), LOCAL_CONFIGS)


def package_folders() -> dict[str, str]:
    """Return the folder of configurations of each installed package that has one, by its name; none is imported."""
    return _package_folders(tuple(sys.path))


def packages() -> list[str]:
    """Return the names of the installed packages that say that they have such a folder, sorted."""
    return sorted({package for _, package in entry_point_texts(PACKAGES, tuple(sys.path))})


@lru_cache
def _package_folders(path: tuple[str, ...]) -> dict[str, str]:
    candidates = ((package, os.path.join(home, LOCAL_CONFIGS)) for package in packages() for home in _homes(package))
    return {package: folder for package, folder in candidates if os.path.isdir(folder)}


def _homes(package: str) -> list[str]:
    """Return the folders of a package; none of one that is not there."""
    from importlib.util import find_spec  # only a laboratory with a package waits for it

    top, *inner = package.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return []
    return [os.path.join(home, *inner) for home in (spec and spec.submodule_search_locations) or ()]


def folders(kind: str, near: tuple[str, ...] = ()) -> list[str]:
    """Return the folders in which a name of a kind is looked up, first ones first."""
    return [folder for layer in layers(kind, near) for folder in layer]


def layers(kind: str, near: tuple[str, ...] = ()) -> list[list[str]]:
    """Return the folders in which a name of a kind is looked up; those of installed packages have the same rank.

    ``near`` go before all; but those inside a package come after the laboratory's own, which replace its files.
    """
    packaged = list(package_folders().values())
    own = dict.fromkeys((*(root for root in near if root not in packaged), LOCAL_CONFIGS))
    near_packages = dict.fromkeys(root for root in near if root in packaged)
    ranks = [*([root] for root in (*own, *near_packages)), packaged, [shipped_folder()]]
    return [[os.path.join(root, kind) for root in rank] for rank in ranks]


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
    return os.path.join(config_folder(), "rig", SETTINGS)

"""Packages that count as installed, without a build: a folder of the search path, with entry points."""

import shutil
import tomllib
from pathlib import Path

from tests.repository import ROOT

EXAMPLE = ROOT / "docs" / "recipes" / "package"


def write_dist_info(site: Path, name: str, entry_points: dict[str, dict[str, str]]) -> None:
    """Write what an installer writes of a distribution: its name, its version and its entry points."""
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = (
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()) for group, points in entry_points.items()
    )
    (about / "entry_points.txt").write_text("\n".join(groups))


def write_config_package(site: Path, package: str, files: dict[str, str]) -> Path:
    """Write a package with configurations that fails when it is imported; return the folder of these."""
    write_dist_info(site, package, {"rig.configs": {"any": package}})
    configs = site / package / "configs"
    (site / package).mkdir()
    (site / package / "__init__.py").write_text("raise RuntimeError('imported')\n")
    for name, text in files.items():
        (configs / name).parent.mkdir(parents=True, exist_ok=True)
        (configs / name).write_text(text)
    return configs


def install_example(site: Path) -> None:
    """Install the example package of the recipes."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    write_dist_info(site, project["name"], project["entry-points"])
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(EXAMPLE / "example_lab", site / "example_lab", ignore=ignored)

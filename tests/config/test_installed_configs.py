"""Configuration files of installed packages, found by name."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.config import files, find, load_config, names
from rig.config.find import find_calibration, replaced_file, resolve_extends
from rig.system import config_paths
from tests.installed_package import write_config_package, write_dist_info

Write = Callable[..., Path]
Mistakes = Callable[..., list[str]]


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages on the search path, and an empty folder of shipped files."""
    folder, shipped = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("shipped")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(config_paths, "shipped_folder", lambda: str(shipped))
    return folder


def test_a_name_is_found_in_the_laboratorys_folder_then_in_a_package_then_among_ours(site: Path, write: Write) -> None:
    shipped = Path(config_paths.shipped_folder(), "rigs")
    shipped.mkdir()
    for name in ("box.yaml", "desk.yaml"):
        (shipped / name).touch()
    packaged = write_config_package(site, "a_lab", {"rigs/box.yaml": "", "rigs/hall.yaml": ""})
    own = write("", "configs/rigs/hall.yaml")
    assert find("rigs", "desk") == shipped / "desk.yaml"
    assert find("rigs", "box") == packaged / "rigs" / "box.yaml"
    assert find("rigs", "hall") == own
    assert find("rigs", "hall", [packaged]) == own
    assert "a_lab" not in sys.modules


def test_a_file_of_a_package_names_files_of_its_own_package_first(site: Path) -> None:
    ours = write_config_package(site, "a_lab", {"rigs/box.yaml": ""})
    write_config_package(site, "b_lab", {"rigs/box.yaml": ""})
    assert find("rigs", "box", [ours]) == ours / "rigs" / "box.yaml"


def test_a_name_in_two_packages_is_refused_with_both_paths(site: Path, write: Write, mistakes: Mistakes) -> None:
    for package in ("a_lab", "b_lab"):
        write_config_package(site, package, {"protocols/go.yaml": "", "calibrations/left_2026-11-24.yaml": ""})
    first, second = (site / package / "configs" / "protocols" / "go.yaml" for package in ("a_lab", "b_lab"))
    assert mistakes(find, "protocols", "go") == [
        f"several installed packages have a protocol 'go': {first} and {second}; give the path of one of them"
    ]
    assert "several installed packages have a calibration 'left'" in mistakes(find_calibration, "left")[0]
    assert names("protocols") == ["go"]
    assert list(files("protocols")) == [("go", first), ("go", second)]
    write("extends: go.yaml\n", "mine.yaml")
    assert mistakes(load_config, Path("mine.yaml"))[0].startswith("mine.yaml:1: extends: several installed packages")
    own = write("", "configs/protocols/go.yaml")
    assert find("protocols", "go") == own


def test_a_file_extends_one_of_a_package(site: Path) -> None:
    packaged = write_config_package(site, "a_lab", {"rigs/box.yaml": "boards: {}\n"})
    assert resolve_extends(Path("configs/rigs"), "box.yaml") == packaged / "rigs" / "box.yaml"


def test_a_replaced_file_says_whose_it_is(site: Path, write: Write) -> None:
    packaged = write_config_package(site, "a_lab", {"rigs/box.yaml": ""}) / "rigs" / "box.yaml"
    assert replaced_file(packaged) is None
    assert replaced_file(write("", "configs/rigs/box.yaml")) == ("rigs", "that of a_lab")
    shipped = Path(config_paths.shipped_folder(), "rigs", "box.yaml")
    shipped.parent.mkdir()
    shipped.touch()
    assert replaced_file(packaged) == ("rigs", "the shipped one")
    assert replaced_file(shipped) is None


def test_a_package_without_the_folder_is_named(site: Path, mistakes: Mistakes) -> None:
    write_dist_info(site, "c-lab", {"rig.configs": {"c": "c_lab.inner"}})
    assert mistakes(find, "rigs", "box")[0].endswith("; no folder 'configs' is in the installed c_lab.inner")
    assert names("rigs") == []

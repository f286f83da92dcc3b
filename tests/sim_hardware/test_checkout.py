"""Where a program finds the folders that only a checkout has."""

import json
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from sim_hardware import checkout
from sim_hardware.checkout import checkout_folder


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A checkout, which is the working directory; the program is a copy elsewhere."""
    (tmp_path / "my rig" / "sim_hardware" / "avr" / "shim").mkdir(parents=True)
    monkeypatch.setattr(checkout, "PROGRAM", tmp_path / "site-packages")
    monkeypatch.chdir(tmp_path / "my rig")
    return tmp_path / "my rig"


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, note: object) -> None:
    """Make pip write down the folder from which it installs the program."""
    folder.mkdir(exist_ok=True)
    (folder / "direct_url.json").write_text(json.dumps(note))
    monkeypatch.setattr(checkout, "distribution", lambda name: PathDistribution(folder))


def test_a_checkout_finds_its_own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert (checkout_folder("firmware") / "Makefile").is_file()


def test_a_copy_finds_those_of_the_checkout_that_it_was_copied_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rig: Path
) -> None:
    install(monkeypatch, tmp_path / "info", {"url": rig.as_uri(), "dir_info": {}})
    monkeypatch.chdir(tmp_path)
    assert checkout_folder("firmware") == rig / "firmware"


def test_a_copy_whose_checkout_is_gone_keeps_to_its_own_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rig: Path
) -> None:
    install(monkeypatch, tmp_path / "info", {"url": (tmp_path / "gone").as_uri(), "dir_info": {}})
    assert checkout_folder("firmware") == tmp_path / "site-packages" / "firmware"


def test_a_wheel_runs_no_code_of_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rig: Path
) -> None:
    """A folder of records from elsewhere may hold files with the names of a checkout's."""
    install(monkeypatch, tmp_path / "info", {"url": "https://host/behavior_rig.whl", "archive_info": {}})
    assert checkout_folder("sim_hardware/avr8js/node") == tmp_path / "site-packages" / "sim_hardware/avr8js/node"

"""Where a program finds the folders that only a checkout has."""

from pathlib import Path

import pytest

from sim_hardware import checkout
from sim_hardware.checkout import checkout_folder


def test_a_checkout_finds_its_own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert (checkout_folder("firmware") / "Makefile").is_file()


def test_a_copy_that_pip_installed_finds_those_of_the_checkout_around_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checkout, "PROGRAM", tmp_path / "site-packages")
    (tmp_path / "rig" / "sim_hardware" / "avr" / "shim").mkdir(parents=True)
    (tmp_path / "rig" / "docs").mkdir()
    monkeypatch.chdir(tmp_path / "rig" / "docs")
    assert checkout_folder("firmware") == tmp_path / "rig" / "firmware"
    monkeypatch.chdir(tmp_path)
    assert checkout_folder("firmware") == tmp_path / "site-packages" / "firmware"

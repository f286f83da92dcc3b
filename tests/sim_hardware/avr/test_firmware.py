"""The firmware for a simulated chip: what is missing is named, with the driver that needs it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from sim_hardware.avr import firmware as module
from sim_hardware.avr.firmware import firmware, firmware_image

BOTH = [(firmware, "uno", "avr", "gcc-avr"), (firmware_image, "pico-uart", "pico", "gcc-arm-none-eabi")]


@pytest.mark.parametrize(("build", "image", "driver", "package"), BOTH)
def test_a_wheel_has_no_sources_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, build: Callable[[str], Path], image: str, driver: str, package: str
) -> None:
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    with pytest.raises(ConfigError, match=f"^--board {driver}: the firmware's sources are not part of the wheel"):
        build(image)


@pytest.mark.parametrize(("build", "image", "driver", "package"), BOTH)
def test_without_a_compiler_the_error_names_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, build: Callable[[str], Path], image: str, driver: str, package: str
) -> None:
    (tmp_path / "Makefile").touch()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match=rf"^--board {driver}: the compiler .* is not installed\..*{package}"):
        build(image)


@pytest.mark.parametrize(("build", "image", "driver", "package"), BOTH)
def test_sources_that_do_not_build_say_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, build: Callable[[str], Path], image: str, driver: str, package: str
) -> None:
    (tmp_path / "Makefile").write_text(f"{image}:\n\t@echo broken source >&2; false\n")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda tool: tool)
    with pytest.raises(ConfigError, match=rf"(?s)^--board {driver}: the firmware does not build.*{package}.*broken"):
        build(image)

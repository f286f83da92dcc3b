"""Small programs on both simulators."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.boards.chips import AVRS
from sim_hardware.avr.chip import AvrChip
from sim_hardware.avr8js.chip import Avr8jsChip
from tests.avr_tools import compile_program, need_avr8js

FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "avr")


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr8js()


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Compile the programs beside this file, and those of the other simulator's tests, each once."""
    folder = tmp_path_factory.mktemp("programs")
    made: dict[tuple[str, str], Path] = {}

    def program(name: str, mcu: str) -> Path:
        if (name, mcu) not in made:
            (source,) = [path for each in FOLDERS if (path := each / f"{name}.c").exists()]
            elf = made[name, mcu] = compile_program(source, folder, mcu)
            image = str(elf.with_suffix(".hex"))
            subprocess.run(["avr-objcopy", "-O", "ihex", "-R", ".eeprom", str(elf), image], check=True)
        return made[name, mcu]

    return program


@pytest.fixture
def power(programs: Callable[[str, str], Path]) -> Callable[..., Avr8jsChip]:
    """Switch on a chip of avr8js with a program on it."""

    def power(name: str, kind: str = "uno", **settings: Any) -> Avr8jsChip:
        return Avr8jsChip(kind, [programs(name, AVRS[kind].mcu).with_suffix(".hex")], **settings)

    return power


@pytest.fixture
def power_simavr(programs: Callable[[str, str], Path]) -> Callable[..., AvrChip]:
    """Switch on a chip of libsimavr with a program on it."""

    def power(name: str, kind: str = "uno", **settings: Any) -> AvrChip:
        return AvrChip(kind, programs(name, AVRS[kind].mcu), **settings)

    return power

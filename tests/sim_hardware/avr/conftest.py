"""Small programs on a simulated chip."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.boards.chips import AVRS
from sim_hardware.avr.chip import AvrChip
from tests.avr_tools import compile_program, need_avr_tools

Power = Callable[..., AvrChip]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Compile the programs beside this file, each once."""
    folder = tmp_path_factory.mktemp("programs")
    made: dict[tuple[str, str], Path] = {}

    def program(name: str, mcu: str) -> Path:
        if (name, mcu) not in made:
            made[name, mcu] = compile_program(Path(__file__).with_name(f"{name}.c"), folder, mcu)
        return made[name, mcu]

    return program


@pytest.fixture
def power(programs: Callable[[str, str], Path]) -> Power:
    """Switch on a chip with a program on it."""

    def power(name: str, kind: str = "uno", **settings: int) -> AvrChip:
        return AvrChip(kind, programs(name, AVRS[kind].mcu), **settings)

    return power


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()

"""What the tests need that run programs on a simulated chip: in CI it must be there, elsewhere they are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from rig.boards.chips import AVRS
from rig.core.errors import ConfigError
from sim_hardware.avr.build import missing, shim
from sim_hardware.avr8js.node_process import missing as missing_for_avr8js
from sim_hardware.avr8js.node_process import missing_for_pico


def need_avr_tools() -> None:
    """Skip the test where the compilers or libsimavr are absent; fail it in CI."""
    _need(_absent())


def _need(why: str | None) -> None:
    if why is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def need_node() -> None:
    """Skip the test where no simulator under node runs; fail it in CI."""
    _need(missing_for_avr8js())


def need_avr8js() -> None:
    """Skip the test where node or the compilers for AVR are absent; fail it in CI."""
    need_avr_tools()
    _need(missing_for_avr8js())


def need_pico_tools() -> None:
    """Skip the test where node, its packages or the compiler for a Pico are absent; fail it in CI."""
    compiler = "arm-none-eabi-g++"
    _need(f"{compiler} is not installed" if shutil.which(compiler) is None else missing_for_pico())


def need_tools_of(kind: str) -> None:
    """Skip the test where what simulates a kind of chip is absent; fail it in CI."""
    (need_avr_tools if kind in AVRS else need_pico_tools)()


@cache
def _absent() -> str | None:
    try:
        if shutil.which("avr-gcc") is None:
            raise missing("avr-gcc")
        shim()
    except ConfigError as error:
        return str(error)
    return None


def compile_program(source: Path, folder: Path, mcu: str = "atmega328p", *more: str) -> Path:
    """Compile a program of one C file for a bare chip."""
    elf = folder / f"{source.stem}-{mcu}.elf"
    flags = ["-Os", "-std=gnu11", "-Wall", "-Werror", f"-mmcu={mcu}", "-DF_CPU=16000000UL", *more]
    subprocess.run(["avr-gcc", *flags, str(source), "-o", str(elf)], check=True)
    return elf

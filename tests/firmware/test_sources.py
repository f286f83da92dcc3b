"""The sources of the firmware pass a second compiler, clang-tidy and clang-format, and build as a sketch."""

import re
import shutil
from pathlib import Path

import pytest

from tests.avr_tools import need_avr_tools
from tests.firmware.tools import FIRMWARE, make, needs, run_make

COPIED = ("Makefile", "tools.mk", "size.sh", "clang.h", ".clang-format", ".clang-tidy")
TREE = {
    "firmware.ino": "void setup() {}\nvoid loop() {}\n",
    "core/clock.h": "#pragma once\n\n#include <stdint.h>\n\nuint16_t half(uint16_t time);\n",
    "core/clock.cpp": '#include "clock.h"\n\nuint16_t half(uint16_t time) { return time / 2; }\n',
    "targets/avr/pins.cpp": """\
#include <Arduino.h>
#include <avr/interrupt.h>
#include <avr/wdt.h>

const uint8_t PINS[] PROGMEM = {2, 3};

ISR(WDT_vect) {
  wdt_reset();
  PORTB = pgm_read_byte(PINS);
}
""",
    "targets/host/pins.cpp": "int pins() { return 2; }\n",
    "test/main.cpp": '#include "clock.h"\n\nint main() { return half(1); }\n',
}
FAULTS = {
    "clang-uno": ("targets/avr/pins.cpp", "void unused() { int left = 1; }\n", "unused variable 'left'"),
    "clang-mega": ("core/clock.cpp", '#pragma GCC optimize("O2")\n', "unknown pragma"),
    "clang-host": ("test/main.cpp", "bool later(unsigned a, int b) { return a > b; }\n", "different signs"),
    "tidy": ("core/clock.h", "inline int next(int n) { return n ? n + 1 : n + 1; }\n", "bugprone-branch-clone"),
    "format-check": ("targets/host/pins.cpp", "int more( ) { return 3; }\n", "clang-format"),
    "arduino-uno": ("targets/avr/pins.cpp", "int half(int) { return missing; }\n", "'missing' was not declared"),
}


@pytest.fixture(autouse=True)
def _tools() -> None:
    needs("make", "clang++", "clang-tidy", "clang-format", "arduino-builder")
    need_avr_tools()


@pytest.mark.parametrize(
    "target",
    [
        "clang-uno",
        "clang-mega",
        "clang-host",
        "tidy",
        "format-check",
        "arduino-uno",
        "arduino-mega",
    ],
)
def test_the_sources_are_read_without_a_warning(target: str, tmp_path: Path) -> None:
    make(target, tmp_path)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a firmware of a few files, with a core, two targets and a test."""
    for name in COPIED:
        shutil.copy(FIRMWARE / name, tmp_path)
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("target", FAULTS)
def test_a_fault_in_any_folder_is_noticed(target: str, tree: Path) -> None:
    make(target, tree / "build", tree)
    name, fault, complaint = FAULTS[target]
    with (tree / name).open("a", encoding="utf-8") as file:
        file.write(fault)
    done = run_make(target, tree / "build", tree)
    assert done.returncode != 0
    assert complaint in re.sub("[‘’]", "'", done.stdout + done.stderr)


def test_format_writes_what_format_check_asks_for(tree: Path) -> None:
    (tree / "core" / "clock.cpp").write_text("int  two(){return 2;}\n", encoding="utf-8")
    make("format", tree / "build", tree)
    make("format-check", tree / "build", tree)
    assert (tree / "core" / "clock.cpp").read_text(encoding="utf-8") == "int two() { return 2; }\n"

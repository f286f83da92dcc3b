"""The comparison of the two boards finds faults in the firmware: each of these is built into a copy, and found."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.avr_tools import need_avr_tools
from tests.contracts.differential import AvrSubject, Record, SimSubject, Step, play
from tests.contracts.differential_scripts import (
    LATE_START,
    STOPPED_SEQUENCE,
    WAITING_EDGE,
    assert_alike,
    seeded_fault_scripts,
)
from tests.firmware.tools import FIRMWARE, make

SCRIPTS = 100
LAPS = 20
"""The first script's clock wraps after so many laps of the timer, of 33 ms; each further one's one lap later."""


class Fault(NamedTuple):
    """A function of the firmware, a pattern that matches once in its body, and what takes the place of the match."""

    function: str
    pattern: str
    wrong: str


FAULTS = {
    "no debounce": Fault("inputs.cpp:configure", r"debounce = [^;]+", "debounce = 0"),
    "no confirmation": Fault("inputs.cpp:configure", r"confirm_on = [^;]+", "confirm_on = 0"),
    "no inverted input": Fault("inputs.cpp:configure", r"inverted = [^;]+", "inverted = 0"),
    "a time that runs ahead": Fault("inputs.cpp:horizon", r"return \w+ - 1", "return now + 2 * ticks::PER_MS"),
    "groups without end": Fault("reflexes.cpp:in_time", r"!\w+\.bounded", "true"),
    "arming over newer edges": Fault("reflexes.cpp:arm", r"any_newer\([^)]*\)", "false"),
    "no limit": Fault("outputs.cpp:switch_to", r"if \(\w+\.dangerous\)", "if (false)"),
    "longer than allowed": Fault("outputs.cpp:reason_to_refuse", r"\w+\.dangerous", "false"),
    "no interlock": Fault("outputs.cpp:reason_to_refuse", r"return [^;?]+ \?", "return false ?"),
    "pulses that replace each other": Fault("outputs.cpp:reason_to_refuse", r"if \(\w+\.order\) return [^;]+;", ""),
    "trains one pulse short": Fault(
        "outputs.cpp:on_due", r"--train\.count\)", "train.count -= train.count > 1 ? 2 : 1)"
    ),
    "a start in the past": Fault("scheduler.cpp:start_at", r"return [^;?]+ \? [\w:]+ :", "return"),
    "sequences that do not stop": Fault("scheduler.cpp:perform", r"sequences::stop\([^;]*\);", ""),
    "a lease too long": Fault("lease.cpp:due", r"of_ms\((\w+)\)", r"of_ms(\1 + 10)"),
    "batches executed twice": Fault("batches.cpp:receive", r"== 1\)", "<= 1)"),
    "batches of any epoch": Fault("board.cpp:on_batch", r"\w+\.epoch != \w+ \|\| ", ""),
    "a clock that must not wrap": Fault("ticks.h:before", r"return [^;]+", "return a < b"),
}


def with_fault(sources: Path, fault: Fault) -> tuple[Path, str]:
    """Return the file of the function, and its text with the fault in it."""
    name, function = fault.function.split(":")
    file = sources / "core" / name
    text = file.read_text(encoding="utf-8")
    definitions = re.findall(rf"^[^\n#/;{{}}]*\b{function}\([^;{{}}]*\) \{{(?:[^\n]*\}}$|.*?^\}}$)", text, re.M | re.S)
    assert len(definitions) == 1, f"{name} has {len(definitions)} functions called {function}"
    changed, matches = re.subn(fault.pattern, fault.wrong, definitions[0])
    assert matches == 1, f"{function} in {name} has {matches} places like {fault.pattern}"
    return file, text.replace(definitions[0], changed)


def built(fault: Fault, folder: Path) -> Path:
    """Build the firmware with a fault in it."""
    sources = folder / "firmware"
    shutil.copytree(FIRMWARE, sources, ignore=shutil.ignore_patterns("build"))
    file, text = with_fault(sources, fault)
    file.write_text(text, encoding="utf-8")
    makefile = sources / "Makefile"
    makefile.write_text(makefile.read_text(encoding="utf-8").replace("-Werror", ""), encoding="utf-8")
    make("uno", folder / "build", sources)
    return folder / "build" / "uno.elf"


def noticed(told: list[tuple[list[Step], Record]], elf: Path | None) -> Iterator[str]:
    for place, (script, model) in enumerate(told):
        try:
            assert_alike(model, play(AvrSubject(LAPS + place, elf), script, model))
        except AssertionError as error:
            yield str(error)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_place_in_the_firmware(name: str) -> None:
    file, text = with_fault(FIRMWARE, FAULTS[name])
    assert text != file.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("a time that runs ahead", WAITING_EDGE),
        ("sequences that do not stop", STOPPED_SEQUENCE),
        ("a start in the past", LATE_START),
    ],
)
def test_a_fault_is_noticed_by_the_script_made_for_it(name: str, script: list[Step], tmp_path: Path) -> None:
    need_avr_tools()
    told = [(script, play(SimSubject(), script))]
    assert list(noticed(told, None)) == []
    assert next(noticed(told, built(FAULTS[name], tmp_path)), None) is not None


@pytest.mark.campaign
def test_every_fault_is_noticed_and_the_sound_firmware_passes(tmp_path: Path) -> None:
    need_avr_tools()
    told = [(script, play(SimSubject(), script)) for script in seeded_fault_scripts(SCRIPTS)]
    assert list(noticed(told, None)) == []
    unnoticed = []
    for name, fault in FAULTS.items():
        if next(noticed(told, built(fault, tmp_path / name.replace(" ", "_"))), None) is None:
            unnoticed.append(name)
    assert unnoticed == []

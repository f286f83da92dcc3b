"""The comparison of the two boards would notice a mistake in the firmware: some are built in, and it says so."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.avr_tools import need_avr_tools
from tests.contracts.differential import AvrSubject, Record, SimSubject, Step, play
from tests.contracts.differential_scripts import assert_alike, some_scripts
from tests.firmware.tools import FIRMWARE, make

SCRIPTS = 100
LAPS = 20
"""The first script's clock wraps after so many laps of the timer, of 33 ms; each further one's one lap later."""


class Fault(NamedTuple):
    """A line of the firmware, and what is put in its place."""

    file: str
    right: str
    wrong: str


FAULTS = {
    "no debounce": Fault("inputs.cpp", "input.debounce = order.debounce_us * ticks::PER_US;", "input.debounce = 0;"),
    "no confirmation": Fault("inputs.cpp", "confirm_on = order.confirm_on_us * ticks::PER_US;", "confirm_on = 0;"),
    "no inverted input": Fault("inputs.cpp", "input.inverted = order.flags & wire::INVERTED;", "input.inverted = 0;"),
    "a time that runs ahead": Fault("inputs.cpp", "return now - 1;", "return now + 2 * ticks::PER_MS;"),
    "groups without end": Fault("reflexes.cpp", "(!group.bounded ||", "(true ||"),
    "arming over newer edges": Fault("reflexes.cpp", "if (any_newer(members, head.count, seen))", "if (false)"),
    "no limit": Fault("outputs.cpp", "if (output.dangerous) agenda::set(", "if (false) agenda::set("),
    "longer than allowed": Fault(
        "outputs.cpp", "if (output.dangerous && deed.longest_on", "if (false && deed.longest_on"
    ),
    "no interlock": Fault("outputs.cpp", "return output.exclusive && exclusive_on ?", "return false ?"),
    "pulses that replace each other": Fault("outputs.cpp", "if (output.doing) return wire::REASON_BUSY;", ""),
    "trains one pulse short": Fault("outputs.cpp", "--train.count)", "train.count -= train.count > 1 ? 2 : 1)"),
    "a start in the past": Fault("chip.cpp", "ticks::before(stamp, hal::now()) ? wire::REASON_PAST : ", ""),
    "sequences that do not stop": Fault("chip.cpp", "sequences::stop(deed.body.at.sequence);", ""),
    "a lease too long": Fault("lease.cpp", "ticks::of_ms(length_ms)", "ticks::of_ms(length_ms + 10)"),
    "batches executed twice": Fault(
        "board.cpp", "(batch.number - executed) == 1) {", "(batch.number - executed) <= 1) {"
    ),
    "batches of any epoch": Fault(
        "board.cpp", "if (batch.epoch != epoch || safe.code) return;", "if (safe.code) return;"
    ),
    "a clock that must not wrap": Fault("ticks.h", "static_cast<int32_t>(a - b) < 0", "a < b"),
}


def put(file: Path, right: str, wrong: str) -> None:
    """Put something else in the place of what stands once in a file."""
    text = file.read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{file.name} has no longer, or not only once: {right}"
    file.write_text(text.replace(right, wrong), encoding="utf-8")


def built(fault: Fault, folder: Path) -> Path:
    """Build the firmware with a fault in it."""
    sources = folder / "firmware"
    shutil.copytree(FIRMWARE, sources, ignore=shutil.ignore_patterns("build"))
    put(sources / "src" / fault.file, fault.right, fault.wrong)
    put(sources / "Makefile", " -Werror -c $$s", " -c $$s")
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
    fault = FAULTS[name]
    assert (FIRMWARE / "src" / fault.file).read_text(encoding="utf-8").count(fault.right) == 1


@pytest.mark.campaign
def test_every_fault_is_noticed_and_the_sound_firmware_passes(tmp_path: Path) -> None:
    need_avr_tools()
    told = [(script, play(SimSubject(), script)) for script in some_scripts(SCRIPTS)]
    assert list(noticed(told, None)) == []
    unnoticed = []
    for name, fault in FAULTS.items():
        if next(noticed(told, built(fault, tmp_path / name.replace(" ", "_"))), None) is None:
            unnoticed.append(name)
    assert unnoticed == []

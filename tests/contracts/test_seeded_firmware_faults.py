"""The tests of the firmware find faults in it: each of these is built into a copy, and its judge notices it."""

from pathlib import Path

import pytest

from tests.avr_tools import need_avr_tools, need_tools_of
from tests.contracts.differential import SimSubject, Step, play
from tests.contracts.differential_scripts import LATE_START, STOPPED_SEQUENCE, WAITING_EDGE
from tests.contracts.firmware_faults import FAULTS, Kind, Program, built, with_fault
from tests.contracts.firmware_judges import differences, judge_called
from tests.contracts.noise_laws import Law
from tests.firmware.tools import FIRMWARE

JUDGES = {fault.judge: judge_called(fault.judge) for fault in FAULTS.values()}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_place_in_the_firmware(name: str) -> None:
    file, text = with_fault(FIRMWARE, FAULTS[name])
    assert text != file.read_text(encoding="utf-8")


@pytest.mark.parametrize("law", Law)
def test_a_law_has_a_fault_that_breaks_it(law: Law) -> None:
    assert any(name.startswith(law.name) for name in JUDGES)


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
    assert list(differences(told, Program("uno"))) == []
    assert list(differences(told, built(FAULTS[name], tmp_path))) != []


@pytest.mark.slow
def test_a_fault_of_a_pico_is_noticed(tmp_path: Path) -> None:
    need_tools_of("pico")
    assert_noticed("a Pico's edge of another port", "pico", tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("name", "kind"), dict.fromkeys((fault.judge, kind) for fault in FAULTS.values() for kind in fault.kinds)
)
def test_a_judge_of_faults_finds_nothing_wrong_with_the_firmware(name: str, kind: Kind) -> None:
    need_tools_of(kind)
    assert list(JUDGES[name].findings(Program(kind))) == []


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, fault in FAULTS.items() for kind in fault.kinds])
def test_a_fault_is_noticed_by_its_judge(name: str, kind: Kind, tmp_path: Path) -> None:
    need_tools_of(kind)
    assert_noticed(name, kind, tmp_path)


def assert_noticed(name: str, kind: Kind, folder: Path) -> None:
    fault = FAULTS[name]
    assert next(JUDGES[fault.judge].findings(built(fault, folder, kind)), None) is not None

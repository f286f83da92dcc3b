"""A calibration that was stopped goes on."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig.core.errors import ConfigError
from rig.maintenance.valves.bursts import Burst
from rig.maintenance.valves.curve import Weighing
from rig.maintenance.valves.partial_file import PartialFile

PLAN: dict[str, Any] = {"date": "2026-11-24", "bursts": [[20_000, 100], [40_000, 100], [40_000, 100], [20_000, 100]]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "left.partial.jsonl"


def opened(path: Path, plan: dict[str, Any] = PLAN) -> PartialFile:
    file = PartialFile(path, plan)
    file.open()
    return file


def test_what_was_weighed_is_there_again(path: Path) -> None:
    file = opened(path)
    file.add(0, Burst(20_000, 100), 110.5)
    file.add(1, Burst(40_000, 100), 250)
    assert opened(path).weighings == [Weighing(20_000, 100, 110.5), Weighing(40_000, 100, 250)]


def test_a_weight_that_was_taken_back_is_gone_also_after_a_restart(path: Path) -> None:
    file = opened(path)
    for number, mg in enumerate((110, 250, 18, 112)):
        file.add(number, Burst(*PLAN["bursts"][number]), mg)
    file.undo(2)
    again = opened(path)
    assert again.numbers == [0, 1, 3]
    again.add(2, Burst(40_000, 100), 249)
    last = opened(path)
    assert last.numbers == [0, 1, 3, 2]
    assert [one.mg for one in last.weighings] == [110, 250, 249, 112]


@given(cut=st.integers(0, 450))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_a_file_that_was_cut_anywhere_keeps_its_whole_lines_and_goes_on(path: Path, cut: int) -> None:
    path.unlink(missing_ok=True)
    file = opened(path)
    for number, mg in enumerate((110.5, 211.5, 212.5)):
        file.add(number, Burst(*PLAN["bursts"][number]), mg)
    raw = path.read_bytes()
    path.write_bytes(raw[:cut])
    whole = max(0, raw[:cut].count(b"\n") - 1)
    again = opened(path)
    assert again.weighings == file.weighings[:whole]
    next_burst = Burst(*PLAN["bursts"][whole])
    again.add(whole, next_burst, 120)
    assert opened(path).weighings == [*file.weighings[:whole], Weighing(next_burst.open_us, 100, 120)]


def test_another_plan_is_refused_with_what_differs(path: Path) -> None:
    opened(path).add(0, Burst(20_000, 100), 110)
    with pytest.raises(ConfigError, match="was begun with another date: --restart"):
        opened(path, {**PLAN, "date": "2026-11-25"})


@pytest.mark.parametrize(
    "line",
    [
        "nonsense\n",
        "[1]\n",
        '{"k": "burst", "number": 0, "open_us": 1}\n',
        '{"k": "burst", "number": 0, "open_us": 20000, "pulses": 100, "mg": NaN}\n',
        '{"k": "burst", "number": 0, "open_us": 20000, "pulses": 100, "mg": 1e999}\n',
        '{"k": "burst", "number": 0, "open_us": 20000, "pulses": 100, "mg": -1}\n',
        '{"k": "burst", "number": 0, "open_us": 20000, "pulses": 100, "mg": "110"}\n',
        '{"k": "burst", "number": true, "open_us": 20000, "pulses": 100, "mg": 110}\n',
        '{"k": "burst", "number": 4, "open_us": 20000, "pulses": 100, "mg": 110}\n',
        '{"k": "undo", "number": [0]}\n',
        '{"k": "burst", "number": 0, "open_us": 40000, "pulses": 100, "mg": 110}\n',
        '{"k": "burst", "number": 0, "open_us": 20000, "pulses": 0, "mg": 110}\n',
        2 * '{"k": "burst", "number": 0, "open_us": 20000, "pulses": 100, "mg": 110}\n',
    ],
)
def test_a_damaged_line_is_refused_and_not_passed_over(path: Path, line: str) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"k": "plan", **PLAN}) + "\n" + line)
    with pytest.raises(ConfigError, match=r"holds .*--restart starts again"):
        opened(path)


def test_a_file_is_set_aside_under_a_free_name(path: Path) -> None:
    for number in (1, 2):
        file = opened(path)
        file.add(0, Burst(20_000, 100), 110)
        aside = file.set_aside("refused")
        assert aside == path.with_name(f"left.refused.{number}.jsonl")
    assert PartialFile(path, PLAN).set_aside("refused") is None


def test_two_programs_cannot_measure_one_valve(path: Path) -> None:
    with PartialFile(path, PLAN) as first:
        first.open()
        with pytest.raises(ConfigError, match="another program measures this valve"), PartialFile(path, PLAN):
            pass
    with PartialFile(path, PLAN) as again:
        again.open()

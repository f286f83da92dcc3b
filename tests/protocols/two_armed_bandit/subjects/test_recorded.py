"""A recorded mouse: the file's intervals and sides on a clock of its own, and never a poke in the dark."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from protocols.two_armed_bandit.subjects.recorded import VISIT_US, RecordedMouse, RecordedParams
from protocols.two_armed_bandit.tables.decisions import COLUMNS, Decision, read_decisions
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec
from tests.sim_hardware.models.box import Box, watch

REAL = os.environ.get("RIG_REAL_DATA")

ROWS = (
    "0.491,0,0.491,1,0.1,0.9,0",
    "6.827,3.338,0.488,2,0.1,0.9,1",
    "9.624,1.015,0.044,2,0.1,0.9,1",
    "1013.1,900.123,1.998,1,0.9,0.1,0",
)


@pytest.fixture
def recording(tmp_path: Path) -> Callable[..., Path]:
    def recording(*rows: str) -> Path:
        path = tmp_path / "a mouse.csv"
        path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
        return path

    return recording


def entries(box: Box) -> list[tuple[float, str]]:
    return [(t_s, place) for t_s, place, broken in box.touches if broken]


def assert_is_kept(decisions: list[Decision], box: Box) -> None:
    """Hold what was done against the file: a center and a side poke of every decision, and nothing else."""
    done = entries(box)
    assert [place for _, place in done] == [place for row in decisions for place in ("center", row.side)]
    for number, row in enumerate(decisions):
        center_s, side_s = done[2 * number][0], done[2 * number + 1][0]
        assert side_s - center_s == pytest.approx(row.center_to_side_s, abs=1e-6)
        if number:
            assert center_s - done[2 * number - 1][0] == pytest.approx(row.since_last_poke_s, abs=1e-5)
    assert box.in_the_dark == 0


def test_it_keeps_the_intervals_and_the_sides_of_its_file(plan: RigSpec, recording: Callable[..., Path]) -> None:
    path = recording(*ROWS)
    box = watch(RecordedMouse(RecordedParams(file=path)), plan, 1, 1_000.0)
    assert_is_kept(read_decisions(path), box)
    assert entries(box)[0][0] == 0.0


def test_its_nose_leaves_every_port_soon_and_before_the_next(plan: RigSpec, recording: Callable[..., Path]) -> None:
    box = watch(RecordedMouse(RecordedParams(file=recording(*ROWS))), plan, 1, 1_000.0)
    stays: list[float] = []
    for (in_s, place, broken), (out_s, same, left) in zip(box.touches[::2], box.touches[1::2], strict=True):
        assert (place, broken, left) == (same, True, False)
        stays.append(out_s - in_s)
    hurried_s = 0.044 / 2  # the third decision: the nose is at the side when a whole visit would not be over
    wanted = [VISIT_US / 1e6] * 8
    wanted[4] = hurried_s
    assert stays == pytest.approx(wanted, abs=1e-6)


def test_it_waits_for_a_lamp_that_comes_later_than_its_file(plan: RigSpec, recording: Callable[..., Path]) -> None:
    box = watch(RecordedMouse(RecordedParams(file=recording(*ROWS))), plan, 1, 1_000.0, interval_s=5.0)
    assert box.in_the_dark == 0
    done = entries(box)
    assert [done[2 * number][0] - done[2 * number - 1][0] for number in (1, 2)] == pytest.approx([5.0, 5.0])


def test_it_does_nothing_in_a_box_without_a_lamp(plan: RigSpec, recording: Callable[..., Path]) -> None:
    assert watch(RecordedMouse(RecordedParams(file=recording(*ROWS))), plan, 1, 100.0, "center.light").touches == []


def test_a_file_that_is_no_recording_is_a_mistake(recording: Callable[..., Path]) -> None:
    with pytest.raises(ConfigError, match=r"a mouse.csv:3: port is 7"):
        RecordedMouse(RecordedParams(file=recording(ROWS[0], "6.827,3.338,0.488,7,0.1,0.9,1")))


@pytest.mark.skipif(REAL is None, reason="RIG_REAL_DATA names no folder")
def test_real_mice_are_repeated_to_the_microsecond(plan: RigSpec) -> None:
    paths = sorted(Path(str(REAL)).glob("2abt_mice/*.csv"))
    assert paths
    for path in paths:
        assert_is_kept(read_decisions(path), watch(RecordedMouse(RecordedParams(file=path)), plan, 1, 9_000.0))

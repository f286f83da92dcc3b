"""The eight-disk bandit peck by peck, in virtual time."""

from pathlib import Path

import pytest

from protocols.disk_bandit.params import COLORS
from rig.config import find
from rig.core.journal.kinds import Note, SceneLine
from rig.core.model.events import FrameShown
from tests.protocols.disk_bandit.disks import (
    at_us,
    began_us,
    column,
    paid,
    peck,
    run,
)


def test_a_peck_at_the_very_time_of_arming_is_paid_and_one_a_microsecond_earlier_is_not() -> None:
    first = run(peck(9.0, 3))
    due_s = (at_us(first) - began_us(first)) / 1e6
    for late_us, won in ((0, 1), (1, 0)):
        vi_s = str([due_s + late_us / 1e6] * 8)
        assert paid(run(peck(9.0, 3), vi_s=vi_s, vi_distribution="fixed")) == [won]


def test_the_disks_are_where_the_paper_has_them_and_a_probe_moves_only_the_colors() -> None:
    names = list(COLORS)
    for shift in (0, 3):
        harness = run(color_shift=shift, stop_session_s=2)
        disks = {item["name"]: item for item in harness.of_kind(SceneLine)[0].items}
        top, bottom, right = disks["disk0"], disks["disk4"], disks["disk2"]
        assert top["y_cm"] - bottom["y_cm"] == pytest.approx(8.0)
        assert bottom["y_cm"] - bottom["diameter_cm"] / 2 == pytest.approx(3.0)
        assert right["x_cm"] > top["x_cm"] == pytest.approx(800 / 26.2 / 2, abs=1e-3)
        assert [disks[f"disk{k}"]["color"] for k in range(8)] == [COLORS[names[(k - shift) % 8]] for k in range(8)]
    assert run(peck(1.0, 6)).rows[0]["color"] == "gray"


def test_disks_that_stay_while_the_hopper_is_up_are_not_painted_again() -> None:
    harness = run(peck(20.0, 3), peck(21.0, 4), peck(23.5, 4), disks_in_reward="inactive")
    assert len(harness.of_kind(FrameShown)) == 1


def test_rows_are_in_the_order_of_their_times() -> None:
    harness = run(*(peck(0.5 + 0.4 * number, number % 8) for number in range(140)), stop_session_s=60)
    times = column(harness, "t")
    assert times == sorted(times)
    assert len(times) == 140


def test_without_a_beam_nothing_is_said_of_eating(tmp_path: Path) -> None:
    chamber = find("rigs", "sim_pigeon_chamber").read_text(encoding="utf-8").replace(", beam: 8", "")
    (tmp_path / "no_beam.yaml").write_text(chamber, encoding="utf-8")
    harness = run(*(peck(20.0 + 4 * disk, disk) for disk in range(8)), rig=str(tmp_path / "no_beam.yaml"))
    assert paid(harness) == [1] * 8
    assert {row["eaten_s"] for row in harness.rows} == {None}
    assert {note.what for note in harness.of_kind(Note)} == {"screen", "assignment", "intervals_running"}


def test_a_peck_at_the_very_limit_counts_and_one_after_it_does_not() -> None:
    limit_us = at_us(run(peck(30.0, 3)))
    for early_us, won in ((0, [1]), (1, [])):
        harness = run(peck(30.0, 3), stop_session_s=(limit_us - early_us) / 1e6)
        assert paid(harness) == won
        assert harness.footer.reason == "time_limit"


def test_the_cap_reached_by_a_peck_at_the_very_limit_is_the_cap() -> None:
    limit_us = at_us(run(peck(30.0, 3)))
    harness = run(peck(30.0, 3), stop_session_s=limit_us / 1e6, stop_max_rewards=1)
    assert paid(harness) == [1]
    assert harness.footer.rewards == 1

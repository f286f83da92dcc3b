from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.figures import figures, slug
from protocols.disk_bandit.analysis.pecks import Pecks, of_rows
from protocols.disk_bandit.analysis.results import DiskSettings, report
from rig.analysis.common.style import save_all
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, life, peck

ALWAYS = ("shares", "density", "blocks", "returns", "rewarded", "theta")
TEST = "8_disks_VI_3-6561_s"
SHORT = Bird(theta=(0.3,) * 4, pecks=(60,) * 4)
"""A bird that pecks in four blocks: fits take a third of the time that those of twelve blocks take."""


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.analysis.common.style.DOTS_PER_INCH", 50)


def drawn(sessions: Sequence[Pecks], folder: Path, only: str = "", **settings: Any) -> list[str]:
    """Draw the figures of a report, or only one; check that each has ink, and return the names of the files."""
    found = figures(report(sessions, DiskSettings(0, **settings)), sessions)
    paths = save_all(((name, figure) for name, figure in found if name.endswith(only)), folder)
    for path in paths:
        pixels = imread(path)[..., :3]
        assert pixels.min() < 0.5
        assert 0.003 < np.mean(pixels.min(axis=2) < 0.9) < 0.9
    return [path.name for path in paths]


def test_every_figure_of_a_flock_is_a_picture_with_ink_on_it(tmp_path: Path) -> None:
    flock = complete([pecks for name in "ABC" for pecks in life(SHORT, 2, subject=name)])
    assert drawn(flock, tmp_path) == [f"{TEST}_{name}.png" for name in (*ALWAYS, "carry_over", "places")]


def test_theta_is_drawn_against_what_is_known_of_subjects(tmp_path: Path) -> None:
    flock = complete([pecks for name in "ABCDE" for pecks in life(SHORT, 1, subject=name)])
    people = {name: {"sex": "fm"[place % 2], "grades": str(place), "odd": ""} for place, name in enumerate("ABCDE")}
    assert drawn(flock, tmp_path, "traits", people=people) == [f"{TEST}_traits.png"]


def test_sessions_with_a_hopper_and_a_single_peck_in_a_block_are_drawn(tmp_path: Path) -> None:
    bird = replace(SHORT, pecks=(40, 40, 40, 1))
    flock = [replace(pecks, hopper_s=3.0) for name in "AB" for pecks in complete(life(bird, 2, subject=name))]
    assert f"{TEST}_blocks.png" in drawn(flock, tmp_path)


def test_sessions_of_people_have_a_figure_of_their_own(tmp_path: Path) -> None:
    people = [
        replace(pecks, number=number, block_s=30.0)
        for name in "PQ"
        for number in (1, 2)
        for pecks in life(SHORT, 1, number, name)
    ]
    assert drawn(complete(people), tmp_path, "sessions") == [f"{TEST}_blocks_of_30_s_sessions.png"]


def test_one_bird_and_one_block_are_drawn_without_a_word(tmp_path: Path) -> None:
    sessions = complete(life(Bird(theta=(0.3,), pecks=(200,)), 1))
    assert drawn(sessions, tmp_path) == [f"{TEST}_{name}.png" for name in ALWAYS]


def test_empty_blocks_and_a_bird_without_pecks_are_drawn_without_a_word(tmp_path: Path) -> None:
    bird = life(Bird(pecks=(0, 40, 0, 0, 40, *[0] * 7)), 2)
    idle = of_rows("Idle/01", "Idle", [peck(-1)]).named()
    names = drawn([replace(pecks, blocks=14) for pecks in complete([*bird, *idle])], tmp_path)
    assert set(names) >= {f"{TEST}_{name}.png" for name in ALWAYS}


def test_a_bird_that_pecks_one_disk_only_is_drawn_without_its_theta(tmp_path: Path) -> None:
    rows = [peck(0, 10.0 * n, VI_S[0], rewarded=n % 2 == 0) for n in range(40)]
    sessions = [
        replace(pecks, told=True, assignment=replace(pecks.assignment, vi_s=np.array(VI_S, float)))
        for pecks in of_rows("A/01", "A", rows).named()
    ]
    assert drawn(sessions, tmp_path) == [f"{TEST}_{name}.png" for name in ALWAYS]


def test_odds_instead_of_intervals_are_drawn_without_returns(tmp_path: Path) -> None:
    odds = (0.61, 0.37, 0.22, 0.14, 0.08, 0.05, 0.03, 0.0)
    rows = [peck(disk, 10.0 * n, None, p_reward=odds[disk]) for n, disk in enumerate([0, 0, 1, 2, 3, 4, 5, 6, 7] * 5)]
    names = drawn(complete(of_rows("A/01", "A", rows).named()), tmp_path)
    assert "8_disks_p_0-0.61_returns.png" not in names
    assert "8_disks_p_0-0.61_shares.png" in names


def test_more_people_than_are_drawn_apart_fit_on_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.disk_bandit.analysis.figures.MOST_SUBJECTS", 3)
    many = complete([pecks for name in "PQRST" for pecks in life(Bird((0.5,), pecks=(60,)), 1, 1, name)])
    assert f"{TEST}_shares.png" in drawn(many, tmp_path)


def test_names_of_files_are_names_anywhere() -> None:
    assert slug("8 disks, VI 3-6561 s, blocks of 30 s") == "8_disks_VI_3-6561_s_blocks_of_30_s"

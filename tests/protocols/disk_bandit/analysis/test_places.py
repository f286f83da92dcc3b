from dataclasses import replace

import numpy as np
import pytest

from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.cells import Cells, cells
from protocols.disk_bandit.analysis.luce import ENDLESS, WORTHLESS, Refusal
from protocols.disk_bandit.analysis.pecks import of_rows
from protocols.disk_bandit.analysis.places import Places, places
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, life, peck


def counted(*birds: tuple[str, Bird], days: int = 12) -> Cells:
    return cells(complete([pecks for name, bird in birds for pecks in life(bird, days, subject=name)]))


def found(cells: Cells) -> Places:
    answer = places(cells)
    assert isinstance(answer, Places)
    return answer


def test_a_bird_to_whom_places_are_alike_has_one_theta_at_all_of_them() -> None:
    plain = Bird(theta=(0.3,) * 4, pecks=(300,) * 4)
    answer = found(counted(("A", plain), ("B", plain)))
    assert answer.theta == pytest.approx([0.3] * 8, abs=0.04)
    assert answer.own == pytest.approx(np.full((2, 8), 0.3), abs=0.08)
    assert np.all(np.abs(answer.theta - 0.3) < 5 * answer.se)
    assert answer.effect.sum() == pytest.approx(0, abs=1e-9)


def test_a_place_that_is_avoided_has_a_lower_theta() -> None:
    shy = Bird(theta=(0.3,) * 4, pecks=(300,) * 4, bias=(-1, -1, -1, 0, 0.5, 0.5, 0, 0))
    answer = found(counted(("A", shy), ("B", shy), days=24))
    assert answer.theta[:3].max() < answer.theta[3:].min()
    assert answer.effect[:3].max() < 0 < answer.effect[4]


def test_two_sessions_have_no_standard_error() -> None:
    answer = found(counted(("A", Bird()), days=2))
    assert np.isfinite(answer.theta).all()
    assert np.isnan(answer.se).all()


def test_a_disk_that_is_dark_is_no_alternative_and_has_no_theta() -> None:
    three = [
        pecks
        for name in "AB"
        for pecks in life(Bird(theta=(0.4,) * 3, pecks=(200,) * 3), 12, vi_s=VI_S[:3], subject=name)
    ]
    answer = found(cells(complete(three)))
    assert answer.theta[:3] == pytest.approx([0.4] * 3, abs=0.12)
    assert np.isnan(answer.theta[3:]).all()
    assert np.isnan(answer.own[:, 3:]).all()


def test_sessions_whose_disks_are_not_placed_are_left_out() -> None:
    own = counted(("A", Bird()), days=4)
    assert isinstance(places(replace(own, placed=np.zeros(len(own.block), bool))), Refusal)


def test_a_bird_that_pecks_the_best_disk_alone_has_a_theta_without_end() -> None:
    rows = [peck(0, 10.0 * n, VI_S[0]) for n in range(40)]
    sessions = [
        replace(pecks, told=True, placed=True, assignment=replace(pecks.assignment, vi_s=np.array(VI_S, float)))
        for pecks in of_rows("A/01", "A", rows).named()
    ]
    assert places(cells(complete(sessions))) == Refusal(ENDLESS)


def test_a_disk_that_never_pays_has_no_worth() -> None:
    odds = (0.61, 0.37, 0.0)
    rows = [peck(disk, 10.0 * n, None, p_reward=odds[disk]) for n, disk in enumerate([0, 0, 1, 2] * 5)]
    assert places(cells(complete(of_rows("A/01", "A", rows).named()))) == Refusal(WORTHLESS)

import numpy as np
import pytest

from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.density import RADIUS_CM, densities, ring
from protocols.disk_bandit.analysis.pecks import of_rows
from tests.protocols.disk_bandit.analysis.made import Bird, life, peck


def test_the_ring_is_found_again_from_the_pecks() -> None:
    at = ring(complete(life(Bird(), 1))[0])
    assert at is not None
    assert (at.x_cm, at.y_cm, at.radius_cm) == pytest.approx((15, 8, 4), abs=0.06)


def test_a_ring_on_another_screen_has_its_own_size() -> None:
    rows = [peck(disk) | {"x_cm": 3 * peck(disk)["x_cm"], "y_cm": 3 * peck(disk)["y_cm"]} for disk in (0, 2, 5)]
    at = ring(of_rows("P/01", "P", rows).named()[0])
    assert at is not None
    assert (at.x_cm, at.y_cm, at.radius_cm) == pytest.approx((45, 24, 12))


def test_of_one_location_the_ring_is_taken_to_be_the_papers() -> None:
    at = ring(of_rows("A/01", "A", [peck(2), peck(2)]).named()[0])
    assert at is not None
    assert (at.x_cm, at.y_cm, at.radius_cm) == pytest.approx((15, 8, RADIUS_CM))


def test_every_choice_is_on_the_map_and_nothing_else() -> None:
    sessions = complete([*life(Bird(pecks=(20,) * 12), 2), *of_rows("B/01", "B", [peck(-1)]).named()])
    (found,) = densities(sessions)
    assert found.subject == "Cosmo"
    assert found.n == found.count.sum() == 2 * 240


def test_only_disks_that_were_shown_have_an_outline() -> None:
    rows = [peck(disk, vi_s=3.0 * (disk + 1)) for disk in (0, 2)]
    (found,) = densities(complete(of_rows("A/01", "A", rows).named()))
    assert found.shown.nonzero()[0].tolist() == [0, 2]


def test_up_is_up_and_right_is_right() -> None:
    rows = [peck(disk) for disk in (0, 0, 2, 4, 6)]
    (found,) = densities(of_rows("A/01", "A", rows).named())
    row, column = np.unravel_index(np.argmax(found.count), found.count.shape)
    middle = len(found.edges_cm) // 2
    assert row > middle + 10
    assert abs(column - middle) <= 1

import math

import numpy as np
import pytest

from protocols.delay_discounting.analysis.curves import lap_curves, milestones
from tests.protocols.delay_discounting.analysis.made import laps, rat_laps


def test_sessions_are_averaged_lap_by_lap_while_they_last() -> None:
    found = lap_curves([laps("LLR", first_delay=5), laps("LRLR", first_delay=9)])
    assert found.n.tolist() == [2, 2, 2, 1]
    assert found.delay_mean_s.tolist() == [7, 8, 8, 10]
    assert math.isnan(found.adjustment[0])
    assert found.adjustment[1:].tolist() == [0.5, 0, 0]
    assert found.phases["sliding"]["investigation"].tolist() == [1, 1, 1, 1]
    assert (found.delays[0, 4], found.delays[0, 8], found.delays[3, 9]) == (0.5, 0.5, 1)
    assert found.delays.sum(axis=1) == pytest.approx(np.ones(4))


def test_the_phases_of_a_lap_add_up_to_all_sessions() -> None:
    found = lap_curves([rat_laps(seed) for seed in range(30)])
    for shares in found.phases.values():
        assert sum(shares.values()) == pytest.approx(np.ones(100))


def test_no_sessions_have_empty_curves() -> None:
    found = lap_curves([])
    assert found.lap.size == found.n.size == found.adjustment.size == 0
    assert milestones(found).titration_peak_lap == 0
    assert math.isnan(milestones(found).adjustment_laps_76_to_100)


def test_calibrated_rats_pass_the_milestones_of_the_paper() -> None:
    found = milestones(lap_curves([rat_laps(seed) for seed in range(300)]))
    assert 0.08 <= found.adjustment_laps_76_to_100 <= 0.13
    assert found.adjustment_laps_1_to_5 < found.adjustment_laps_11_to_20
    for rule in ("sliding", "binned"):
        assert found.investigation_laps_1_to_5[rule] == pytest.approx(0.85, abs=0.1)
        assert found.exploitation_laps_70_to_75[rule] == pytest.approx(0.9, abs=0.1)
    assert found.investigation_lap_10["sliding"] == pytest.approx(0.51, abs=0.06)
    assert 5 <= found.titration_peak_lap <= 30

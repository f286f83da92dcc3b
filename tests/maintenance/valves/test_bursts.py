"""Which bursts a calibration gives."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import ConfigError
from rig.devices.calibration import Calibration
from rig.maintenance.valves.bursts import WANTED_MG, expected_ul, plan_bursts, usual_openings

KNOWN = Calibration("left", "left", "2026-11-03", ((20_000, 1.1), (40_000, 2.5), (60_000, 3.8)))


@given(st.sets(st.integers(5_000, 200_000), min_size=3, max_size=8), st.sampled_from([2, 4, 6]), st.integers(0, 1_000))
def test_every_opening_has_the_same_mean_place_so_that_a_drift_bends_nothing(
    openings: set[int], repeats: int, seed: int
) -> None:
    places = defaultdict(list)
    for place, burst in enumerate(plan_bursts(sorted(openings), None, None, repeats, seed)):
        places[burst.open_us].append(place)
    assert {len(each) for each in places.values()} == {repeats}
    assert len({sum(each) for each in places.values()}) == 1


def test_small_drops_are_given_more_often_so_that_the_scale_can_weigh_them() -> None:
    for burst in plan_bursts([20_000, 40_000, 90_000], KNOWN, None, 2, seed=1):
        assert burst.pulses >= 50
        assert burst.pulses * expected_ul(KNOWN, burst.open_us) >= WANTED_MG


@pytest.mark.parametrize("known", [KNOWN, None])
def test_the_usual_openings_go_from_below_1_ul_to_above_6_ul(known: Calibration | None) -> None:
    openings = usual_openings(known, 1_000_000)
    assert len(openings) == 4
    assert expected_ul(known, openings[0]) < 0.9
    assert expected_ul(known, openings[-1]) > 6.5


def test_no_opening_is_longer_than_the_valve_may_open() -> None:
    assert max(usual_openings(KNOWN, 50_000)) <= 50_000


def test_the_board_counts_the_pulses_of_a_burst() -> None:
    burst = plan_bursts([20_000, 40_000, 90_000], KNOWN, 100, 2, seed=1)[0]
    train = burst.train("left.valve")
    assert (train.output, train.count) == ("left.valve", 100)
    assert burst.lasts_s == (99 * train.period_us + train.on_us) / 1e6


@pytest.mark.parametrize(
    ("openings", "pulses", "repeats", "said"),
    [
        ([20_000, 40_000], None, 2, "--open-ms: wanted 3 or more different open times in ms, got 20, 40"),
        ([20_000, 40_000, 40_000], None, 2, "--open-ms"),
        ([20_000, 40_000, 60_000], 49, 2, "--pulses 49: wanted 50 to 2000"),
        ([20_000, 40_000, 60_000], 100, 3, "--repeats 3: wanted an even number"),
        ([20_000, 40_000, 60_000], 100, 0, "--repeats 0"),
        ([20_000, 40_000, 60_000], 100, 10**11, "wanted an even number, 2 to 20"),
    ],
)
def test_too_little_is_refused(openings: list[int], pulses: int | None, repeats: int, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        plan_bursts(openings, None, pulses, repeats, seed=1)

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.vte import curve, judged, neighbors, vte, zidphi
from tests.protocols.delay_discounting.analysis.made import laps, rat_laps
from tests.protocols.delay_discounting.analysis.rat_flags import walking


def with_idphi(found: Laps, values: Sequence[float]) -> Laps:
    return replace(found, idphi=np.array(values, float), pause_s=np.array(values, float) / 10)


def deliberating(seed: int) -> Laps:
    """A rat that deliberates on most adjustment laps, and on few others."""
    found = rat_laps(seed)
    draw = np.random.default_rng(seed)
    chance = np.where(found.adjusted, 0.25 + 0.45 * (1 - 0.2) + 0.15 * np.exp(-found.lap / 12), 0.05)
    turned = np.where(draw.random(found.trials) < chance, draw.normal(18, 4, 100), draw.normal(2.7, 0.4, 100))
    return with_idphi(found, turned.tolist())


def test_idphi_is_standardized_within_the_session_with_n_minus_1() -> None:
    found = zidphi(with_idphi(laps("LRLR"), [1, 2, 3, 4]))
    assert found == pytest.approx(np.array([-1.5, -0.5, 0.5, 1.5]) / math.sqrt(5 / 3))


def test_passes_that_were_lost_or_sampled_a_delay_beyond_30_s_do_not_count() -> None:
    found = with_idphi(laps("LLRLL", first_delay=30), [1, 2, 3, math.nan, 5])
    assert found.in_force_s.tolist() == [30, 31, 32, 31, 32]
    assert judged(found).tolist() == [True, False, True, False, False]
    assert judged(replace(found, tracking_ok=np.zeros(5, bool))).sum() == 0


def test_passes_that_are_all_alike_have_no_standard() -> None:
    assert np.isnan(zidphi(with_idphi(laps("LRLR"), [2, 2, 2, 2]))).all()
    assert vte([with_idphi(laps("LRLR"), [2, 2, 2, 2]), laps("LRLR")], fits=True) is None


def test_other_adjustment_laps_are_counted_within_five_laps() -> None:
    found = laps("LLRLRLRRLRLRLR")
    assert np.flatnonzero(found.adjusted).tolist() == [1, 7]
    assert neighbors(found, 5)[[1, 7]].tolist() == [0, 0]
    assert neighbors(found, 5)[2] == 2
    assert neighbors(laps("LLLL"), 5).tolist() == [3, 2, 2, 2]
    assert neighbors(laps(""), 5).size == 0


def test_the_laps_of_a_window_are_those_around_a_lap_and_not_the_lap_itself() -> None:
    found = laps("LLLRLRLL")
    assert np.flatnonzero(found.adjusted).tolist() == [1, 2, 7]
    assert neighbors(found, 2).tolist() == [2, 1, 1, 2, 1, 1, 1, 0]
    assert neighbors(found, 7).tolist() == [3, 2, 2, 3, 3, 3, 3, 2]


def test_a_curve_has_the_mean_and_its_error_at_every_position() -> None:
    found = curve(np.array([1.0, 3, 3, 6]), np.array([1.0, 2, 4, 8]))
    assert found.position.tolist() == [1, 2, 3, 4, 5, 6]
    assert found.n.tolist() == [1, 0, 2, 0, 0, 1]
    assert found.mean[[0, 2, 5]].tolist() == [1, 3, 8]
    assert np.isnan(found.mean[1])
    assert np.isnan(found.sem[0])
    assert found.sem[2] == 1
    binned = curve(np.array([1.0, 3, 5, 6]), np.array([1.0, 2, 3, 8]), 5)
    assert (binned.position.tolist(), binned.mean.tolist()) == ([1, 6], [2, 8])


def test_the_passes_of_a_small_table_are_sorted_by_type_and_phase() -> None:
    found = vte([with_idphi(laps("LRRL"), [0, 1, 5, 2])], fits=True)
    assert found is not None
    z = (np.array([0, 1, 5, 2]) - 2) / math.sqrt(14 / 3)
    assert found.by_type["adjustment"].mean == pytest.approx(z[2])
    assert found.by_type["alternation"].mean == pytest.approx(z[[1, 3]].mean())
    assert found.by_phase["investigation"].n == 4
    assert found.by_lap.all.mean == pytest.approx(z)
    assert [around.reach for around in found.neighborhoods] == [2, 5, 7]
    for around in found.neighborhoods:
        assert (around.adjustment.position.tolist(), around.adjustment.n.tolist()) == ([0], [1])
        assert (around.alternation.position.tolist(), around.alternation.n.tolist()) == ([0, 1], [0, 2])
    assert found.by_phase_and_type["investigation"]["adjustment"].mean == pytest.approx(z[2])
    assert found.by_phase_and_type["investigation"]["alternation"].n == 2
    assert found.by_phase_and_type["titration"]["adjustment"].n == 0
    in_phase = found.by_lap_in_phase["investigation"]
    assert (in_phase.position.tolist(), in_phase.n.tolist()) == ([1], [4])
    assert found.by_lap_in_phase["exploitation"].n.size == 0
    assert (found.passes, found.left_out, found.pause_s.mean) == (4, 0, pytest.approx(0.2))


def test_a_rat_that_deliberates_where_it_adjusts_is_found_out() -> None:
    found = vte([deliberating(seed) for seed in range(20)], fits=True)
    assert found is not None
    assert found.tests is not None
    assert found.by_type["adjustment"].mean > found.by_type["alternation"].mean + 0.8
    early, late = found.by_lap.all.mean[:30].mean(), found.by_lap.all.mean[40:].mean()
    assert early > 0 > late
    assert found.by_phase["titration"].mean > 0 > found.by_phase["exploitation"].mean
    tests = found.tests
    for each in (tests.type, tests.phase):
        assert each is not None
        assert each.p < 1e-3
    assert tests.type_and_lap is not None
    assert tests.type_and_lap.first.f > 100 > tests.type_and_lap.second.f
    assert tests.pause is not None
    assert tests.pause.rho == pytest.approx(0.6, abs=0.4)


def test_without_fits_there_are_no_tests() -> None:
    found = vte([deliberating(1)], fits=False)
    assert found is not None
    assert found.tests is None


def test_rats_that_deliberate_are_found_by_their_positions_as_another_program_found_them() -> None:
    made = [walking(seed) for seed in range(12)]
    z = np.concatenate([zidphi(found) for found, _ in made])
    idphi = np.concatenate([found.idphi for found, _ in made])
    deliberated = np.concatenate([flags for _, flags in made])
    assert idphi[~deliberated].mean() == pytest.approx(2.7, abs=1.5)
    assert idphi[deliberated].mean() == pytest.approx(18, abs=5)
    assert z[deliberated].mean() == pytest.approx(2.2, abs=0.3)
    assert z[~deliberated].mean() == pytest.approx(-0.39, abs=0.1)
    found = vte([each for each, _ in made], fits=True)
    assert found is not None
    assert found.by_type["adjustment"].mean > found.by_type["alternation"].mean + 1
    for around in found.neighborhoods:
        assert around.adjustment.mean[0] > around.adjustment.mean[4]
        assert np.nanmax(around.alternation.mean) < around.adjustment.mean[0]
    early, late = (np.average(found.by_lap.all.mean[part]) for part in (slice(30), slice(40, 100)))
    assert early > 0.05 > -0.02 > late

import numpy as np

from protocols.two_armed_bandit.analysis.sessions import BY_CENTER, BY_DECISION
from protocols.two_armed_bandit.analysis.times import times, timing
from tests.protocols.two_armed_bandit.made import session


def test_the_deviation_is_the_mean_absolute_one() -> None:
    found = times(np.array([1.0, 2.0, np.nan, 6.0]))
    assert (found.n, found.mean, found.median) == (3, 3.0, 2.0)
    assert found.mad == 2.0
    assert found.sd == np.std([1, 2, 6], ddof=1)


def test_nothing_measured_is_no_error() -> None:
    assert times(np.array([np.nan])).n == 0


def test_a_duration_says_from_where_to_where_and_is_as_coarse_as_its_coarsest_source() -> None:
    public = session("Lr", duration_s=np.array([3.0, np.nan]), duration_from=BY_DECISION)
    ours = session("Lr", duration_s=np.array([2.0, np.nan]), duration_from=BY_CENTER)
    assert timing([ours]).trial_duration_s.resolution_s == 1e-6
    both = timing([public, ours]).trial_duration_s
    assert both.measured == "center to center and decision to decision"
    assert both.resolution_s == 0.1
    assert both.times.mean == 2.5


def test_trials_after_forty_minutes_are_counted() -> None:
    assert timing([session("LrL", time_s=np.array([1.0, 2400.0, 2400.5]))]).trials_after_2400_s == 1

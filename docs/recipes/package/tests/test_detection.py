"""Sessions of the task, on the simulated board."""

from example_lab.detection.analysis import hits_by_length
from example_lab.detection.subject import WhiskerMouse, WhiskerMouseParams

from rig.testing import poke


def test_a_poke_after_a_buzz_gives_water(run_session):
    session = run_session("detection", [poke(2.5, "hole")], stop={"session_s": 5})
    assert session.rows[0].outcome == "hit"
    assert len(session.openings("hole.valve")) == 1


def test_a_poke_before_the_buzz_delays_it(run_session):
    session = run_session("detection", [poke(1.5, "hole")], stop={"session_s": 8})
    assert [t_us > 3_500_000 for t_us, on in session.changes("buzzer") if on] == [True, True]


def test_a_mouse_detects_long_buzzes_better(run_session):
    mouse = WhiskerMouse(WhiskerMouseParams())
    session = run_session("detection", mouse.live, stop={"session_s": 600}, seed=1)
    counts = hits_by_length([{"buzz_ms": row.buzz_ms, "outcome": row.outcome} for row in session.rows])
    shares = [hits / trials for trials, hits in counts.values()]
    assert shares == sorted(shares)

"""A rat on the T-maze, in sessions of delay discounting."""

import math
import statistics
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from sim_hardware.driver import make_model
from sim_hardware.world.body import Body
from sim_hardware.world.trajectory import CAMERA_HZ
from tests.harness import FaultHarness, run_harness
from tests.protocols.delay_discounting.maze import tones
from tests.session_specs import protocol_spec


def run(
    seed: int = 1,
    cut: frozenset[str] = frozenset(),
    session_s: float = 900,
    jams_stop: int = 3,
    initial_delay_s: int = 5,
    **options: Any,
) -> FaultHarness:
    """Let a rat run; the delayed side is left."""
    limits = {"stop_session_s": session_s, "stop_grace_s": 60, "jams_stop": jams_stop}
    prepared = protocol_spec("delay_discounting", initial_delay_s=initial_delay_s, delayed_side="left", **limits)

    async def live(body: Body) -> None:
        await make_model("rat", options).live(body)

    return run_harness(prepared, live, seed=seed, cut=cut)


@pytest.fixture(scope="module")
def session() -> FaultHarness:
    """The session of the usual rat."""
    return run()


def test_it_runs_laps_waits_and_eats_all_that_it_is_given(session: FaultHarness) -> None:
    rows = [row for row in session.rows if row["t_lap_end"] is not None]
    assert len(rows) >= 18
    assert {row["outcome"] for row in rows} == {"rewarded"}
    assert [row["pellets"] for row in rows] == [3 if row["side"] == "left" else 1 for row in rows]
    assert all(row["t_site_exit"] > row["t_reward"] + 0.5 * row["pellets"] for row in rows)
    assert [row["t_start"] for row in rows[1:]] == [row["t_lap_end"] for row in rows[:-1]]
    assert session.footer.inactive_inputs == []


def test_it_passes_the_choice_point_on_its_way(session: FaultHarness) -> None:
    for row in session.rows:
        assert row["t_start"] < row["t_choice_enter"] < row["t_choice_exit"] < row["t_site_enter"]


def test_where_it_was_agrees_with_the_beams(session: FaultHarness) -> None:
    where = session.rig.body.trajectory.at
    for row in session.rows[:-1]:
        x_cm, y_cm = where(row["t_site_enter"])
        assert (abs(x_cm), y_cm) == (pytest.approx(98, abs=1), pytest.approx(139))
        assert (x_cm < 0) == (row["side"] == "left")
        assert where(row["t_choice_enter"])[1] == pytest.approx(69.5, abs=0.5)


def beams(harness: FaultHarness, place: str) -> Iterator[tuple[float, float]]:
    """From when until when a beam was broken, in seconds; a beam that a bob clears for a moment is broken on."""
    changes = [(t_us / 1e6, level) for t_us, level in harness.changes(f"{place}.beam")]
    on_s = -1.0
    for (t_s, level), (next_s, _) in pairwise([*changes, (math.inf, 1)]):
        if level and on_s < 0:
            on_s = t_s
        elif not level and next_s - t_s > 1 and on_s >= 0:
            yield on_s, t_s
            on_s = -1.0


@pytest.mark.parametrize("options", [{}, {"p_leave": 0.5}], ids=["patient", "leaving"])
def test_it_is_where_the_beams_are_broken_and_never_jumps(options: dict[str, Any]) -> None:
    harness = run(**options)
    way = harness.rig.body.trajectory
    near: dict[str, Callable[[float, float], bool]] = {
        "start": lambda x_cm, y_cm: abs(x_cm) < 1 and y_cm <= 20.1,
        "left": lambda x_cm, y_cm: x_cm < -97.9 and y_cm > 138.9,
        "right": lambda x_cm, y_cm: x_cm > 97.9 and y_cm > 138.9,
    }
    for place, is_near in near.items():
        stays = list(beams(harness, place))
        assert len(stays) > 5
        for from_s, until_s in stays:
            frames = way.samples(from_s + 0.001, until_s)
            assert all(is_near(frame.x_cm, frame.y_cm) for frame in frames), (place, from_s)
    for before, after in pairwise(way.samples(0, 900)):
        assert math.dist(before[1:], after[1:]) * CAMERA_HZ < 100, before


def overheads(**options: Any) -> list[float]:
    """How long each lap took without its countdown."""
    rows = [row for row in run(session_s=3400, **options).rows if row["t_lap_end"] is not None]
    return [row["t_lap_end"] - row["t_start"] - row["delay_experienced_s"] for row in rows]


def test_laps_take_their_time_longer_ones_when_it_is_sated_and_some_have_a_pause() -> None:
    steady = {"lap_s": 28.5, "day_sd": 0, "lap_sd": 0, "satiety": 0, "p_pause": 0}
    alike = overheads(**steady)
    assert len(alike) >= 80
    assert statistics.mean(alike) == pytest.approx(28.5, abs=1.5)
    assert statistics.stdev(alike) < 0.5
    sated = overheads(**{**steady, "satiety": 0.3})
    assert sated[70] == pytest.approx(28.5 * (1 + 0.3 * 0.49), abs=1.5)
    assert min(overheads(**{**steady, "p_pause": 1})) > 28.5 + 10 - 2
    assert statistics.stdev(math.log(each) for each in overheads(**{**steady, "lap_sd": 0.25})) == pytest.approx(
        0.25, abs=0.06
    )


def test_it_bobs_while_it_waits_and_loses_nothing_by_it() -> None:
    harness = run(bobs_per_s=2)
    bobs = [value for _, value in harness.changes("left.beam")]
    assert len(bobs) > 4 * sum(row["side"] == "left" for row in harness.rows)
    assert {row["outcome"] for row in harness.rows if row["t_lap_end"] is not None} == {"rewarded"}


def test_a_rat_that_leaves_early_skips_and_goes_on() -> None:
    harness = run(p_leave=0.5)
    assert harness.outcome is not None
    assert harness.outcome.reason == "time_limit"
    outcomes = [row["outcome"] for row in harness.rows]
    assert len(outcomes) >= 18
    assert 0.25 < outcomes.count("skip") / len(outcomes) < 0.75
    skips = [row for row in harness.rows if row["outcome"] == "skip"]
    assert {row["pellets"] for row in skips} == {0}
    assert all(row["n_tones"] <= row["delay_before_s"] for row in skips if row["is_delayed_side"])


def test_a_rat_that_hears_nothing_waits_all_the_same_and_feels_how_long_it_was() -> None:
    harness = run(cut=frozenset({"speaker.tone"}))
    assert tones(harness), "the board sounds them"
    assert {row["outcome"] for row in harness.rows if row["t_lap_end"] is not None} == {"rewarded"}


def test_a_rat_that_hears_nothing_waits_longer_than_any_usual_delay() -> None:
    harness = run(cut=frozenset({"speaker.tone"}), initial_delay_s=60, bobs_per_s=0.5, session_s=400)
    assert any(row["is_delayed_side"] for row in harness.rows)
    assert {row["outcome"] for row in harness.rows if row["t_lap_end"] is not None} == {"rewarded"}


def test_a_rat_that_finds_no_pellets_goes_on_after_a_while() -> None:
    harness = run(cut=frozenset({"left_feeder.feeder", "right_feeder.feeder"}), session_s=400, jams_stop=100)
    assert len(harness.rows) >= 5
    assert {row["pellets"] for row in harness.rows} == {0}
    stays = [row["t_site_exit"] - row["t_site_enter"] for row in harness.rows if row["t_lap_end"] is not None]
    assert max(stays) < 5 + 12 + 7, "the countdown, and its patience"


@pytest.mark.parametrize(("vte", "turns"), [("always", True), ("never", False)])
def test_it_looks_from_side_to_side_as_often_as_it_is_reported(vte: str, turns: bool) -> None:
    harness = run(vte=vte)
    passes = [(row["t_choice_enter"], row["t_choice_exit"]) for row in harness.rows]
    swings = [
        len(
            {1 if point.x_cm > 1 else -1 for point in harness.rig.body.trajectory.samples(*span) if abs(point.x_cm) > 1}
        )
        for span in passes
    ]
    assert {swing == 2 for swing in swings} == {turns}


def test_the_same_seed_is_the_same_rat_and_another_is_another() -> None:
    first, same, other = (run(seed, session_s=300).rows for seed in (1, 1, 2))
    assert first == same != other

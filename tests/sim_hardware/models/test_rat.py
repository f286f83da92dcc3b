"""A rat on the T-maze, in sessions of delay discounting."""

from typing import Any

import pytest

from sim_hardware.body import Body
from sim_hardware.driver import make_model
from tests.protocols.maze import tones
from tests.session.stage import Stage, play, setting


def run(
    seed: int = 1, cut: frozenset[str] = frozenset(), session_s: float = 900, jams_stop: int = 3, **options: Any
) -> Stage:
    """Let a rat run; the delayed side is left, from five seconds on."""
    limits = {"stop_session_s": session_s, "stop_grace_s": 60, "jams_stop": jams_stop}
    prepared = setting("delay_discounting", initial_delay_s=5, delayed_side="left", **limits)

    async def live(body: Body) -> None:
        await make_model("rat", options).live(body)

    return play(prepared, live, seed=seed, cut=cut)


def test_it_runs_laps_waits_and_eats_all_that_it_is_given() -> None:
    stage = run()
    rows = [row for row in stage.rows if row["t_lap_end"] is not None]
    assert len(rows) >= 18
    assert {row["outcome"] for row in rows} == {"rewarded"}
    assert [row["pellets"] for row in rows] == [3 if row["side"] == "left" else 1 for row in rows]
    assert all(row["t_site_exit"] > row["t_reward"] + 0.5 * row["pellets"] for row in rows)
    assert [row["t_start"] for row in rows[1:]] == [row["t_lap_end"] for row in rows[:-1]]
    assert stage.footer["silent_inputs"] == []


def test_it_passes_the_choice_point_on_its_way() -> None:
    for row in run().rows:
        assert row["t_start"] < row["t_choice_enter"] < row["t_choice_exit"] < row["t_site_enter"]


def test_where_it_was_agrees_with_the_beams() -> None:
    stage = run()
    where = stage.sim.body.trajectory.at
    for row in stage.rows[:-1]:
        x_cm, y_cm = where(row["t_site_enter"])
        assert (abs(x_cm), y_cm) == (pytest.approx(98, abs=1), pytest.approx(139))
        assert (x_cm < 0) == (row["side"] == "left")
        assert where(row["t_choice_enter"])[1] == pytest.approx(69.5, abs=0.5)


def test_it_bobs_while_it_waits_and_loses_nothing_by_it() -> None:
    stage = run(bobs_per_s=2)
    bobs = [value for _, value in stage.changes("left.beam")]
    assert len(bobs) > 4 * sum(row["side"] == "left" for row in stage.rows)
    assert {row["outcome"] for row in stage.rows if row["t_lap_end"] is not None} == {"rewarded"}


def test_a_rat_that_leaves_early_skips_and_goes_on() -> None:
    stage = run(p_leave=0.5)
    outcomes = [row["outcome"] for row in stage.rows]
    assert 0.25 < outcomes.count("skip") / len(outcomes) < 0.75
    skips = [row for row in stage.rows if row["outcome"] == "skip"]
    assert {row["pellets"] for row in skips} == {0}
    assert all(row["n_tones"] <= row["delay_before_s"] for row in skips if row["is_delayed_side"])


def test_a_rat_that_hears_nothing_waits_all_the_same_and_feels_how_long_it_was() -> None:
    stage = run(cut=frozenset({"speaker.tone"}))
    assert tones(stage), "the board sounds them"
    assert {row["outcome"] for row in stage.rows if row["t_lap_end"] is not None} == {"rewarded"}


def test_a_rat_that_finds_no_pellets_goes_on_after_a_while() -> None:
    stage = run(cut=frozenset({"left_feeder.feeder", "right_feeder.feeder"}), session_s=400, jams_stop=100)
    assert len(stage.rows) >= 5
    assert {row["pellets"] for row in stage.rows} == {0}
    stays = [row["t_site_exit"] - row["t_site_enter"] for row in stage.rows if row["t_lap_end"] is not None]
    assert max(stays) < 5 + 12 + 7, "the countdown, and its patience"


@pytest.mark.parametrize(("vte", "turns"), [("always", True), ("never", False)])
def test_it_looks_from_side_to_side_as_often_as_it_is_told(vte: str, turns: bool) -> None:
    stage = run(vte=vte)
    passes = [(row["t_choice_enter"], row["t_choice_exit"]) for row in stage.rows]
    swings = [
        len({1 if point.x_cm > 1 else -1 for point in stage.sim.body.trajectory.samples(*span) if abs(point.x_cm) > 1})
        for span in passes
    ]
    assert {swing == 2 for swing in swings} == {turns}


def test_the_same_seed_is_the_same_rat_and_another_is_another() -> None:
    first, same, other = (run(seed, session_s=300).rows for seed in (1, 1, 2))
    assert first == same != other

"""The two-armed bandit in its plain form, poke by poke, in virtual time."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.blocks import blocks_of
from protocols.two_armed_bandit.params import Params
from rig.core.model.board import Input
from rig.core.task.random_streams import Stream, session_seed
from rig.session.replay import replay_lines
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from sim_hardware.driver import make_model
from sim_hardware.world.body import Body, light
from tests.harness import FaultHarness, Pokes, poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left"}
"""Left always pays, right never does, and that never changes."""


def trial(at_s: float, side: str, dwell_s: float = 0.4) -> Pokes:
    """A center poke, and half a second later a choice."""
    return [*poke("center", at_s), *poke(side, at_s + 0.5, dwell_s)]


def run(*pokes: Pokes, stop_session_s: float = 30, seed: int = 1, **values: Any) -> FaultHarness:
    prepared = protocol_spec(**{**SURE, "stop_session_s": stop_session_s, **values})
    return run_harness(prepared, scripted_subject(*pokes), seed=seed)


def seeded(seed: int | str) -> Stream:
    return Stream(random.Random(seed).random)


def one_row(harness: FaultHarness) -> dict[str, Any]:
    (row,) = harness.rows
    return row


# --- pokes too short to be meant ------------------------------------------------------------------------------


def test_pokes_count_from_ten_milliseconds_on_unless_a_file_says_otherwise() -> None:
    beams = [
        channel
        for channel in build_spec(SessionRequest("two_armed_bandit")).plan.wiring.channels
        if isinstance(channel, Input)
    ]
    assert {beam.name: beam.confirm_on_us for beam in beams} == dict.fromkeys(
        ("left.beam", "center.beam", "right.beam"), 10_000
    )


# --- blocks and odds ------------------------------------------------------------------------------------------


def test_the_first_high_side_is_otherwise_drawn_and_both_come() -> None:
    sides = [one_row(run(trial(2.0, "left"), start_high_side="random", seed=seed))["high_side"] for seed in range(12)]
    expected = ["left" if random.Random(f"{seed}/block").random() < 0.5 else "right" for seed in range(12)]
    assert sides == expected
    assert set(sides) == {"left", "right"}


def test_one_number_is_drawn_for_every_trial_and_both_sides_are_judged_by_it() -> None:
    sides = [random.Random("sides").choice(("left", "right")) for _ in range(11)]
    harness = run(*(trial(2.0 + 2.5 * n, side) for n, side in enumerate(sides)), p_high=0.6, seed=7)
    draws = random.Random("7/reward")
    pays = [draws.random() < (0.6 if side == "left" else 0.4) for side in sides]
    assert [row["rewarded"] for row in harness.rows] == pays


def test_what_the_mouse_does_never_changes_what_the_task_draws() -> None:
    good = run(*(trial(2.0 + 3 * n, "left") for n in range(8)), p_high=0.5, seed=3)
    clumsy = run(
        *(trial(2.0 + 3 * n, "left") for n in range(8)),
        *(poke("right", 3.3 + 3 * n) for n in range(8)),
        p_high=0.5,
        seed=3,
    )
    assert sum(row["error_pokes"] for row in clumsy.rows) == 7
    assert [row["rewarded"] for row in good.rows] == [row["rewarded"] for row in clumsy.rows]


@pytest.mark.parametrize("p_high", [0.5, 0.7, 0.8, 0.9, 1.0])
def test_the_odds_of_both_sides_make_one(p_high: float) -> None:
    blocks = blocks_of(Params(p_high=p_high, start_high_side="right"), {}, seeded(1), seeded(1))
    odds = blocks.odds()
    assert odds["right"] == p_high
    assert sum(odds.values()) == pytest.approx(1.0)
    assert repr(odds["left"]) == repr(round(1 - p_high, 12)), "a float that reads as it was meant"


def test_blocks_last_as_long_as_the_probability_to_stay_says() -> None:
    blocks = blocks_of(Params(q_stay=0.98), {}, seeded("blocks"), seeded(1))
    flips = sum(blocks.advance(rewarded=True) for _ in range(100_000))
    assert abs(flips - 2000) < 5 * (100_000 * 0.02 * 0.98) ** 0.5
    assert blocks.number == flips + 1


# --- who pays -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after_us", [1, 100, 400, 600, 900, 1000, 1100, 1101, 1200, 1300, 2000])
def test_a_choice_faster_than_the_link_is_paid_exactly_once(after_us: int) -> None:
    harness = run(poke("center", 2.0), poke("left", 2.0 + after_us / 1e6))
    assert one_row(harness)["outcome"] == "rewarded"
    assert one_row(harness)["delivered_by"] in ("board", "host")
    assert len(harness.openings("left.valve")) == harness.footer.rewards == 1
    if after_us <= 400:
        assert one_row(harness)["delivered_by"] == "host", "the board was not armed yet"
    if after_us >= 1200:
        assert one_row(harness)["delivered_by"] == "board"


# --- whatever the animal does ---------------------------------------------------------------------------------


@st.composite
def restless(draw: st.DrawFn) -> list[tuple[float, str, int]]:
    """A mouse all over the place: pokes of any port at any time, overlapping, some within microseconds."""
    moves, inside, at_us = [], set(), 10_000  # a nose at the very start refuses the session
    for _ in range(draw(st.integers(0, 60))):
        at_us += draw(st.one_of(st.integers(1, 2_000), st.integers(1, 600_000), st.integers(900_000, 2_100_000)))
        place = draw(st.sampled_from(["left", "center", "right"]))
        inside ^= {place}
        moves.append((at_us / 1e6, place, int(place in inside)))
    return moves


ways = st.fixed_dictionaries(
    {
        "error_poke": st.sampled_from(["restart_iti", "log_only"]),
        "center_repoke": st.sampled_from(["abort", "ignore"]),
        "repoke_refractory_ms": st.sampled_from([0, 30, 1000]),
        "min_poke_ms": st.sampled_from([0, 10]),
        "omission_iti": st.sampled_from(["none", "full"]),
        "omission_steps_markov": st.booleans(),
        "iti_reference": st.sampled_from(["side_withdrawal", "last_poke_entry", "decision_entry"]),
        "iti_waits_for_empty_ports": st.sampled_from([None, True, False]),
        "iti_min_s": st.sampled_from([0, 0.3, 1]),
        "initiation_timeout_s": st.sampled_from([None, 1]),
        "max_dwell_s": st.sampled_from([None, 0.2]),
        "reward_draw": st.sampled_from(["at_side_entry", "at_initiation_both"]),
        "switch_rule": st.sampled_from(["markov", "reward_block", "fixed", "fixed_block"]),
        "center_required": st.booleans(),
    }
)


@given(restless(), ways, st.integers(0, 3))
def test_whatever_the_animal_does_the_books_balance(
    moves: list[tuple[float, str, int]], how: dict[str, Any], seed: int
) -> None:
    few = {"block_rewards_min": 1, "block_rewards_max": 2, "block_trials": 2}
    given = {name: value for name, value in how.items() if value is not None}
    prepared = protocol_spec(p_high=0.7, q_stay=0.7, **few, **given, stop_session_s=40, stop_max_rewards=5)
    harness = run_harness(prepared, scripted_subject(moves), seed=seed)
    openings = sorted((*harness.openings("left.valve"), *harness.openings("right.valve")))
    rows = harness.rows
    assert harness.footer.complete
    assert len(openings) == sum(row["rewarded"] for row in rows) == harness.footer.rewards <= 5
    assert all(us == 40_000 for _, us in openings)
    assert harness.on_at_the_end() == []
    assert [row["trial"] for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        if row["t_side_in"] is not None and how["center_required"]:
            # An edge held back by its debounce and its confirmation may bear an earlier stamp.
            assert row["t_center_in"] - 0.015 <= row["t_side_in"] <= (row["t_side_out"] or 100)
        assert (row["t_side_in"] is not None) == (row["outcome"] in ("rewarded", "unrewarded") or bool(row["choice"]))
        assert row["rewarded"] <= 1
        assert row["outcome"] in ("rewarded", "unrewarded", "omission", "aborted", "interrupted")
    for first, second in pairwise(rows):
        completed = first["outcome"] in ("rewarded", "unrewarded")
        assert (second["high_side"] != first["high_side"]) == bool(first["flipped_after"])
        steps = completed or (first["outcome"] == "omission" and how["omission_steps_markov"])
        assert steps or not first["flipped_after"]
    assert replay_lines(harness.journal)[1] is None


# --- virtual mice ---------------------------------------------------------------------------------------------

SIGMAS = 5


def mouse(model: str, seed: int, **values: Any) -> list[dict[str, Any]]:
    """The rows of a virtual mouse's session."""
    return run_harness(protocol_spec(**values), make_model(model, {}).live, seed=seed).rows


def assert_fraction(hits: int, of: int, p: float) -> None:
    assert abs(hits - of * p) <= SIGMAS * (of * p * (1 - p)) ** 0.5, f"{hits} of {of} are not {p:.0%}"


def completed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["outcome"] in ("rewarded", "unrewarded")]


@pytest.mark.parametrize("p_high", [0.7, 0.9])
def test_an_animal_that_looks_at_nothing_but_the_lamps_is_paid_at_the_odds(p_high: float) -> None:
    async def always_left(body: Body) -> None:
        while True:
            await body.wait_for(light("center").on)
            await body.wait(0.2)
            for place in ("center", "left"):
                body.enter(place)
                await body.wait(0.2)
                body.leave(place)
                await body.wait(0.1)

    prepared = protocol_spec(p_high=p_high, q_stay=1, start_high_side="left", stop_session_s=500)
    rows = run_harness(prepared, always_left, seed=11).rows
    assert len(rows) > 220
    assert {row["outcome"] for row in rows} == {"rewarded", "unrewarded"}
    assert_fraction(sum(row["rewarded"] for row in rows), len(rows), p_high)
    assert all(row["error_pokes"] == 0 for row in rows)


@pytest.mark.parametrize("model", ["rflr", "random"])
def test_whatever_a_mouse_chooses_the_odds_and_the_blocks_are_as_written(model: str) -> None:
    rows = mouse(model, 21, q_stay=0.95, stop_session_s=1000)
    done = completed(rows)
    assert len(done) > 200
    for high in (True, False):
        chosen = [row for row in done if (row["choice"] == row["high_side"]) == high]
        assert_fraction(sum(row["rewarded"] for row in chosen), len(chosen), 0.8 if high else 0.2)
    assert_fraction(sum(row["flipped_after"] for row in done), len(done), 0.05)
    assert rows[-1]["block"] == 1 + sum(row["flipped_after"] for row in rows[:-1])
    assert {row["outcome"] for row in rows} == {"rewarded", "unrewarded", "omission", "aborted"}


def test_a_mouse_that_tosses_a_coin_goes_left_half_the_time() -> None:
    done = completed(mouse("random", 22, stop_session_s=900))
    assert_fraction(sum(row["choice"] == "left" for row in done), len(done), 0.5)
    assert_fraction(sum(a["choice"] != b["choice"] for a, b in pairwise(done)), len(done) - 1, 0.5)


def test_a_mouse_that_learns_follows_its_rewards() -> None:
    done = completed(mouse("rflr", 23, stop_session_s=900))
    after = {
        rewarded: [a["choice"] != b["choice"] for a, b in pairwise(done) if a["rewarded"] == rewarded]
        for rewarded in (0, 1)
    }
    switches = {rewarded: sum(changed) / len(changed) for rewarded, changed in after.items()}
    assert switches[1] < 0.1 < switches[0]
    assert sum(row["choice"] == row["high_side"] for row in done) > 0.6 * len(done)


@pytest.mark.campaign
def test_sixty_sessions_of_the_default_mouse_are_those_of_the_literature() -> None:
    sessions = [mouse("rflr", session_seed(1, "sixty", number)) for number in range(60)]
    done = [completed(rows) for rows in sessions]
    pairs = [pair for rows in done for pair in pairwise(rows)]
    every = [row for rows in done for row in rows]
    assert sum(row["rewarded"] for row in every) / len(every) == pytest.approx(0.686, abs=0.008)
    assert sum(a["choice"] != b["choice"] for a, b in pairs) / len(pairs) == pytest.approx(0.069, abs=0.006)
    assert sum(row["choice"] == row["high_side"] for row in every) / len(every) == pytest.approx(0.811, abs=0.015)
    trials = [len(rows) for rows in sessions]
    assert sum(trials) / 60 == pytest.approx(728, abs=73 / 60**0.5 * SIGMAS)
    rewards = [sum(row["rewarded"] for row in rows) for rows in done]
    assert sum(rewards) / 60 == pytest.approx(502, abs=54 / 60**0.5 * SIGMAS)
    assert_fraction(sum(row["flipped_after"] for row in every), len(every), 0.02)
    latencies = sorted(row["latency_s"] for row in every)
    assert latencies[len(latencies) // 2] == pytest.approx(0.46, abs=0.02)

"""Whatever a rat does in the maze, and whatever befalls the link, what is promised of laps and pellets holds."""

from itertools import accumulate
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rig.session.replay import replay_lines
from sim_hardware.link_model import LinkFaults
from tests.harness import FaultHarness, Pokes
from tests.protocols.delay_discounting.maze import pulses, run, tones

PLACES = ("start", "choice", "left", "right")
SESSION_S = 90

moves = st.lists(
    st.tuples(st.floats(0.01, 4), st.sampled_from(PLACES), st.booleans()).map(
        lambda move: (round(move[0], 3), move[1], int(move[2]))
    ),
    max_size=60,
)
mazes = st.sampled_from((None, "sim_t_maze_circles"))
"""Zones that are beams, and zones that a tracker tells."""
links = st.one_of(
    st.none(),
    st.builds(
        LinkFaults,
        latency_s=st.floats(0, 0.05),
        jitter_s=st.floats(0, 0.02),
        flip=st.sampled_from([0, 1e-3]),
        drop=st.sampled_from([0, 1e-3]),
        seed=st.integers(0, 99),
    ),
)


def at_times(steps: list[tuple[float, str, int]]) -> Pokes:
    """Turn pauses between moves into their times."""
    times = accumulate((pause_s for pause_s, _, _ in steps), initial=1.0)
    return [(at_s, place, level) for at_s, (_, place, level) in zip(list(times)[1:], steps, strict=True)]


def delivered(harness: FaultHarness) -> float:
    """Sum up the pellets that the reward lines say were delivered."""
    last = harness.rewards
    return sum(line.amount for line in last if line.status == "delivered")


def hold(harness: FaultHarness) -> None:
    """Hold a session against everything that is promised of all of them."""
    assert harness.outcome is not None
    assert harness.outcome.reason in ("time_limit", "trial_limit", "reward_limit")
    given_at = {side: pulses(harness, side) for side in ("left", "right")}
    world = len(given_at["left"]) + len(given_at["right"])
    assert harness.footer.pellets == world == delivered(harness)
    assert sum(row["pellets_given"] for row in harness.rows) == world
    delay_s = 2
    for number, row in enumerate(harness.rows, start=1):
        assert (row["lap"], row["delay_before_s"]) == (number, delay_s)
        delay_s = row["delay_after_s"]
        assert delay_s == (row["delay_before_s"] + 1 if row["side"] == "left" else max(1, row["delay_before_s"] - 1))
        if row["outcome"] == "rewarded":
            assert row["pellets"] == (3 if row["side"] == "left" else 1)
            assert row["n_tones"] == row["delay_experienced_s"] + 1
            assert row["pellets_retried"] == 0
        else:
            assert (row["outcome"], row["pellets"]) in (("skip", 0), ("interrupted", 0))
    compared, difference = replay_lines(harness.journal)
    assert difference is None, f"after {compared} decisions"
    assert harness.on_at_the_end() == []


def test_a_countdown_that_the_board_starts_a_tick_after_its_answer_gives_no_pellet_too_many() -> None:
    """Over a slow link the board's answer was older, by one tick, than the start that it confirmed."""
    approach = [
        *(1.0, 1.0, 1.719, 1.375, 1.125, 1.219, 1.5, 1.375, 1.656, 1.688),
        *(1.969, 1.188, 1.094, 1.469, 3.562, 3.656, 1.906, 1.156, 1.781, 1.938),
    ]
    return_s = [1.594, 1.625, 2.0, 3.219, 2.656, 3.938, 3.844, 3.594, 3.438, 3.312, 3.312, 3.031]
    at_start = [*[(pause_s, "start", 0) for pause_s in approach], (1.812, "start", 1)]
    steps = [*at_start, *[(pause_s, "start", 0) for pause_s in return_s], (3.469, "left", 1)]
    link = LinkFaults(latency_s=0.03125, seed=0)
    hold(run(at_times(steps), stop_session_s=SESSION_S, faults=link, seed=6, maze="sim_t_maze_circles"))


@given(moves, links, st.integers(0, 9), mazes)
def test_laps_and_pellets_are_what_the_rows_say(
    steps: list[Any], faults: LinkFaults | None, seed: int, maze: str | None
) -> None:
    harness = run(at_times(steps), stop_session_s=SESSION_S, faults=faults, seed=seed, maze=maze)
    hold(harness)
    if faults is None:
        assert sum(row["n_tones"] for row in harness.rows if row["outcome"] != "interrupted") <= len(tones(harness))


@given(moves, st.integers(3, 8), mazes)
def test_a_limit_in_pellets_holds_whatever_the_rat_does(steps: list[Any], most: int, maze: str | None) -> None:
    harness = run(at_times(steps), stop_session_s=SESSION_S, stop_max_pellets=most, maze=maze)
    assert harness.footer.pellets == len(pulses(harness, "left")) + len(pulses(harness, "right")) <= most

"""A link that flips, drops and doubles one byte in a thousand, with 1 to 5 ms of delay: the science is the same."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean, variance

import pytest

from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.journal.kinds import FAULTS, HealthLine
from rig.records.session.summary import shares
from rig.records.session.trials import write_trials
from sim_hardware.link_model import LinkFaults
from tests.harness import EdgeAt, FaultHarness, bad_link, run_with_faults
from tests.rules.pin_trace_oracle import check_session
from tests.rules.probe_task import of_edges
from tests.session_specs import task_spec

ITI_US, WINDOW_US = 1_000_000, 2_000_000
CLEAN = LinkFaults(latency_s=0.001)


def routine(seed: int, trials: int) -> Iterator[EdgeAt]:
    """An animal by the clock: at least 50 ms between anything it does and anything the task does by itself.

    It begins with a poke to no avail, so that every later instant follows from its own edges alone.
    """
    draw = random.Random(f"{seed}/routine")

    def some_us(least: int, most: int) -> int:
        return least + int(draw.random() * (most - least))

    at_us = 3_000_000 + some_us(0, 100_000)
    yield at_us, "left", 1
    at_us += some_us(100_000, 300_000)
    yield at_us, "left", 0
    for _ in range(trials):
        at_us += ITI_US + some_us(350_000, 900_000)
        yield at_us, "center", 1
        kind = draw.random()
        side = "left" if draw.random() < 0.5 else "right"
        if kind < 0.1:  # no choice: out again, and the window passes
            yield at_us + 200_000, "center", 0
            at_us += WINDOW_US - ITI_US + 50_000
        elif kind < 0.2:  # a second poke at the center ends the trial
            yield at_us + 150_000, "center", 0
            yield at_us + 500_000, "center", 1
            at_us += some_us(600_000, 700_000)
            yield at_us, "center", 0
        else:
            yield at_us + some_us(60_000, 250_000), "center", 0
            at_us += some_us(350_000, WINDOW_US - 50_000)
            yield at_us, side, 1
            at_us += some_us(100_000, 800_000)
            yield at_us, side, 0
            if kind < 0.4:  # back once more: an error that restarts the interval
                at_us += some_us(100_000, 400_000)
                yield at_us, side, 1
                at_us += some_us(100_000, 400_000)
                yield at_us, side, 0


def by_the_clock(seed: int, link: LinkFaults) -> FaultHarness:
    edges = tuple(routine(seed, 40))
    return run_with_faults(task_spec(TwoArmedBandit, stop={"session_s": 180}, seed=seed), edges, faults=link)


def written(harness: FaultHarness, folder: Path) -> tuple[list[tuple[str, int]], bytes]:
    """The state log from the first edge on, and the table as it is on disk."""
    table = write_trials(folder, harness.spec.header.columns, harness.rows).read_bytes()
    first_us = harness.edges[0].t_us
    return [(name, t_us) for name, t_us in harness.states if t_us >= first_us], table


def compare_by_the_clock(seed: int, folder: Path) -> None:
    bad, clean = by_the_clock(seed, bad_link(seed)), by_the_clock(seed, CLEAN)
    check_session(bad)
    check_session(clean)
    (health,) = bad.of_kind(HealthLine)
    assert health.counters["damaged"] + health.counters["board_damaged"] > 15
    assert health.counters["resent"] + health.counters["board_resent"] > 15
    assert len(clean.rows) == 40
    assert written(bad, folder) == written(clean, folder)
    assert bad.valve_openings == clean.valve_openings
    assert of_edges(bad.journal) == of_edges(clean.journal)


@pytest.mark.parametrize("seed", range(2))
def test_an_animal_by_the_clock_leaves_the_same_log_and_the_same_table(seed: int, tmp_path: Path) -> None:
    compare_by_the_clock(seed, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 400))
def test_an_animal_by_the_clock_leaves_the_same_log_and_the_same_table_however_often(seed: int, tmp_path: Path) -> None:
    compare_by_the_clock(seed, tmp_path)


def idle_leases(seed: int) -> int:
    """Return how many leases ran out in two hours in which nothing moves, so that keep-alives alone renew them."""
    stop = {"session_s": 7200, "idle_stop_s": None}
    harness = run_with_faults(task_spec(TwoArmedBandit, stop=stop, seed=seed), faults=bad_link(seed))
    assert harness.footer.reason == "time_limit"
    assert harness.of_kind(HealthLine)[0].counters["board_damaged"] > 200
    return len(harness.of_kind(*FAULTS))


@pytest.mark.parametrize("seed", range(2))
def test_in_two_idle_hours_no_lease_runs_out(seed: int) -> None:
    assert idle_leases(seed) == 0


@pytest.mark.campaign
def test_in_four_hundred_idle_hours_no_lease_runs_out() -> None:
    """Without repetitions of a keep-alive, one runs out in about 3 of these hours."""
    assert sum(idle_leases(seed) for seed in range(100, 300)) == 0


def mouse(seed: int, link: LinkFaults, session_s: float) -> FaultHarness:
    """A session of the mouse, every row held against its own edges and every drop against the valves."""
    script = task_spec(TwoArmedBandit, stop={"session_s": session_s, "max_rewards": 800}, seed=seed)
    harness = run_with_faults(script, model=RflrMouse(RflrParams(session_s=session_s)), faults=link, seed=seed)
    check_session(harness)
    assert harness.footer.complete
    assert not harness.footer.unconfirmed_rewards
    assert len(harness.valve_openings) == harness.footer.rewards == sum(row["rewarded"] for row in harness.rows)
    return harness


@pytest.mark.parametrize("seed", range(2))
def test_no_reward_of_a_mouse_is_given_twice_and_none_is_lost(seed: int) -> None:
    harness = mouse(seed, bad_link(seed), 300)
    assert harness.footer.rewards > 20
    assert harness.of_kind(HealthLine)[0].counters["damaged"] > 20


def measures(harness: FaultHarness) -> Mapping[str, float]:
    found: Mapping[str, float] = shares(harness.spec.header, harness.rows)["shares"]
    return found


@pytest.mark.campaign
def test_a_mouse_behaves_the_same_within_two_standard_errors() -> None:
    seeds = range(int(os.environ.get("RIG_SEEDS", "20")))
    of_mice = {
        name: [measures(mouse(seed, link(seed), 2400)) for seed in seeds]
        for name, link in {"bad": bad_link, "clean": lambda seed: CLEAN}.items()
    }
    for measure in ("reward_rate", "p_switch"):
        bad, clean = ([found[measure] for found in of_mice[name]] for name in ("bad", "clean"))
        error = ((variance(bad) + variance(clean)) / len(seeds)) ** 0.5
        print(f"{measure}: bad {mean(bad):.4f}, clean {mean(clean):.4f}, standard error {error:.4f}")  # noqa: T201
        assert abs(mean(bad) - mean(clean)) <= 2 * error

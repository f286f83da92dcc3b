"""Everything a task can learn is a line of the journal; fed with those lines it decides the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.subjects.random_choice import RandomMouse
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import REPLAYED_INPUTS, SessionLine, StateLine
from rig.core.model.events import BoardTime, Edge, LeaseExpired, OutputOn, Request
from rig.session.replay import replay_lines
from tests.harness import Fault, FaultHarness, bad_link, nose_pokes, run_with_faults
from tests.replay_decisions import recorded_decisions, replayed_decisions
from tests.session_specs import task_spec

BUSY = {"choice_window_s": 1, "iti_min_s": 0.2}


def mouse(*injected: Fault, seed: int = 1, **how: Any) -> FaultHarness:
    """A minute of a bandit's mouse."""
    script = task_spec(TwoArmedBandit, BUSY, {"session_s": 40, "max_rewards": 1000}, seed=seed)
    return run_with_faults(script, (), *injected, model=RandomMouse(RandomMouse.Params()), seed=seed, **how)


def without_decisions(lines: list[SessionLine]) -> list[SessionLine]:
    return [line for line in lines if isinstance(line, (*REPLAYED_INPUTS, Header, Footer))]


FAULTS: dict[str, tuple[Fault, ...]] = {
    "nothing": (),
    "rewards by hand": (
        (3.0, lambda harness: harness.request("reward left")),
        (7.0, lambda harness: harness.request("reward right")),
    ),
    "a pause": ((9.0, lambda harness: harness.request("pause")), (20.0, lambda harness: harness.request("resume"))),
    "a live parameter": ((9.0, lambda harness: harness.request("set reward_ul=5")),),
    "a stalled host": tuple((float(at_s), lambda harness: harness.stall(0.7)) for at_s in range(2, 40, 3)),
    "an expired lease": ((9.5, lambda harness: harness.block_input(2.5)),),
    "three expired leases": tuple((at_s, lambda harness: harness.block_input(2.5)) for at_s in (5.0, 12.0, 19.0)),
    "a stop": ((11.1, lambda harness: harness.request("stop")),),
    "a pulled cable": ((11.1, lambda harness: harness.rig.cable.disconnect()),),
    "a reset": ((11.1, lambda harness: harness.rig.board.reset()),),
}


@pytest.mark.parametrize("injected", FAULTS.values(), ids=FAULTS.keys())
def test_fed_with_its_inputs_and_nothing_else_a_protocol_decides_the_same(injected: tuple[Fault, ...]) -> None:
    harness = mouse(*injected)
    assert len(harness.rows) > 1
    assert replayed_decisions(harness.journal) == recorded_decisions(harness.journal)
    assert replayed_decisions(without_decisions(harness.journal)) == recorded_decisions(harness.journal)


@pytest.mark.parametrize("seed", range(3))
def test_what_happened_over_a_bad_link_is_decided_again_in_the_same_way(seed: int) -> None:
    harness = mouse(seed=seed, faults=bad_link(seed))
    assert replayed_decisions(without_decisions(harness.journal)) == recorded_decisions(harness.journal)
    agreed, difference = replay_lines(harness.journal)
    assert difference is None
    assert agreed == len(recorded_decisions(harness.journal))


def test_a_journal_rebuilds_its_script_from_its_header() -> None:
    script = task_spec(FreeWater, {"pause_s": 0.5}, {"session_s": 5, "max_rewards": 2}, seed=9)
    harness = run_with_faults(
        script, nose_pokes(*((t_us, "left", 50_000) for t_us in (1_000_000, 2_000_000, 3_000_000)))
    )
    assert harness.footer.reason == "reward_limit"
    assert replayed_decisions(harness.journal) == recorded_decisions(harness.journal)


def moved(edge: Edge) -> Edge:
    return replace(edge, t_us=edge.t_us + 1)


def elsewhere(edge: Edge) -> Edge:
    return replace(edge, channel="right.beam" if edge.channel == "left.beam" else "left.beam")


@pytest.mark.parametrize("change", [moved, elsewhere])
def test_an_edge_that_was_tampered_with_is_found_in_its_trial(change: Callable[[Edge], Edge]) -> None:
    harness = mouse()
    row = harness.rows[2]
    lines = [
        change(line) if isinstance(line, Edge) and line.level and line.t_us == round(row["t_side_in"] * 1e6) else line
        for line in harness.journal
    ]
    assert lines != harness.journal
    _, difference = replay_lines(lines)
    assert difference is not None
    assert difference.trial == row["trial"]


def test_without_the_boards_answers_no_deadline_passes() -> None:
    """A replay has no clock: it stays where the journal stays silent."""
    harness = run_with_faults(
        task_spec(FreeWater, {"pause_s": 0.5}, {"session_s": 5}), nose_pokes((1_000_000, "left", 50_000))
    )
    first = harness.of_kind(BoardTime)[0]
    lines = [line for line in harness.journal if not isinstance(line, BoardTime) or line is first]
    states = [line.name for line in replayed_decisions(lines) if isinstance(line, StateLine)]
    assert states == ["wait", "pause"]
    assert [name for name, _ in harness.states] == ["wait", "pause", "wait"]


def test_every_kind_of_input_has_been_heard_of_in_these_tests() -> None:
    kinds = {type(line) for name in ("rewards by hand", "an expired lease") for line in mouse(*FAULTS[name]).journal}
    assert kinds & {*REPLAYED_INPUTS} == {Edge, OutputOn, BoardTime, Request, LeaseExpired}

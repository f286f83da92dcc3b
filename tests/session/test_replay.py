"""Replay: a journal's inputs, and nothing else, make its protocol replayed_decisions the same again."""

import asyncio
import copy
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rig.core.errors import ConfigError, OrderRefusedError, RecordError
from rig.core.journal.codec import decode, encode
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import (
    REPLAYED_OUTPUTS,
    AllOffDone,
    BatchDone,
    Command,
    HealthLine,
    Note,
    OutputDone,
    ParamsChanged,
    Paused,
    Resumed,
    RewardLine,
    RowLine,
    SessionLine,
    StateLine,
    TrialLine,
)
from rig.core.model.board import Wiring
from rig.core.model.events import BoardTime, Edge
from rig.session.replay import replay_lines, spec_of_header
from rig.session.replay_board import ReplayBoard
from rig.session.replay_comparison import Difference, RecordedDecisions
from sim_hardware.link_model import LinkFaults
from sim_hardware.world.body import Body, light
from tests.harness import FaultHarness, SubjectScript, poke, run_harness, scripted_subject
from tests.replay_decisions import recorded_decisions, replayed_decisions
from tests.session_specs import protocol_spec
from tests.tables import rows

DULL = (StateLine, TrialLine, Command, BatchDone, OutputDone, AllOffDone, Note, HealthLine)
"""What a replay must not need."""


def hasty(seed: int) -> SubjectScript:
    """An animal that does a bandit's trials quickly, and all that can be done wrong in them."""

    async def live(body: Body) -> None:
        draw = random.Random(f"{seed}/hasty")

        async def visit(place: str, for_s: float) -> None:
            body.enter(place)
            await body.wait(for_s)
            body.leave(place)

        while True:
            await body.wait_for(light("center").on)
            await body.wait(draw.random() * 0.2)
            await visit("center", 0.02 + draw.random() * 0.2)
            what = draw.random()
            if what < 0.1:
                await body.wait(1.2)
            elif what < 0.2:
                await visit("center", 0.1)
            await body.wait(draw.random() * 0.5)
            await visit(draw.choice(["left", "right"]), 0.02 + draw.random() * 0.5)
            if draw.random() < 0.3:
                await visit(draw.choice(["left", "right", "center"]), 0.05)

    return live


def session(
    seed: int, faults: LinkFaults | None = None, carried_over: dict[str, Any] | None = None, **values: Any
) -> FaultHarness:
    quick = {"choice_window_s": 0.8, "iti_min_s": 0.2, "q_stay": 0.8, "stop_session_s": 30}
    return run_harness(
        protocol_spec(**{**quick, **values}), hasty(seed), seed=seed, faults=faults, carried_over=carried_over
    )


def without_dull(lines: list[SessionLine]) -> list[SessionLine]:
    return [line for line in lines if not isinstance(line, DULL)]


def with_header(lines: list[SessionLine], **changed: Any) -> list[SessionLine]:
    """The lines, with a header that differs in these fields."""
    return [replace(lines[0], **changed), *lines[1:]]


def params_of(lines: list[SessionLine]) -> dict[str, Any]:
    header = lines[0]
    assert isinstance(header, Header)
    return header.params


@pytest.fixture(scope="module")
def journal() -> list[SessionLine]:
    """One session, whose lines are not to be changed."""
    return session(1).journal


@pytest.fixture(scope="module")
def bad_journal() -> list[SessionLine]:
    """A session on a damaged link that stalls until a lease expires."""

    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: stall_link(harness)

    def stall_link(harness: FaultHarness) -> None:
        clock = harness.rig.board._clock
        lane = harness.rig.cable.to_board
        for at_s in (4.05, 15.3):
            clock.call_later(at_s, lane.hold)
            clock.call_later(at_s + 2.7, lane.release)
        clock.call_later(9.1, harness.session.request, "reward left")

    faults = LinkFaults(0.002, 0.004, flip=3e-4, drop=3e-4, double=3e-4, seed=5)
    harness = run_harness(
        protocol_spec(choice_window_s=0.8, iti_min_s=0.2, stop_session_s=30),
        hasty(5),
        seed=5,
        faults=faults,
        arrange=arrange,
    )
    assert harness.footer.lease_expirations == 2
    return harness.journal


# --- exact ----------------------------------------------------------------------------------------------------


@rows("seed", "values")
def test_a_replay_decides_the_same_again(seed: int, values: dict[str, Any]) -> None:
    lines = session(seed, **values).journal
    assert sum(isinstance(line, TrialLine) for line in lines) >= 3
    assert replay_lines(lines) == (len(recorded_decisions(lines)), None)


@pytest.mark.campaign
def test_fifty_sessions_on_links_good_and_bad_replay_exactly() -> None:
    decisions = trials = 0
    for seed in range(1000, 1050):
        draw = random.Random(seed)
        faults = LinkFaults(draw.random() * 0.01, draw.random() * 0.01, *[draw.choice([0, 1e-4, 1e-3])] * 3, seed=seed)
        choices = {
            "center_repoke": draw.choice(["abort", "ignore"]),
            "error_poke": draw.choice(["restart_iti", "log_only"]),
            "omission_iti": draw.choice(["none", "full"]),
            "iti_min_s": draw.choice([0, 0.1, 0.5]),
        }
        lines = session(seed, faults, stop_session_s=240, **choices).journal
        agreed, difference = replay_lines(lines)
        assert difference is None, seed
        assert replayed_decisions(without_dull(lines)) == recorded_decisions(lines), seed
        decisions += agreed
        trials += sum(isinstance(line, TrialLine) for line in lines)
    print(f"50 sessions, {trials} trials, {decisions} decisions")  # noqa: T201


def test_a_replay_reads_nothing_but_inputs(journal: list[SessionLine]) -> None:
    absent = {RowLine, Paused, Resumed, ParamsChanged}
    present = {*REPLAYED_OUTPUTS} - absent | {BatchDone, Edge, BoardTime, HealthLine, Footer}
    assert {type(line) for line in journal} >= present
    assert replayed_decisions(without_dull(journal)) == recorded_decisions(journal)


def test_a_session_with_damage_lost_leases_and_a_manual_reward_replays_the_same(bad_journal: list[SessionLine]) -> None:
    assert replay_lines(bad_journal) == (len(recorded_decisions(bad_journal)), None)
    assert replayed_decisions(without_dull(bad_journal)) == recorded_decisions(bad_journal)


@pytest.mark.parametrize("when_s", [0.0, 3.0, 7.77, 12.345])
def test_a_session_that_the_operator_stopped_replays_the_same(when_s: float) -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(
            when_s, harness.session.request, "stop"
        )

    harness = run_harness(protocol_spec(stop_session_s=30), hasty(2), arrange=arrange)
    assert harness.footer.reason == "operator"
    assert replay_lines(harness.journal) == (len(recorded_decisions(harness.journal)), None)


def test_what_a_subject_has_carried_over_is_part_of_the_header() -> None:
    harness = session(3, carried_over={"last_high_side": "left"})
    assert spec_of_header(harness.of_kind(Header)[0]).carried_over == {"last_high_side": "left"}
    assert replay_lines(harness.journal)[1] is None


def test_another_protocol_replays_the_same_too() -> None:
    pokes = [poke("left", at_s, 0.2) for at_s in (1.0, 2.5, 9.0)]
    harness = run_harness(protocol_spec("free_water", stop_session_s=20), scripted_subject(*pokes))
    assert harness.of_kind(TrialLine)
    assert replay_lines(harness.journal) == (len(recorded_decisions(harness.journal)), None)


def test_a_replay_changes_nothing_of_what_it_reads(journal: list[SessionLine]) -> None:
    before = copy.deepcopy(journal)
    replay_lines(journal)
    assert journal == before


# --- what differs ---------------------------------------------------------------------------------------------


WINDOW_US = 500_000


def latest_choices() -> FaultHarness:
    """Four trials, whose choices all come 10 ms before the end of the window."""
    visits = []
    for trial in range(4):
        at_s = 2.0 + 3 * trial
        visits += [poke("center", at_s, 0.1), poke("left" if trial % 2 else "right", at_s + 0.49, 0.2)]
    return run_harness(protocol_spec(choice_window_s=0.5, iti_min_s=0.5, stop_session_s=20), scripted_subject(*visits))


def with_choice_at(lines: list[SessionLine], choice: int, t_us: int) -> list[SessionLine]:
    return [*lines[:choice], replace(lines[choice], t_us=t_us), *lines[choice + 1 :]]


def decided(line: SessionLine | None) -> str:
    assert isinstance(line, StateLine | RewardLine)
    return line.name if isinstance(line, StateLine) else line.status


@pytest.mark.parametrize("trial", [1, 2, 3, 4])
def test_a_choice_moved_across_its_deadline_makes_its_trial_the_first_that_differs(trial: int) -> None:
    harness = latest_choices()
    lines, row = harness.journal, harness.rows[trial - 1]
    assert row["choice"]
    assert replay_lines(lines)[1] is None
    chosen_us, opened_us = round(row["t_side_in"] * 1e6), round(row["t_center_in"] * 1e6)
    choice = next(place for place, line in enumerate(lines) if isinstance(line, Edge) and line.t_us == chosen_us)
    assert chosen_us < opened_us + WINDOW_US

    difference = replay_lines(with_choice_at(lines, choice, opened_us + WINDOW_US))[1]
    assert difference is not None
    assert decided(difference.replayed) in ("outcome", "delivered"), "an edge at the deadline counts"

    moved = with_choice_at(lines, choice, opened_us + WINDOW_US + 1)
    agreed, difference = replay_lines(moved)
    assert difference is not None
    assert difference.trial == trial
    assert difference.replayed is not None
    assert decided(difference.recorded) in ("outcome", "delivered", "cancelled"), "the state, or what was paid or not"
    rows = [line.row for line in replayed_decisions(moved) if isinstance(line, TrialLine)]
    assert rows[trial - 1]["outcome"] == "omission"
    assert agreed == recorded_decisions(lines).index(difference.recorded)


def test_a_decision_that_was_changed_is_found_in_its_trial(journal: list[SessionLine]) -> None:
    third = [place for place, line in enumerate(journal) if isinstance(line, TrialLine)][2]
    line = journal[third]
    assert isinstance(line, TrialLine)
    changed = replace(line, row={**line.row, "reward_ul": line.row["reward_ul"] + 1})
    agreed, difference = replay_lines([*journal[:third], changed, *journal[third + 1 :]])
    assert difference is not None
    assert difference.trial == 3
    assert agreed == len(recorded_decisions(journal[:third]))


def test_a_decision_too_many_or_too_few_is_a_difference(journal: list[SessionLine]) -> None:
    states = [place for place, line in enumerate(journal) if isinstance(line, StateLine)]
    less = journal[: states[-1]] + journal[states[-1] + 1 :]
    assert replay_lines(less)[1] is not None
    more = [*journal[:-1], journal[states[-1]], journal[-1]]
    difference = replay_lines(more)[1]
    assert isinstance(difference, Difference)
    assert difference.replayed is None


def test_an_edge_left_out_is_a_difference(journal: list[SessionLine]) -> None:
    choice = next(line for line in journal if isinstance(line, Edge) and line.fired)
    assert replay_lines([line for line in journal if line is not choice])[1] is not None


def test_another_seed_or_parameter_in_the_header_decides_otherwise(journal: list[SessionLine]) -> None:
    params = {**params_of(journal), "choice_window_s": 0.5}
    for changed in ({"seed": 2}, {"params": params}):
        assert replay_lines(with_header(journal, **changed))[1] is not None


# --- cut off --------------------------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=60)
def test_a_journal_cut_at_any_line_replays_as_far_as_it_goes(
    journal: list[SessionLine], bad_journal: list[SessionLine], data: st.DataObject
) -> None:
    whole = data.draw(st.sampled_from([journal, bad_journal]))
    lines = whole[: data.draw(st.integers(1, len(whole)))]
    assert RecordedDecisions(lines).crashed == (len(lines) < len(whole))
    agreed, difference = replay_lines(lines)
    assert difference is None
    assert agreed == len(recorded_decisions(lines))


@pytest.mark.campaign
def test_a_journal_cut_at_every_single_line_replays_as_far_as_it_goes(
    journal: list[SessionLine], bad_journal: list[SessionLine]
) -> None:
    for whole in (journal, bad_journal):
        for cut in range(1, len(whole)):
            assert replay_lines(whole[:cut])[1] is None, cut


def test_of_a_crash_what_was_decided_and_not_written_is_no_difference(journal: list[SessionLine]) -> None:
    row = next(place for place, line in enumerate(journal) if isinstance(line, TrialLine))
    assert len(replayed_decisions(journal[:row])) > len(recorded_decisions(journal[:row]))
    assert replay_lines(journal[:row])[1] is None


# --- what cannot be replayed ----------------------------------------------------------------------------------


def test_a_protocol_that_is_not_installed_is_named(journal: list[SessionLine]) -> None:
    with pytest.raises(ConfigError, match=r"protocol 'two_armed_bandits' is not installed; did you mean"):
        replay_lines(with_header(journal, protocol="two_armed_bandits"))


@pytest.mark.parametrize("changed", [{"p_high": 7}, {"no_such_parameter": 1}])
def test_parameters_that_the_protocol_no_longer_takes_are_a_record_error(
    journal: list[SessionLine], changed: dict[str, Any]
) -> None:
    params = {**params_of(journal), **changed}
    with pytest.raises(RecordError, match="'two_armed_bandit' is not what it was when this was recorded"):
        replay_lines(with_header(journal, params=params))


def test_a_file_that_a_journal_names_is_not_read(journal: list[SessionLine], tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("the secret\n")
    params = {**params_of(journal), "trials_from": str(secret)}
    with pytest.raises(RecordError, match="a journal names a file: wanted the rows themselves") as caught:
        replay_lines(with_header(journal, params=params))
    assert "the secret" not in str(caught.value)


def test_the_board_of_a_replay_has_nothing_to_do() -> None:
    board = ReplayBoard()
    board.batch((), 0, 0, 1)
    board.ask_time(5)
    board.all_off()
    board.abort()
    assert board.estimate_us() == (0, 0)
    assert asyncio.run(board.close()).complete is False
    with pytest.raises(OrderRefusedError, match="no board to open"):
        asyncio.run(board.open(Wiring(())))


def test_replay_keeps_a_journals_decisions_in_less_memory_than_its_lines(
    journal: list[SessionLine],
) -> None:
    commands = [line for line in journal if isinstance(line, Command)] * 50
    raw = [encode(line) for line in (journal[0], *commands)]

    def memory_of(keep: Callable[[Iterator[SessionLine]], object]) -> int:
        tracemalloc.start()
        try:
            kept = keep(map(decode, raw))
            assert kept is not None
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    assert memory_of(RecordedDecisions) < memory_of(list) * 2 / 3

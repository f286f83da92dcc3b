"""Whatever the animal does and whatever befalls the link, the promises hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.boards.wire.go_back_n import GoBackN
from sim_hardware.link_model import LinkFaults
from tests.harness import EdgeAt, FaultHarness, run_with_faults
from tests.rules.faults import inject
from tests.rules.pin_trace_oracle import check_session
from tests.session_specs import nose_ports, task_spec

WINDOW_US, ITI_US, PAUSE_US, SESSION_US = 300_000, 200_000, 100_000, 8_000_000

Mishap = tuple[float, str, float]
"""When in the session, what, and how much of it."""


@dataclass(frozen=True)
class Chip:
    """The board's clock: its tick, where its 32 bits stand, how wrong it runs; and how many events it has counted."""

    tick_ns: int = 1000
    start: int = 0
    ppm: float = 0.0
    events: int = 0


@dataclass(frozen=True)
class Plan:
    """Everything that decides one session."""

    bandit: bool = True
    params: dict[str, Any] = field(default_factory=dict)
    stop: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    edges: tuple[EdgeAt, ...] = ()
    link: LinkFaults = field(default_factory=LinkFaults)
    injected: tuple[Mishap, ...] = ()
    chip: Chip = field(default_factory=Chip)
    beam: dict[str, Any] = field(default_factory=dict)


# --- what may be --------------------------------------------------------------------------------------------------

_near = st.sampled_from([0, 0, -1, 1])
_instants = st.sampled_from([0, 100, 5_000, WINDOW_US, ITI_US, PAUSE_US, 40_000])
_odd_us = st.one_of(
    st.integers(0, 300),
    st.integers(0, 400_000),
    st.builds(lambda at, off: max(0, at + off), _instants, _near),
)


def _usually(usual: st.SearchStrategy[int]) -> st.SearchStrategy[int]:
    return st.one_of(usual, usual, usual, _odd_us)


_pauses_us = _usually(st.integers(ITI_US, ITI_US + 200_000))
_gaps_us = _usually(st.integers(2_000, 80_000))
_places = st.sampled_from(["left", "center", "right"])


@st.composite
def edges(draw: st.DrawFn) -> tuple[EdgeAt, ...]:
    """Trials, bursts, edges microseconds apart, edges at the very deadlines, beams held."""
    at_us = draw(st.sampled_from([0, ITI_US, ITI_US + 5_000, 500_000]))
    level = dict.fromkeys(("left", "center", "right"), 0)
    made: list[EdgeAt] = []
    for _ in range(draw(st.integers(1, 10))):
        kind = draw(st.sampled_from(["trial", "trial", "trial", "burst", "pause", "end"]))
        if kind == "trial":
            at_us += draw(_pauses_us)
            side = draw(st.sampled_from(["left", "right"]))
            changes = ["center", "center", side, side]
        elif kind == "burst":
            changes = draw(st.lists(_places, min_size=1, max_size=6))
        else:
            changes = []
            at_us = at_us + draw(st.integers(0, 3_000_000)) if kind == "pause" else max(at_us, SESSION_US + draw(_near))
        for place in changes:
            level[place] = 1 - level[place]
            made.append((at_us, place, level[place]))
            at_us += draw(_gaps_us)
    return tuple(made)


_times = st.one_of(
    st.integers(0, int(SESSION_US / 100)).map(lambda t: t / 1e4), st.sampled_from([0.0, ITI_US / 1e6, SESSION_US / 1e6])
)
_much = st.sampled_from([0.0, 0.0005, 0.02, 0.3, 1.9, 2.2, 5.0, 9.9])
_trouble = st.one_of(
    st.tuples(_times, st.sampled_from(["stall", "block_input", "silence", "delay"]), _much),
    st.tuples(_times, st.sampled_from(["reward left", "reward right", "reward center", "nonsense"]), st.just(0.0)),
    st.tuples(_times, st.sampled_from(["stop", "reset", "unplug", "stop_now"]), st.just(0.0)),
)


@st.composite
def links(draw: st.DrawFn) -> LinkFaults:
    """From a good cable to one that hardly works, pulled out after any byte."""
    rate = st.sampled_from([0.0, 0.0, 0.0, 1e-3, 1e-2])
    return LinkFaults(
        latency_s=draw(st.sampled_from([0.0005, 0.0005, 0.0005, 0.0, 0.003, 0.003, 0.1, 1.2])),
        jitter_s=draw(st.sampled_from([0.0, 0.0, 0.004, 0.3])),
        flip=draw(rate),
        drop=draw(rate),
        double=draw(rate),
        cut_after_bytes=draw(st.one_of(st.none(), st.none(), st.none(), st.none(), st.integers(500, 8_000))),
        seed=draw(st.integers(0, 3)),
    )


chips = st.builds(
    Chip,
    st.sampled_from([1000, 1000, 4000, 500]),
    st.sampled_from([0, 0xFFFF_FFFF - 2_000_000]),
    st.sampled_from([0.0, 0.0, 5_000.0, -5_000.0]),
    st.sampled_from([0, 0, 0xFFF0]),
)

beams = st.sampled_from(
    [
        {},
        {},
        {"beam_inverted": True},
        {"beam_lockout_us": 0, "beam_min_on_us": 0},
        {"beam_min_on_us": 20_000, "beam_min_off_us": 1_000},
    ]
)

stops = st.fixed_dictionaries(
    {
        "session_s": st.just(SESSION_US / 1e6),
        "grace_s": st.sampled_from([2.0, 0.0, 0.1]),
        "max_rewards": st.sampled_from([1_000, 1_000, 1, 2, 4]),
        "max_ul": st.sampled_from([None, None, 2.4, 2.5, 7.4, 7.5]),
        "max_trials": st.sampled_from([None, None, None, None, 1, 3]),
    }
)

free_water = st.just({"pause_s": PAUSE_US / 1e6})
bandit = st.fixed_dictionaries(
    {
        "choice_window_s": st.just(WINDOW_US / 1e6),
        "iti_min_s": st.sampled_from([ITI_US / 1e6, ITI_US / 1e6, 0.0]),
        "p_high": st.sampled_from([1.0, 1.0, 0.8, 0.5]),
        "q_stay": st.sampled_from([0.98, 0.5]),
        "error_poke": st.sampled_from(["restart_iti", "log_only"]),
        "center_repoke": st.sampled_from(["abort", "ignore"]),
        "omission_iti": st.sampled_from(["none", "full"]),
    }
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A session with everything that may be."""
    is_bandit = draw(st.sampled_from([True, True, True, False]))
    return Plan(
        is_bandit,
        draw(bandit if is_bandit else free_water),
        draw(stops),
        draw(st.integers(0, 5)),
        draw(edges()),
        draw(links()),
        tuple(draw(st.lists(_trouble, max_size=3))),
        draw(chips),
        draw(beams),
    )


# --- what is done with it -----------------------------------------------------------------------------------------


def fit(harness: FaultHarness, chip: Chip) -> None:
    """Put the chip's clock on the rig."""
    ticks = harness.rig.board.ticks
    ticks.tick_ns, ticks._start = chip.tick_ns, chip.start
    ticks._per_s = 1e9 / chip.tick_ns * (1 + chip.ppm / 1e6)
    board, begin = harness.rig.board, harness.rig.board.on_open

    def opened() -> None:
        board._count = chip.events
        begin()

    board.on_open = opened


@contextmanager
def counting_from(events: int) -> Iterator[None]:
    """Let the host expect a board that has counted so many events already, so that they soon wrap."""
    begin_epoch = GoBackN.begin_epoch

    def begin(self: GoBackN, epoch: int, fresh: bool = False) -> None:
        begin_epoch(self, epoch, fresh)
        if fresh:
            self._accepted = self.last_journaled = events

    with patch.object(GoBackN, "begin_epoch", begin):
        yield


def perform(plan: Plan) -> FaultHarness:
    """Run a plan."""
    task = TwoArmedBandit if plan.bandit else FreeWater
    script = task_spec(task, plan.params, plan.stop, plan.seed, nose_ports(**plan.beam))
    happenings: list[tuple[float, Callable[[FaultHarness], object]]] = [
        (at_s, partial(inject, kind=kind, amount=amount)) for at_s, kind, amount in plan.injected
    ]
    with counting_from(plan.chip.events):
        return run_with_faults(
            script,
            plan.edges,
            *happenings,
            faults=plan.link,
            arrange=lambda harness: fit(harness, plan.chip),
            after_s=12.0,
            t_max=300,
        )


unhurried = {"suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}


@settings(max_examples=40, **unhurried)
@given(plans())
def test_the_promises_hold_whatever_happens(plan: Plan) -> None:
    check_session(perform(plan))


@pytest.mark.campaign
@settings(max_examples=5_000, **unhurried)
@given(plans())
def test_the_promises_hold_however_often(plan: Plan) -> None:
    check_session(perform(plan))

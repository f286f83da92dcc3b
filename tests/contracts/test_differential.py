"""The firmware and the board in Python, told the same at the same instants, say and do the same.

A script lives on a grid of 64 ms in which everything has its own phase, and causes are never nearer than 200 µs:
frames arrive at 0, and what they say is done within 1.7 ms; pulses end 2 ms after their cause, limits 4 ms, sequences
play 6 ms after their start; pins change at 12 ms (what waits for its confirmation fires 0.1 ms later, what was locked
out 5 ms later), trains go on 28 ms after their cause; sequences start at 33 ms, the lease ends at 37 ms, ``until`` is
at 50 ms.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.model.actions import Arm, Disarm, Pulse
from tests.avr_tools import need_avr_tools, need_pico_tools
from tests.contracts.differential import CHANNELS, AvrSubject, Frame, Record, Said, SimSubject, Step, play
from tests.contracts.differential_scripts import (
    FIRST_US,
    MADE,
    assert_alike,
    both,
    both_for_a_pico,
    scripts,
)


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


@pytest.mark.parametrize("examples", [5, pytest.param(25, marks=pytest.mark.campaign)])
def test_causes_200_us_apart_have_the_same_effects_in_the_same_order(examples: int) -> None:
    @settings(max_examples=examples)
    @given(scripts())
    def check(script: list[Step]) -> None:
        assert_alike(*both(script))

    check()


@pytest.mark.parametrize(
    "examples", [pytest.param(2, marks=pytest.mark.slow), pytest.param(25, marks=pytest.mark.campaign)]
)
def test_a_pico_does_the_same(examples: int) -> None:
    need_pico_tools()

    @settings(max_examples=examples)
    @given(scripts())
    def check(script: list[Step]) -> None:
        assert_alike(*both_for_a_pico(script))

    check()


@pytest.mark.parametrize("examples", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_a_clock_that_wraps_makes_no_difference(examples: int) -> None:
    @settings(max_examples=examples)
    @given(scripts(), st.integers(1, 200))
    def check(script: list[Step], laps: int) -> None:
        assert_alike(*both(script, laps))

    check()


@pytest.mark.parametrize("script", MADE)
@pytest.mark.parametrize("play_both", [both, pytest.param(both_for_a_pico, marks=pytest.mark.slow)])
def test_a_script_that_was_made_for_a_cause_has_the_same_effects(play_both: Any, script: list[Step]) -> None:
    if play_both is both_for_a_pico:
        need_pico_tools()
    assert_alike(*play_both(script))


# --- causes at any distance -----------------------------------------------------------------------------------

RIVALS = (("plain", 1, Pulse("light", 200)), ("lever", 1, Pulse("lamp", 200)))
"""Two inputs without a filter, of which the first decides."""
UNSURE_US = 500
"""So near to a change of groups it cannot be decided from outside which of the two an edge met."""


@st.composite
def races(draw: st.DrawFn) -> list[Step]:
    """Pins change at any microsecond, in bursts; every few milliseconds a group takes the place of the one before."""
    t_us, levels, steps, changed = FIRST_US, {"plain": 0, "lever": 0}, [], dict.fromkeys(("plain", "lever"), 0)
    for _ in range(draw(st.integers(2, 40))):
        t_us += draw(st.integers(0, 40) | st.integers(100, 3_000))
        name = draw(st.sampled_from(("plain", "lever")))
        if t_us - changed[name] >= SHORTEST_US:
            levels[name], changed[name] = levels[name] ^ 1, t_us
            steps.append(Step(t_us, pin=(name, levels[name])))
            if len(steps) % BURST == 0:
                t_us += CALM_US
    frames_us = range(FIRST_US - 10_000, t_us + 10_000, draw(st.integers(4_000, 9_000)))
    for group, at_us in enumerate(frames_us, 1):
        swap = (Disarm(group - 1), Arm(group, None, RIVALS)) if group > 1 else (Arm(group, None, RIVALS),)
        steps.append(Step(at_us, frame=Frame("batch", swap)))
    steps.append(Step(t_us + 30_000, frame=Frame("heard")))
    return sorted(steps, key=lambda step: step.t_us)


SHORTEST_US = 150
"""A change that lasts so long is never missed,"""
BURST, CALM_US = 6, 5_000
"""unless more come at once than an Uno keeps until it looks at them."""


def reported(script: list[Step], record: Record) -> list[Said]:
    """Return the edges, which are those of the pins."""
    edges = [event for event in record.events if event.kind == "EDGE"]
    for number, name in ((2, "plain"), (3, "lever")):
        wanted = [(step.t_us, step.pin[1]) for step in script if step.pin is not None and step.pin[0] == name]
        found = [(event.t_us, event.fields[0] >> 7) for event in edges if event.fields[0] & 0x7F == number]
        assert [level for _, level in found] == [level for _, level in wanted], name
        assert all(abs(a - b) <= 50 for (a, _), (b, _) in zip(found, wanted, strict=True)), name
    return edges


def assert_fair(script: list[Step], record: Record) -> None:
    """A group fires once, for the earliest edge that was reported since."""
    edges = reported(script, record)
    fired = [event.fields[1] for event in edges if event.fields[1]]
    assert len(fired) == len(set(fired))
    swaps = [step.t_us for step in script if step.frame is not None and step.frame.kind == "batch"]
    refused = {event.fields[1] - len(CHANNELS) for event in record.events if event.kind == "REFUSED"}
    for group, (at_us, seen) in enumerate(zip(swaps, record.heard, strict=False), 1):
        until_us = swaps[group] if group < len(swaps) else 10**9
        later = [event for place, event in enumerate(record.events, 1) if place > seen and event.kind == "EDGE"]
        first = next((event for event in later if event.fields[0] >> 7), None)
        winners = [event for event in edges if event.fields[1] == group]
        if group in refused:
            assert not winners
        elif first is not None and at_us <= first.t_us < until_us - UNSURE_US:
            assert winners == [first], group
        else:
            assert winners in ([], [first]), group


@pytest.mark.parametrize("subject", [SimSubject, AvrSubject])
@given(script=races())
def test_whatever_the_distance_no_edge_is_lost_and_the_earlier_one_wins(subject: type[Any], script: list[Step]) -> None:
    assert_fair(script, play(subject(), script, after_us=50_000))


@pytest.mark.parametrize("subject", [SimSubject, AvrSubject])
def test_an_edge_whose_input_goes_back_is_reported_even_if_a_later_one_has_fired_meanwhile(subject: type[Any]) -> None:
    script = [Step(at_us, pin=(name, level)) for at_us, name, level in OVERTAKEN]
    for group, at_us in enumerate(range(190_000, 220_000, 4_818), 1):
        disarmed = (Disarm(group - 1),) if group > 1 else ()
        script.append(Step(at_us, frame=Frame("batch", (*disarmed, Arm(group, None, RIVALS)))))
    script = [*sorted(script, key=lambda step: step.t_us), Step(240_655, frame=Frame("heard"))]
    assert len(reported(script, play(subject(), script, after_us=50_000))) == len(OVERTAKEN)


OVERTAKEN = (
    (200_032, "plain", 1),
    (200_274, "plain", 0),
    (200_281, "lever", 1),
    (200_929, "lever", 0),
    (200_947, "plain", 1),
    (201_549, "lever", 1),
    (209_548, "plain", 0),
    (210_655, "lever", 0),
)
"""While the firmware arms the group, one of its inputs changes twice, then the other once."""


# --- a search that goes on ------------------------------------------------------------------------------------

SEARCHED = 3_000
"""Scripts and races of a campaign, others each time; what it finds is printed as small as it gets."""


@pytest.mark.campaign
@settings(max_examples=SEARCHED, derandomize=False)
@given(scripts(), st.none() | st.integers(1, 200))
def test_no_search_finds_an_effect_that_differs(script: list[Step], laps: int | None) -> None:
    assert_alike(*both(script, laps))


@pytest.mark.campaign
@settings(max_examples=SEARCHED, derandomize=False)
@given(races())
def test_no_search_finds_an_edge_that_is_lost(script: list[Step]) -> None:
    assert_fair(script, play(AvrSubject(), script, after_us=50_000))

"""After the match the ledger equals the chip's openings, and where it cannot, it never counts too little."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.model.actions import Amount
from rig.records.openings.match import Decision, Expected, SeenOpening, Way, decide

NOTHING_LOST = float("-inf")
SMALL, DROP, LARGE = (Way("left.valve", us, "left", Amount(ul=us / 16_000)) for us in (20_000, 40_000, 80_000))
OTHER = Way("right.valve", 40_000, "right", Amount(ul=2.5))
PELLETS = Way("feeder.feeder", 30_000, "feeder", Amount(pellets=3), pulses=3, period_us=500_000)
PELLET = Way("feeder.feeder", 30_000, "feeder", Amount(pellets=1))


def doubt(number: int, *ways: Way, from_us: int = 0, until_us: int | None = None) -> Expected:
    return Expected(number, ways, from_us, until_us)


def certain(number: int, way: Way, at_us: int, within_us: int = 1_000) -> Expected:
    return Expected(number, (way,), at_us, at_us + within_us, is_certain=True)


def opening(way: Way, t_us: int, us: int | None = -1) -> SeenOpening:
    return SeenOpening(way.output, t_us, way.us if us == -1 else us)


def test_an_opening_that_nothing_else_explains_is_the_reward_in_doubt() -> None:
    known = certain(1, DROP, 1_000_000)
    openings = [opening(DROP, 1_000_500), opening(DROP, 3_000_000)]
    assert decide([known, doubt(2, DROP, from_us=1_000_000)], openings, NOTHING_LOST) == {2: Decision(DROP, 3_000_000)}


def test_a_reward_without_an_opening_was_not_given() -> None:
    known = certain(1, DROP, 1_000_000)
    found = decide([known, doubt(2, DROP, from_us=1_000_000)], [opening(DROP, 1_000_500)], NOTHING_LOST)
    assert found == {2: Decision(None)}


def test_the_length_tells_two_amounts_apart() -> None:
    found = decide([doubt(1, DROP), doubt(2, LARGE)], [opening(LARGE, 50_000)], NOTHING_LOST)
    assert found == {1: Decision(None), 2: Decision(LARGE, 50_000)}


def test_one_of_a_reflex_has_fired() -> None:
    found = decide([doubt(1, DROP, OTHER)], [opening(OTHER, 50_000)], NOTHING_LOST)
    assert found == {1: Decision(OTHER, 50_000)}


def test_a_reflex_yields_an_opening_that_an_order_needs() -> None:
    openings = [opening(DROP, 50_000), opening(OTHER, 90_000)]
    found = decide([doubt(1, DROP, OTHER), doubt(2, DROP)], openings, NOTHING_LOST)
    assert found == {1: Decision(OTHER, 90_000), 2: Decision(DROP, 50_000)}


@pytest.mark.parametrize("us", [None, 7_000])
def test_a_drop_that_was_cut_counts_in_full_and_as_the_largest_that_it_may_have_been(us: int | None) -> None:
    found = decide([doubt(1, SMALL), doubt(2, LARGE)], [opening(LARGE, 50_000, us)], NOTHING_LOST)
    assert found[2] == Decision(LARGE, 50_000)


def test_a_reward_whose_opening_may_be_forgotten_stays_in_doubt() -> None:
    assert decide([doubt(1, DROP, from_us=10)], [], covered_from_us=20) == {}
    assert decide([doubt(1, DROP, from_us=30)], [], covered_from_us=20) == {1: Decision(None)}


def test_a_reward_whose_cause_is_not_known_stays_in_doubt() -> None:
    assert decide([doubt(1)], [], NOTHING_LOST) == {}


def test_an_opening_that_nothing_explains_keeps_all_of_its_output_in_doubt() -> None:
    assert decide([doubt(1, DROP, from_us=100_000)], [opening(LARGE, 150_000)], NOTHING_LOST) == {}
    assert decide([doubt(1, OTHER)], [opening(LARGE, 150_000)], NOTHING_LOST) == {1: Decision(None)}


def test_a_certain_reward_from_before_what_is_kept_takes_no_opening_from_one_in_doubt() -> None:
    early = certain(1, DROP, 900_000, within_us=1_000_000)
    found = decide([early, doubt(2, DROP, from_us=1_100_000)], [opening(DROP, 1_200_000)], covered_from_us=1_000_000)
    assert found == {2: Decision(DROP, 1_200_000)}
    found = decide([early, doubt(2, DROP, from_us=1_300_000)], [opening(DROP, 1_200_000)], covered_from_us=1_000_000)
    assert found == {2: Decision(None)}


def test_the_pulses_of_a_train_are_one_reward() -> None:
    pulses = [opening(PELLETS, t_us) for t_us in (100_000, 600_000, 1_100_000, 1_900_000)]
    found = decide([doubt(1, PELLETS), doubt(2, PELLET), doubt(3, PELLET)], pulses, NOTHING_LOST)
    assert found[1] == Decision(PELLETS, 100_000)
    assert sorted(found[number].way is not None for number in (2, 3)) == [False, True]


def test_a_train_that_was_stopped_counts_in_full() -> None:
    pulses = [opening(PELLETS, 100_000), opening(PELLETS, 600_000)]
    assert decide([doubt(1, PELLETS)], pulses, NOTHING_LOST) == {1: Decision(PELLETS, 100_000)}


@pytest.mark.parametrize(
    "openings",
    [
        [],
        [opening(DROP, 1_000_500)],
        [opening(DROP, 2_000_500), opening(DROP, 3_000_000)],
        [opening(DROP, 1_000_500), opening(OTHER, 2_000_500)],
        [opening(DROP, 1_000_500), opening(LARGE, 2_000_500)],
    ],
)
def test_a_certain_reward_without_its_opening_refutes_all_openings(openings: list[SeenOpening]) -> None:
    known = [certain(1, DROP, 1_000_000), certain(2, DROP, 2_000_000)]
    assert decide([*known, doubt(3, DROP, from_us=2_000_000)], openings, NOTHING_LOST) == {}


def test_a_certain_reward_whose_opening_may_be_forgotten_refutes_nothing() -> None:
    known = [certain(1, DROP, 1_000_000), certain(2, DROP, 2_000_000)]
    found = decide([*known, doubt(3, DROP, from_us=2_000_000)], [opening(DROP, 2_000_500)], covered_from_us=1_500_000)
    assert found == {3: Decision(None)}


# --- whatever happens -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """What a chip did, what the host knows of it, and what the chip has kept."""

    truth: dict[int, Way | None]
    expected: list[Expected]
    openings: list[SeenOpening]


WAYS = (SMALL, DROP, LARGE, OTHER)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Draw rewards one after the other: first those that the journal confirms, then those in doubt."""
    t_us, last_us = 1_000_000, 0
    truth: dict[int, Way | None] = {}
    expected: list[Expected] = []
    openings: list[SeenOpening] = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        way = draw(st.sampled_from(WAYS))
        began_us = t_us + draw(st.integers(0, 40_000))
        expected.append(certain(number, way, t_us, draw(st.sampled_from((50_000, 60_000, 100_000)))))
        openings.append(opening(way, began_us))
        truth[number], last_us = way, t_us
        t_us = began_us + 100_000 + draw(st.integers(0, 500_000))
    first = len(truth) + 1
    for number in range(first, first + draw(st.integers(0, 5))):
        ways = tuple(draw(st.lists(st.sampled_from(WAYS), min_size=1, max_size=3, unique=True)))
        given_by = draw(st.none() | st.sampled_from(ways))
        expected.append(doubt(number, *ways, from_us=draw(st.sampled_from((last_us, t_us)))))
        truth[number] = given_by
        if given_by is not None:
            openings.append(opening(given_by, t_us))
            t_us += 100_000 + draw(st.integers(0, 500_000))
    # The last opening may have been cut by a lease or a reset.
    if openings and openings[-1].t_us > last_us + 100_000 and draw(st.booleans()):
        openings[-1] = replace(openings[-1], us=draw(st.none() | st.integers(0, 15_000)))
    return History(truth, expected, openings)


def total(history: History, found: dict[int, Decision]) -> float:
    """Add up the ledger: what it knows, what was decided, and the most that a reward in doubt may be."""
    return sum(
        one.ways[0].amount.ul
        if one.is_certain
        else max(way.amount.ul for way in one.ways)
        if one.number not in found
        else way.amount.ul
        if (way := found[one.number].way) is not None
        else 0.0
        for one in history.expected
    )


def given_ul(history: History) -> float:
    return sum(way.amount.ul for way in history.truth.values() if way is not None)


@settings(max_examples=500)
@given(histories())
def test_the_ledger_equals_the_openings_if_none_is_forgotten(history: History) -> None:
    found = decide(history.expected, history.openings, NOTHING_LOST)
    assert found.keys() == {one.number for one in history.expected if not one.is_certain}
    assert sum(one.way is not None for one in found.values()) + sum(one.is_certain for one in history.expected) == len(
        history.openings
    )
    if all(one.us is not None and one.us > 15_000 for one in history.openings):
        assert total(history, found) == pytest.approx(given_ul(history))
    assert total(history, found) >= given_ul(history) - 1e-9


@settings(max_examples=500)
@given(histories(), st.integers(0, 6))
def test_the_ledger_never_counts_too_little_if_openings_are_forgotten(history: History, kept: int) -> None:
    left = history.openings[len(history.openings) - kept :] if kept else []
    if len(left) == len(history.openings):
        return
    # The oldest of them tells only from when on all are known.
    covered_from_us = left[0].t_us + 1 if left else float("inf")
    found = decide(history.expected, left[1:], covered_from_us)
    assert total(history, found) >= given_ul(history) - 1e-9

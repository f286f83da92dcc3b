"""Rules of inputs: those that never change, that change too rarely or too often, and that flicker."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.expectations.lines import edge, found, header, line, rules_found, visit

BUSY = [each for n in range(30) for each in visit("left.beam", 9 * n)]
LEFT_ALONE = {"left": {"kind": "port", "beam": 6}}


def test_an_input_that_never_changes_is_found_once_the_others_have() -> None:
    assert rules_found([*BUSY, line("time", 299), line("time", 301), line("time", 400)]) == [
        ("never_changed", "right.beam")
    ]


def test_an_input_of_a_device_that_the_protocol_does_not_use_may_rest() -> None:
    head = replace(header(), box=["left"])
    assert rules_found([*BUSY, line("time", 400)], head) == []


@pytest.mark.parametrize(("within_min", "found"), [(None, []), (6, []), (4, [("never_changed", "right.beam")])])
def test_a_protocol_says_how_long_an_input_may_rest(within_min: float | None, found: list[tuple[str, str]]) -> None:
    head = header(inputs={"right.beam": {"active_within_min": within_min}})
    assert rules_found([*BUSY, line("time", 330)], head) == found


def test_a_circle_is_an_input_too() -> None:
    circles = {"left": {"kind": "zone", "radius_cm": 20}, "right": {"kind": "zone", "radius_cm": 20}}
    zones = [line("zone", 10 * n, channel="left.zone", level=n % 2) for n in range(30)]
    assert rules_found([*zones, line("time", 301)], header(circles)) == [("never_changed", "right.zone")]


def test_too_few_entries_in_ten_minutes_are_found_again_after_a_recovery() -> None:
    head = header(LEFT_ALONE, inputs={"left.beam": {"min_entries_per_min": 2}})
    busy = [each for n in range(61) for each in visit("left.beam", 10 * n)]
    again = [each for n in range(61) for each in visit("left.beam", 1500 + 10 * n)]
    quiet = [line("time", t_s) for t_s in (605, 1300, 1400, 2105, 2800)]
    assert rules_found([*busy, *again, *quiet], head) == [("rate", "left.beam"), ("rate", "left.beam")]


@given(st.lists(st.integers(0, 300), max_size=40).map(sorted), st.integers(1, 8))
def test_too_many_entries_are_found_where_a_count_of_each_minute_finds_them(seconds: list[int], most: int) -> None:
    head = header(LEFT_ALONE, inputs={"left.beam": {"max_entries_per_min": most}})
    fullest = max((n + 1 - bisect_left(seconds, t_s - 59) for n, t_s in enumerate(seconds)), default=0)
    found = [each for each in rules_found([edge("left.beam", t_s) for t_s in seconds], head) if each[0] == "rate"]
    assert found == [("rate", "left.beam")] * (fullest > most)


def test_contacts_with_the_screen_have_a_rate_too() -> None:
    head = header({}, inputs={"screen": {"max_entries_per_min": 3}})
    touches = [line("touch", n, phase="down", peck=True, on="") for n in range(4)]
    assert rules_found(touches, head) == [("rate", "screen")]
    assert rules_found([line("touch", n, phase="move", peck=False, on="") for n in range(9)], head) == []


def test_more_entries_than_an_animal_makes_are_a_flicker_on_every_rig() -> None:
    licks = [each for n in range(200) for each in visit("left.beam", 0.11 * n, 0.05)]
    assert rules_found(licks, header(LEFT_ALONE)) == []
    flicker = [each for n in range(30) for each in visit("left.beam", 0.05 * n, 0.02)]
    assert rules_found(flicker, header(LEFT_ALONE)) == [("flicker", "left.beam")]


@pytest.mark.parametrize(
    ("sampled", "advice"),
    [
        (False, "clean it, check its alignment and its wire"),
        (True, "move its above and below further apart than the noise of the values, check the sensor and its wires"),
    ],
)
def test_a_threshold_that_flickers_is_not_told_to_be_a_dirty_beam(sampled: bool, advice: str) -> None:
    rig = header().rig
    channels = {"lever.pressed": replace(rig.channels["left.beam"], sampled=sampled)}
    head = replace(header(), rig=replace(rig, channels=channels))
    flicker = [each for n in range(30) for each in visit("lever.pressed", 0.05 * n, 0.02)]
    (finding,) = found(flicker, head)
    assert finding.text == f"lever.pressed flickers (30 entries within 2 s): {advice}"


@pytest.mark.parametrize(("short", "found"), [(30, []), (31, [("flicker", "left.beam")])])
def test_many_short_entries_are_a_flicker_where_a_file_says_what_is_short(
    short: int, found: list[tuple[str, str]]
) -> None:
    head = header(LEFT_ALONE, inputs={"left.beam": {"short_ms": 20, "max_short_pct": 60}})
    spans = [each for n in range(50) for each in visit("left.beam", 2 * n, 0.01 if n < short else 0.3)]
    assert rules_found(spans, head) == found


@pytest.mark.parametrize(("apart_s", "found"), [(0.002, []), (0.0005, [("coupled_inputs", "right.beam")])])
def test_two_beams_that_change_together_are_found_once(apart_s: float, found: list[tuple[str, str]]) -> None:
    both = [each for n in range(20) for each in (*visit("left.beam", 5 * n), *visit("right.beam", 5 * n + apart_s))]
    assert rules_found(both) == found


def test_beams_that_change_together_now_and_then_are_not_found() -> None:
    rarely = [each for n in range(9) for each in (*visit("left.beam", 50 * n), *visit("right.beam", 50 * n))]
    often = [each for n in range(100) for each in visit("right.beam", 5 * n + 2)]
    assert rules_found([*rarely, *often]) == []

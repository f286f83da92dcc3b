"""Rules of cameras, screens, clocks, links and of the end of a session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rig.core.journal.kinds import SessionLine
from tests.expectations.lines import edge, footer, found, header, line, monitor_of, rules_found

TRACKER = {"tracker": {"kind": "tracker", "hz": 60, "px_per_cm": 2}}


def frames(hz: float, lost: int = 0, until_s: float = 120, from_s: float = 0) -> Iterator[SessionLine]:
    """Yield the lines of blocks of one second."""
    for second in range(int(from_s), int(until_s)):
        yield line("positions", second + 1, samples=round(hz), lost=lost)


@pytest.mark.parametrize(
    ("hz", "expected"), [(60, []), (59, []), (58, [("frame_rate", "tracker")]), (120, [("frame_rate", "tracker")])]
)
def test_a_camera_delivers_its_frames_in_time(hz: float, expected: list[tuple[str, str]]) -> None:
    head = header(TRACKER, inputs={"tracker": {"hz": 60, "tolerance_hz": 1}})
    assert rules_found(frames(hz), head) == expected


def test_a_break_of_the_session_is_no_slow_camera() -> None:
    head = header(TRACKER, inputs={"tracker": {"hz": 60}}, limits={"max_lost_frames_pct": 2})
    gap = line("continued", 200, gap_us=140_000_000, why="link_lost")
    assert [rule for rule, _ in rules_found([*frames(60, 0, 60), gap, *frames(60, 0, 300, 200)], head)] == ["continued"]


@pytest.mark.parametrize(("hz", "expected"), [(59, []), (58, [("frames_lost", "tracker")])])
def test_missing_frames_are_counted_over_the_session(hz: float, expected: list[tuple[str, str]]) -> None:
    assert rules_found(frames(hz), header(TRACKER, limits={"max_lost_frames_pct": 2})) == expected


@pytest.mark.parametrize(("lost", "expected"), [(12, []), (13, [("untracked", "tracker")])])
def test_an_animal_that_the_camera_does_not_find_is_told(lost: int, expected: list[tuple[str, str]]) -> None:
    assert rules_found(frames(60, lost), header(TRACKER, limits={"max_untracked_pct": 20})) == expected


@pytest.mark.parametrize(
    ("lost", "unsent", "text"), [(2, 0, ""), (3, 0, "look at the cable"), (1, 1, "the board could not send")]
)
def test_values_that_are_missing_are_told_once_for_each_source(lost: int, unsent: int, text: str) -> None:
    wheel = [line("samples", second, source="wheel", lost=lost, unsent=unsent) for second in range(5)]
    lever = [line("samples", second, source="lever", lost=2) for second in range(5)]
    findings = found([*wheel, *lever], header({}))
    assert [(finding.rule, finding.about) for finding in findings] == ([("samples_lost", "wheel")] if text else [])
    assert all(text in finding.text for finding in findings)


@pytest.mark.parametrize(
    ("hz", "expected"), [(60, []), (30, [("pulse_rate", "camera.in")]), (0, [("pulse_rate", "camera.in")])]
)
def test_another_machine_gives_its_pulses_in_time(hz: int, expected: list[tuple[str, str]]) -> None:
    head = header({"camera": {"kind": "ttl_in", "pin": 2}}, inputs={"camera.in": {"hz": 60, "tolerance_hz": 1}})
    pulses = [edge("camera.in", 5 + n / hz) for n in range(20 * hz)] if hz else []
    assert rules_found([*pulses, *(line("time", t_s) for t_s in range(1, 26))], head)[:1] == expected


def test_pulses_that_came_in_a_break_are_not_missed() -> None:
    head = header({"camera": {"kind": "ttl_in", "pin": 2}}, inputs={"camera.in": {"hz": 10}})
    pulses = [edge("camera.in", n / 10) for n in range(1000) if not 305 < n < 605]
    gap = line("continued", 60.4, gap_us=30_000_000, why="reset")
    assert [rule for rule, _ in rules_found([*pulses, gap, line("time", 100)], head)] == ["continued"]


def shown(latency_s: float, count: int = 5) -> Iterator[SessionLine]:
    for n in range(count):
        yield line("command", n, batch=n, orders=[{"do": "show", "scene": f"s{n}"}])
        yield line("frame_shown", n + latency_s, scene=f"s{n}")


@pytest.mark.parametrize(("latency_s", "expected"), [(0.05, []), (0.06, [("frame_latency", "screen")])])
def test_a_screen_that_is_late_several_times_is_found(latency_s: float, expected: list[tuple[str, str]]) -> None:
    head = header({}, limits={"max_frame_latency_ms": 50})
    assert rules_found(shown(latency_s), head) == expected
    assert rules_found(shown(latency_s, 4), head) == []


def pecks(on: str) -> Iterator[SessionLine]:
    return (line("touch", 1 + n, phase="down", peck=True, on=on) for n in range(50))


def test_pecks_that_hit_nothing_are_found_while_something_is_shown() -> None:
    head = header({}, limits={"max_missed_pecks_pct": 30})
    scenes = [line("scene", 0, id="disks", items=[{}]), line("scene", 0, id="dark", items=[])]
    lit, dark = (line("frame_shown", 0, scene=scene) for scene in ("disks", "dark"))
    assert rules_found([*scenes, lit, *pecks("")], head) == [("missed_pecks", "screen")]
    assert rules_found([*scenes, lit, *pecks("a")], head) == []
    assert rules_found([*scenes, dark, *pecks("")], head) == []


@pytest.mark.parametrize(("late", "expected"), [(4, []), (5, [("decision_latency", "")])])
def test_decisions_that_come_late_are_found(late: int, expected: list[tuple[str, str]]) -> None:
    head = header({}, limits={"max_decision_ms": 100})
    lines = [
        each
        for n in range(50)
        for each in (
            line("command", n, batch=n),
            line("batch_done", n + (0.2 if n < late else 0.01), batch=n),
        )
    ]
    assert rules_found(lines, head) == expected


@pytest.mark.parametrize(
    ("t_s", "ppm", "expected"), [(600, 100, []), (600, -101, [("clock_drift", "")]), (59, 5000, [])]
)
def test_a_clock_that_drifts_is_found_in_a_session_of_a_minute(
    t_s: float, ppm: int, expected: list[tuple[str, str]]
) -> None:
    head = header({}, limits={"max_drift_ppm": 100})
    assert rules_found([line("health", t_s, counters={"rate_ppm": ppm})], head) == expected


@pytest.mark.parametrize(
    ("counters", "expected"),
    [
        ({"damaged": 5, "board_damaged": 5, "resent": 50}, []),
        ({"damaged": 5, "board_damaged": 6}, [("link", "")]),
        ({"resent": 30, "board_resent": 21}, [("link", "")]),
        ({"board_lost": 1}, [("link", "")]),
    ],
)
def test_the_counters_of_the_link_are_judged(counters: dict[str, int], expected: list[tuple[str, str]]) -> None:
    head = header({}, limits={"max_retransmissions_per_min": 5})
    assert rules_found([line("health", 600, counters=counters)], head) == expected


def test_an_output_that_the_board_had_to_end_is_found() -> None:
    assert rules_found([line("output_done", 1, output="left.valve", why="limit")]) == [("output_limit", "left.valve")]
    assert rules_found([line("output_done", 1, output="left.valve")]) == []


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"reason": "fault", "detail": "no answer"}, "bad"),
        ({"reason": "panic"}, "bad"),
        ({"reason": "crash"}, "bad"),
        ({"damaged": 2}, "bad"),
        ({"complete": False}, "suspicious"),
        ({"refused_orders": 1}, "suspicious"),
        ({"unconfirmed_rewards": 1}, "suspicious"),
        ({"reason": "operator"}, "good"),
    ],
)
def test_the_end_of_a_session_is_judged_by_its_last_footer(fields: dict[str, Any], word: str) -> None:
    monitor = monitor_of([footer(5, reason="crash", unconfirmed_rewards=3), footer(6, **fields)])
    monitor.end()
    assert monitor.verdict == word


@pytest.mark.parametrize(
    ("reported", "rule", "about"),
    [
        (line("note", 7, what="stuck", channel="left.beam", since_us=5), "stuck", "left.beam"),
        (line("note", 7, what="hopper_not_entered", hopper="hopper", times=3), "hopper_not_entered", "hopper"),
        (line("flood", 7, channel="left.beam", edges_per_s=38_000, number=4), "flood", "left.beam"),
        (line("fault", 7, what="reset", detail="power"), "reset", ""),
        (line("continued", 7, gap_us=5, why="reset"), "continued", ""),
    ],
)
def test_what_the_session_reports_is_a_finding_of_its_own_name(reported: SessionLine, rule: str, about: str) -> None:
    (finding,) = found([reported])
    assert (finding.rule, finding.about, finding.t_us) == (rule, about, 7_000_000)

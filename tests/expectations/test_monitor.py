"""A monitor reads a journal line by line, finds each thing once, and gives a verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.expectations.monitor import ExpectationMonitor
from tests.expectations.lines import edge, footer, header, line, monitor_of, reward, visit


def test_a_session_in_order_is_good() -> None:
    monitor = monitor_of([edge("left.beam", 1), footer(600)])
    assert (monitor.end(), monitor.verdict) == ([], "good")


def test_the_most_serious_finding_is_the_verdict() -> None:
    monitor = monitor_of(
        [
            line("note", 5, what="idle", since_us=0),
            line("fault", 6, what="link_lost", detail="no answer"),
            footer(7, reason="fault", detail="no answer"),
        ]
    )
    monitor.end()
    assert monitor.verdict == "bad"


def test_a_note_leaves_a_session_good() -> None:
    monitor = monitor_of([line("note", 5, what="reward_withheld", source="left", ul=2.5), footer(7)])
    assert (len(monitor.findings), monitor.verdict) == (1, "good")


def test_a_journal_without_an_end_is_bad() -> None:
    monitor = monitor_of([edge("left.beam", 1)])
    assert [finding.rule for finding in monitor.end()] == ["ending"]
    assert (monitor.end(), monitor.verdict) == ([], "bad")


def test_time_that_passes_without_lines_is_enough() -> None:
    expected = {"left": {"channel": "left.beam", "visit_within_s": 5, "max_missed": 1}}
    monitor = monitor_of([reward("left", 10)], header(rewards=expected))
    assert monitor.check(14_000_000) == []
    (finding,) = monitor.check(16_500_000)
    assert (finding.rule, finding.about) == ("not_collected", "left")
    assert monitor.check(30_000_000) == []


def test_no_time_passes_in_a_pause() -> None:
    expected = {"left.beam": {"min_entries_per_min": 1}}
    entries = [each for n in range(10) for each in visit("left.beam", 30 * n)]
    paused = monitor_of([*entries, line("pause", 310)], header({}, inputs=expected))
    assert paused.check(3_000_000_000) == []
    for each in (line("resume", 3000, paused_us=2_690_000_000), line("time", 3100)):
        assert paused.take(each) == []
    assert [finding.rule for finding in paused.take(line("time", 3900))] == ["rate"]


values = (
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False)
)
numbers = st.dictionaries(
    st.sampled_from(["min_entries_per_min", "max_entries_per_min", "hz", "short_ms", "max_short_pct", "tolerance_hz"]),
    st.sampled_from([0, 0.0, 0.001, 1, 1e12]),
) | st.just({"active_within_min": None})
limits = st.dictionaries(
    st.sampled_from(
        [
            *("max_rewards_per_trial", "max_incomplete_pct", "max_decision_ms", "max_missed_pecks_pct"),
            *("max_lost_frames_pct", "max_untracked_pct", "max_frame_latency_ms", "max_drift_ppm"),
            "max_retransmissions_per_min",
        ]
    ),
    st.sampled_from([0, 0.001, 1, 1e12]),
)
devices = st.dictionaries(
    st.sampled_from(["left", "right", "camera"]),
    st.dictionaries(st.sampled_from(["kind", "beam", "sensor", "radius_cm", "hz", "drop_s"]), values),
)
rewards = st.dictionaries(
    st.sampled_from(["left", "camera"]),
    st.builds(
        lambda said: {"channel": "left.beam", **said},
        st.dictionaries(
            st.sampled_from(["visit_within_s", "min_stay_s", "max_missed"]), st.sampled_from([0, 0.1, 1e12])
        ),
    ),
)
EXAMPLES: dict[str, dict[str, Any]] = {
    "edge": {"channel": "left.beam", "level": 1},
    "trial": {"outcome": 7},
    "reward": {"source": "left", "status": "delivered"},
    "positions": {"samples": 0, "lost": 3},
    "samples": {"source": "wheel", "lost": 20},
    "health": {"counters": {"rate_ppm": -1e300, "damaged": 0.5}},
    "command": {"batch": 1, "orders": [{"do": "nothing"}, {"do": "show", "scene": "a"}]},
    "batch_done": {"batch": 1},
    "output_done": {"output": "left.valve", "why": "limit"},
    "note": {"what": "stuck", "channel": 3, "since_us": "late"},
    "overflow": {"lost": 1},
    "frame_shown": {"scene": "a"},
    "scene": {"id": "a", "items": []},
    "touch": {"phase": "down", "peck": True, "on": ""},
}


inputs_expected = st.dictionaries(st.sampled_from(["left.beam", "camera.in", "screen", "left"]), numbers)


@settings(max_examples=50)
@given(devices, inputs_expected, limits, rewards, st.data())
def test_no_journal_within_its_bounds_makes_a_rule_fail(
    found: dict[str, Any], inputs: dict[str, Any], most: dict[str, Any], paid: dict[str, Any], data: st.DataObject
) -> None:
    monitor = monitor_of([], header(found, inputs=inputs, limits=most, rewards=paid))
    for t_us in data.draw(st.lists(st.integers(-(10**9), 10**9), max_size=20)):
        kind = data.draw(st.sampled_from(sorted(EXAMPLES)))
        monitor.take(line(kind, t_us / 1e6, **EXAMPLES[kind]))
    monitor.check(2 * 10**9)
    monitor.end()
    assert monitor.verdict in ("good", "suspicious", "bad")


@pytest.mark.parametrize("kind", ["edge", "note"])
def test_without_a_header_nothing_is_found(kind: str) -> None:
    assert ExpectationMonitor().take(line(kind, 5, **EXAMPLES[kind])) == []

"""The lanes that the window draws."""

import numpy as np

from rig.core.journal.kinds import SessionLine
from rig.window.session_lanes import MAX_LANES, Group, LaneRow, SessionLanes
from tests.expectations.lines import edge, line
from tests.window.journals import SESSION

HEADER = line("header", **SESSION)


def lanes_of(*lines: SessionLine) -> SessionLanes:
    lanes = SessionLanes()
    for each in (HEADER, *lines):
        lanes.take(each)
    return lanes


def row(lanes: SessionLanes, words: str, now_s: float = 0) -> list[tuple[int, int]]:
    """The spans of a lane in milliseconds."""
    (found,) = [each for each in lanes.rows(round(now_s * 1e6)) if each.words.strip() == words]
    return [(start // 1000, end // 1000) for part in found.parts for start, end in part[:2].T.tolist()]


def names(lanes: SessionLanes) -> list[str]:
    return [each.words.strip() for each in lanes.rows(0)]


def test_a_channel_of_the_rig_has_a_lane_before_it_changes() -> None:
    assert names(lanes_of()) == ["left.beam", "right.beam", "left.light", "left.valve"]


def test_states_follow_each_other_and_the_last_one_lasts_until_now() -> None:
    lanes = lanes_of(line("state", 0, name="ready"), line("state", 1, name="choose"), line("state", 3, name="ready"))
    assert row(lanes, "ready", now_s=5) == [(0, 1000), (3000, 5000)]
    assert row(lanes, "choose") == [(1000, 3000)]


def test_the_footer_ends_what_is_on() -> None:
    lanes = lanes_of(line("state", 1, name="ready"), line("footer", 4))
    assert row(lanes, "ready", now_s=9) == [(1000, 4000)]


def test_inputs_outputs_rewards_trials_and_notes_have_lanes() -> None:
    orders = [{"do": "pulse", "output": "left.valve", "us": 40_000}]
    lanes = lanes_of(
        edge("left.beam", 1),
        edge("left.beam", 1.5, 0),
        line("command", 2, batch=1, orders=orders),
        line("batch_done", 2, batch=1),
        line("reward", 2, source="left", status="pending"),
        line("reward", 2, source="left", status="delivered"),
        line("trial", 3, outcome="rewarded"),
        line("note", 4, what="odd"),
        line("touch", 5, phase="down", peck=True, on=""),
        line("touch", 6, phase="move", peck=False, on=""),
    )
    assert row(lanes, "left.beam") == [(1000, 1500)]
    assert row(lanes, "left.valve") == [(2000, 2040)]
    assert row(lanes, "left: reward") == [(2000, 2000)], "the pending line draws nothing"
    assert row(lanes, "trial rewarded") == [(3000, 3000)]
    assert row(lanes, "notes") == [(4000, 4000)]
    assert row(lanes, "pecks") == [(5000, 5000)]


def test_a_pause_has_a_lane() -> None:
    assert row(lanes_of(line("pause", 1), line("resume", 4, paused_us=3_000_000)), "(paused)") == [(1000, 4000)]


def test_what_is_old_is_kept_in_bounded_memory_and_drawn_all_the_same() -> None:
    lanes = lanes_of()
    for number in range(60_000):
        lanes.take(edge("left.beam", number, number % 2 ^ 1))
    (beam,) = [each for each in lanes.rows(60_000_000_000) if each.name == "left.beam"]
    assert sum(part.shape[1] for part in beam.parts) < 40_000
    shares = beam.coverage(1e6 * np.linspace(0, 60_000, 11))
    assert np.allclose(shares, 0.5, atol=0.01)


def test_a_journal_with_too_many_names_shows_some_of_them() -> None:
    lanes = lanes_of(*(line("state", n, name=f"s{n}") for n in range(500)), *(edge(f"c{n}", n) for n in range(500)))
    found = lanes.rows(0)
    assert len(found) <= MAX_LANES
    assert Group.STATE in {each.group for each in found}


def test_an_event_is_no_span() -> None:
    assert LaneRow(Group.TRIAL, "rewarded", ()).is_event
    assert not LaneRow(Group.INPUT, "left.beam", ()).is_event

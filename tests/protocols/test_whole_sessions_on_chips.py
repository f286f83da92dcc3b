"""Whole sessions on the firmware, and on the board in Python, of a subject that does the same at the same times."""

from bisect import bisect_left
from functools import partial
from typing import Any

import pytest

from rig.core.model.events import Edge
from sim_hardware.driver import make_model
from sim_hardware.world.body import Body
from tests.avr_tools import need_avr_tools, need_pico_tools
from tests.harness import FaultHarness, SubjectScript, run_harness
from tests.session_specs import protocol_spec, session_spec

SUBJECTS = {"two_armed_bandit": "rflr", "delay_discounting": "rat", "disk_bandit": "pigeon"}
RIGS = {"two_armed_bandit": "nose_ports", "delay_discounting": "t_maze", "disk_bandit": "pigeon_chamber"}
SESSIONS, PARTS = 100, 10
STAMP_US = 100
APART_S = 10e-3
"""What an order of the host causes comes later on the chip, as orders travel over its cable. The first ones, which name
its pins, take 9 ms."""
EDGE_S = 1e-3
"""By how much times may differ that follow from edges, on a board that is not late with its first orders."""
ACTS = ("enter", "leave", "consume", "peck", "press", "drag", "lift")

Act = tuple[int, str, tuple[Any, ...]]
"""A microsecond of the session, what the subject did, and its arguments."""


def record(acts: list[Act], harness: FaultHarness) -> None:
    """Keep what the subject of a session does."""
    body = harness.rig.body

    def keep(name: str, act: Any, *values: Any) -> Any:
        acts.append((round(body.now_s * 1e6), name, values))
        return act(*values)

    for name in ACTS:
        setattr(body, name, partial(keep, name, getattr(body, name)))


def doing(acts: list[Act]) -> SubjectScript:
    async def live(body: Body) -> None:
        for t_us, name, values in acts:
            await body.wait_until_us(t_us)
            getattr(body, name)(*values)

    return live


def assert_same(ours: dict[str, Any], theirs: dict[str, Any], seed: int, within_s: float = APART_S) -> None:
    """Check that two rows have the same values, and times that are apart by at most ``within_s``."""
    for name, value in ours.items():
        if isinstance(value, float):
            assert theirs[name] == pytest.approx(value, abs=within_s), (seed, name)
        else:
            assert theirs[name] == value, (seed, name)


def stamp_errors(harness: FaultHarness) -> list[int]:
    """Return for each edge in the journal how far its stamp is from the nearest such change of its pin, in us."""
    happened: dict[tuple[str, int], list[int]] = {}
    for t_us, channel, level in harness.trace:
        happened.setdefault((channel, level), []).append(t_us)
    errors = []
    for edge in harness.of_kind(Edge):
        times = happened[edge.channel, edge.level]
        place = bisect_left(times, edge.t_us)
        errors.append(min(abs(t_us - edge.t_us) for t_us in times[max(place - 1, 0) : place + 1]))
    return errors


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("protocol", SUBJECTS)
def test_in_a_hundred_sessions_decisions_are_the_same_and_stamps_tell_when(protocol: str, part: int) -> None:
    need_avr_tools()
    for seed in range(part, SESSIONS, PARTS):
        spec, acts = session_spec(protocol_spec(protocol), seed), list[Act]()
        model = make_model(SUBJECTS[protocol], {})
        ours = run_harness(spec, model=model, seed=seed, arrange=partial(record, acts))
        theirs = run_harness(spec, doing(acts), seed=seed, board="avr")
        assert theirs.error is None
        assert len(theirs.rows) == len(ours.rows) > 0
        for row, other in zip(ours.rows, theirs.rows, strict=True):
            assert_same(row, other, seed)
        assert max(stamp_errors(theirs)) <= STAMP_US, seed


@pytest.mark.slow
@pytest.mark.parametrize(("chip", "board"), [("pico", "sim"), ("uno", "avr"), ("pico", "pico")])
@pytest.mark.parametrize("protocol", SUBJECTS)
def test_the_shipped_rig_files_make_the_same_rows_on_a_pico_as_on_an_uno(protocol: str, chip: str, board: str) -> None:
    need_avr_tools()
    need_pico_tools()
    uno, other = (
        session_spec(protocol_spec(protocol, f"{RIGS[protocol]}_{name}", stop_session_s=60)) for name in ("uno", chip)
    )
    acts = list[Act]()
    ours = run_harness(uno, model=make_model(SUBJECTS[protocol], {}), arrange=partial(record, acts))
    theirs = run_harness(other, doing(acts), board=board)
    assert theirs.error is None
    assert len(theirs.rows) == len(ours.rows) > 1
    first, other_first = (dict(harness.rows[0]) for harness in (ours, theirs))
    # A lap may begin with the session, whose beginning follows from the host's first orders.
    assert other_first.pop("t_start", 0) == pytest.approx(first.pop("t_start", 0), abs=APART_S)
    for row, other_row in zip([first, *ours.rows[1:]], [other_first, *theirs.rows[1:]], strict=True):
        assert_same(row, other_row, 1, EDGE_S)

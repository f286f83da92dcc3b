"""Reflex groups: edges fire them, levels never; one firing, their end, CANCEL or a disarm ends them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.actions import NOTHING, Arm, Disarm, Pulse, Set
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.chip_bench import LEFT, OTHER_VALVE, RIGHT, VALVE, ChipBench

DROP, OTHER_DROP = Pulse("valve", 1_000), Pulse("other_valve", 1_000)


def arm(*members: tuple[str, int, object], group: int = 1, until_us: int | None = None) -> Arm:
    return Arm(group, until_us, members)  # type: ignore[arg-type]


@pytest.fixture
def bench() -> ChipBench:
    return ChipBench()


def test_the_action_comes_before_the_edge_is_sent_and_so_does_the_report_of_it(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)))
    bench.pin("left", 1)
    bench.run(10)
    assert bench.log == ["on", "valve", "edge"]


def test_what_a_reflex_switches_on_is_reported_with_its_edge_as_the_wire_has_it(bench: ChipBench) -> None:
    bench.order(arm(("left", 0, DROP), ("right", 1, OTHER_DROP), group=7))
    bench.script("right", [(100, 1)])
    bench.run(1_000)
    assert bench.said("on") == [(100, "other_valve", "reflex", 7, 128 + 1)]


def test_a_reflex_that_its_output_refuses_is_no_refusal_of_an_order(bench: ChipBench) -> None:
    bench.order(Pulse("valve", 9_000), arm(("left", 1, DROP)))
    bench.script("left", [(100, 1)])
    bench.run(20_000)
    assert bench.said("edge") == [(100, "left", 1, 0)]
    assert (bench.said("refused"), bench.chip.refused) == ([], 0)


@pytest.mark.parametrize(("t_us", "fired"), [(4_999, 1), (5_000, 1), (5_001, 0), (50_000, 0)])
def test_a_group_counts_edges_until_its_end_inclusive(bench: ChipBench, t_us: int, fired: int) -> None:
    bench.order(arm(("left", 1, DROP), until_us=5_000))
    bench.script("left", [(t_us, 1)])
    bench.run(100_000)
    assert bench.said("edge") == [(t_us, "left", 1, fired)]
    assert bool(bench.trace) is bool(fired)


@pytest.mark.parametrize("start", [0, 0xFFFF_F000])
def test_the_end_of_a_group_may_lie_behind_the_wrap_of_the_clock(start: int) -> None:
    for t_us, fired in ((9_000, 1), (9_001, 0)):
        bench = ChipBench(LEFT, VALVE, start=start)
        bench.order(arm(("left", 1, DROP), until_us=9_000))
        bench.script("left", [(t_us, 1)])
        bench.run(100_000)
        assert bench.said("edge")[0][3] == fired


@given(st.integers(1, 1 << 18), st.integers(0, 1 << 17), st.integers(0, 300))
def test_an_edge_is_newer_exactly_when_it_comes_behind_what_was_read(edge: int, events: int, unread: int) -> None:
    bench = ChipBench()
    bench.count = edge - 1
    bench.pin("left", 1)
    bench.run(1_000)
    bench.count = edge + events
    seen = max(0, bench.count - unread)
    assert bench.order(arm(("left", 1, DROP)), seen=seen) == ([(0, "newer_edge")] if edge > seen else [])


def test_a_chip_holds_so_many_groups_with_so_many_members_together() -> None:
    bench = ChipBench(LEFT, RIGHT, VALVE, OTHER_VALVE, capacity=Capacity(groups=2, reflexes=6))
    three = ("left", 1, DROP), ("left", 0, NOTHING), ("right", 1, DROP)
    assert bench.order(arm(*three, ("right", 0, NOTHING)), arm(*three, group=2)) == [(1, "no_room")]
    assert bench.order(arm(*three, group=1), arm(*three, group=2)) == []
    assert bench.order(arm(*three, group=3)) == [(0, "no_room")]
    assert bench.order(arm(*three, group=2)) == []
    assert bench.order(Disarm(1), arm(*three, group=3)) == []
    bench.script("left", [(100, 1)])
    bench.run(1_000)
    assert bench.order(arm(*three, group=1), arm(*three, group=2)) == []


def test_outputs_of_a_batch_are_driven_in_the_order_in_which_they_were_written(bench: ChipBench) -> None:
    bench.order(Set("light", True), Set("light", False), Pulse("valve", 10), Set("light", True))
    assert bench.trace == [(0, "light", 1), (0, "light", 0), (0, "valve", 1), (0, "light", 1)]

"""Reflex groups: edges fire them, levels never; one firing, their end, CANCEL or a disarm ends them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.actions import CANCEL, NOTHING, Arm, Disarm, Order, Pulse, Set, Tone, Train
from rig.core.model.board import Input
from rig.core.model.channels import Role
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.chip_bench import LEFT, OTHER_VALVE, RIGHT, VALVE, ChipBench

DROP, OTHER_DROP = Pulse("valve", 1_000), Pulse("other_valve", 1_000)


def arm(*members: tuple[str, int, object], group: int = 1, until_us: int | None = None) -> Arm:
    return Arm(group, until_us, members)  # type: ignore[arg-type]


@pytest.fixture
def bench() -> ChipBench:
    return ChipBench()


# --- firing -------------------------------------------------------------------------------------------------


def test_the_first_edge_of_a_member_does_its_action_in_the_same_instant_and_says_so(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP), ("right", 1, OTHER_DROP), group=7))
    bench.script("right", [(500, 1)])
    bench.script("left", [(600, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(500, "right", 1, 7), (600, "left", 1, 0)]
    assert bench.trace == [(500, "other_valve", 1), (1_500, "other_valve", 0)]


def test_the_action_comes_before_the_edge_is_sent(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)))
    bench.pin("left", 1)
    bench.run(10)
    assert bench.log == ["valve", "edge"]


def test_a_group_fires_once(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)))
    bench.script("left", [(100, 1), (200, 0), (5_000, 1)])
    bench.run(10_000)
    assert [edge[3] for edge in bench.said("edge")] == [1, 0, 0]
    assert len(bench.levels("valve")) == 2


def test_rising_and_falling_edges_are_different_members(bench: ChipBench) -> None:
    bench.order(arm(("left", 0, DROP)))
    bench.script("left", [(100, 1), (200, 0)])
    bench.run(10_000)
    assert bench.levels("valve")[0] == (200, 1)


def test_both_edges_of_an_input_can_be_members_of_one_group(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP), ("left", 0, OTHER_DROP)))
    bench.script("left", [(100, 1), (200, 0)])
    bench.run(10_000)
    assert bench.trace == [(100, "valve", 1), (1_100, "valve", 0)]


def test_a_beam_that_is_broken_at_arming_must_be_freed_and_broken_again(bench: ChipBench) -> None:
    bench.script("left", [(100, 1)])
    bench.run(200)
    bench.order(arm(("left", 1, DROP)))
    bench.run(1_000)
    assert bench.trace == []
    bench.script("left", [(2_000, 0), (3_000, 1)])
    bench.run(10_000)
    assert bench.levels("valve") == [(3_000, 1), (4_000, 0)]


def test_an_empty_action_ends_the_group_and_is_named_by_the_edge(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, NOTHING), ("right", 1, DROP), group=9))
    bench.script("left", [(100, 1)])
    bench.script("right", [(200, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 9), (200, "right", 1, 0)]
    assert bench.trace == []


def test_a_cancelling_edge_ends_the_group_without_a_deed(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, CANCEL), ("right", 1, DROP)))
    bench.script("left", [(100, 1)])
    bench.script("right", [(200, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 1), (200, "right", 1, 0)]
    assert bench.trace == []


def test_of_two_members_at_one_instant_the_channel_that_comes_first_in_the_rig_file_wins(bench: ChipBench) -> None:
    bench.order(arm(("right", 1, OTHER_DROP), ("left", 1, DROP)))
    bench.script("right", [(100, 1)])
    bench.script("left", [(100, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 1), (100, "right", 1, 0)]
    assert bench.trace == [(100, "valve", 1), (1_100, "valve", 0)]


def test_a_glitch_fires_nothing() -> None:
    bench = ChipBench(Input("left", Role.LINE, 2, 5_000, 100, 0), VALVE)
    bench.order(arm(("left", 1, DROP)))
    bench.script("left", [(100, 1), (150, 0)])
    bench.run(100_000)
    assert bench.trace == []


def test_an_action_that_is_refused_is_not_reported_as_done(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)), Train("valve", 10_000, 20_000, 4))
    bench.script("left", [(15_000, 1), (16_000, 0), (17_000, 1)])
    bench.run(1_000_000)
    assert [edge[3] for edge in bench.said("edge")] == [0, 0, 0]
    assert len(bench.levels("valve")) == 8


# --- the end of a group -------------------------------------------------------------------------------------


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


def test_an_edge_of_the_last_moment_counts_although_it_is_reported_later() -> None:
    bench = ChipBench(Input("left", Role.LINE, 2, 5_000, 100, 0), VALVE)
    bench.order(arm(("left", 1, DROP), until_us=1_000))
    bench.script("left", [(1_000, 1)])
    bench.run(100_000)
    assert bench.said("edge") == [(1_000, "left", 1, 1)]
    assert bench.levels("valve") == [(1_100, 1), (2_100, 0)]


def test_an_edge_behind_the_end_does_not_fire_and_a_later_one_neither(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP), ("right", 1, OTHER_DROP), until_us=1_000))
    bench.script("left", [(1_500, 1), (1_600, 0), (1_700, 1)])
    bench.script("right", [(1_800, 1)])
    bench.run(100_000)
    assert bench.trace == []


def test_a_disarmed_group_fires_nothing(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP), group=4))
    assert bench.order(Disarm(4), Disarm(5)) == []
    bench.script("left", [(100, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 0)]
    assert bench.trace == []


def test_disarming_in_the_instant_of_an_edge_comes_first_or_second_but_never_halfway(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)))
    bench.at(100, bench.order, Disarm(1))
    bench.script("left", [(100, 1)])
    bench.run(10_000)
    assert bool(bench.trace) is bool(bench.said("edge")[0][3])


def test_disarming_does_not_stop_what_the_group_has_begun(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)))
    bench.script("left", [(100, 1)])
    bench.at(200, bench.order, Disarm(1))
    bench.run(10_000)
    assert bench.levels("valve") == [(100, 1), (1_100, 0)]


def test_arming_a_number_again_replaces_the_group(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP)))
    bench.order(arm(("right", 1, OTHER_DROP)))
    bench.script("left", [(100, 1)])
    bench.script("right", [(200, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 0), (200, "right", 1, 1)]


# --- arming over an edge that the host has not read ---------------------------------------------------------


def test_arming_over_a_newer_edge_of_a_member_is_refused(bench: ChipBench) -> None:
    bench.script("left", [(100, 1), (200, 0)])
    bench.run(1_000)
    assert bench.order(arm(("left", 1, DROP)), seen=0) == [(0, "newer_edge")]
    assert bench.order(arm(("left", 0, DROP)), seen=1) == [(0, "newer_edge")]
    bench.script("left", [(2_000, 1), (3_000, 0)])
    bench.run(10_000)
    assert bench.trace == []


def test_arming_over_an_edge_that_was_read_is_accepted(bench: ChipBench) -> None:
    bench.script("left", [(100, 1), (200, 0)])
    bench.run(1_000)
    assert bench.order(arm(("left", 1, DROP)), seen=1) == []


def test_a_newer_edge_of_a_stranger_does_not_matter(bench: ChipBench) -> None:
    bench.script("right", [(100, 1)])
    bench.script("left", [(200, 1)])
    bench.run(1_000)
    assert bench.order(arm(("left", 0, DROP), ("right", 0, DROP)), seen=0) == []


def test_refusing_to_arm_keeps_the_rest_of_the_batch(bench: ChipBench) -> None:
    bench.script("left", [(100, 1)])
    bench.run(1_000)
    refused = bench.order(Set("light", True), arm(("left", 1, DROP)), arm(("right", 1, DROP), group=2), seen=0)
    assert refused == [(1, "newer_edge")]
    bench.script("right", [(2_000, 1)])
    bench.run(10_000)
    assert bench.levels("light") == [(1_000, 1)]
    assert bench.said("edge")[-1] == (2_000, "right", 1, 2)


@pytest.mark.parametrize("last", [0xFFF0, 0xFFFF, 0x1_0000, 0x1_0001, 0x2_FFFF])
def test_event_numbers_may_wrap_between_what_was_read_and_what_is_newer(bench: ChipBench, last: int) -> None:
    bench.count = last - 1
    bench.script("left", [(100, 1)])
    bench.run(1_000)
    assert bench.order(arm(("left", 1, DROP)), seen=last - 1) == [(0, "newer_edge")]
    assert bench.order(arm(("left", 1, DROP)), seen=last) == []
    bench.count = last + 20
    assert bench.order(arm(("left", 1, DROP)), seen=last - 1) == [(0, "newer_edge")]
    assert bench.order(arm(("left", 1, DROP)), seen=last + 20) == []


@given(st.integers(1, 1 << 18), st.integers(0, 1 << 17), st.integers(0, 300))
def test_an_edge_is_newer_exactly_when_it_comes_behind_what_was_read(edge: int, events: int, unread: int) -> None:
    bench = ChipBench()
    bench.count = edge - 1
    bench.pin("left", 1)
    bench.run(1_000)
    bench.count = edge + events
    seen = max(0, bench.count - unread)
    assert bench.order(arm(("left", 1, DROP)), seen=seen) == ([(0, "newer_edge")] if edge > seen else [])


# --- several groups -----------------------------------------------------------------------------------------


def test_groups_do_not_disturb_each_other(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP), group=1), arm(("right", 1, OTHER_DROP), group=2))
    bench.script("left", [(100, 1)])
    bench.script("right", [(200, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 1), (200, "right", 1, 2)]


def test_an_edge_in_two_groups_ends_both_and_names_the_one_that_pays(bench: ChipBench) -> None:
    for payer in (1, 2):
        bench = ChipBench()
        groups = [
            arm(("left", 1, DROP if group == payer else NOTHING), ("right", 1, DROP), group=group) for group in (1, 2)
        ]
        bench.order(*groups)
        bench.script("left", [(100, 1)])
        bench.script("right", [(5_000, 1)])
        bench.run(10_000)
        assert bench.said("edge") == [(100, "left", 1, payer), (5_000, "right", 1, 0)]
        assert bench.trace == [(100, "valve", 1), (1_100, "valve", 0)]


def test_an_edge_that_pays_in_two_groups_does_the_one_deed_that_it_can_name(bench: ChipBench) -> None:
    # One edge has room for one group. The host gives the other drop itself: if the chip had, it would be given twice.
    bench.order(arm(("left", 1, DROP), group=5), arm(("left", 1, OTHER_DROP), group=6))
    bench.script("left", [(100, 1), (5_000, 0), (6_000, 1)])
    bench.run(10_000)
    assert [edge[3] for edge in bench.said("edge")] == [5, 0, 0]
    assert bench.trace == [(100, "valve", 1), (1_100, "valve", 0)]


def test_when_the_first_groups_deed_is_refused_the_second_may_do_its_own(bench: ChipBench) -> None:
    bench.order(Pulse("valve", 50_000), arm(("left", 1, DROP), group=5), arm(("left", 1, OTHER_DROP), group=6))
    bench.script("left", [(100, 1)])
    bench.run(100_000)
    assert bench.said("edge") == [(100, "left", 1, 6)]
    assert bench.levels("other_valve") == [(100, 1), (1_100, 0)]


def test_a_chip_holds_so_many_groups_of_so_many_members() -> None:
    bench = ChipBench(LEFT, RIGHT, VALVE, OTHER_VALVE, capacity=Capacity(groups=2, members=3))
    three = ("left", 1, DROP), ("left", 0, NOTHING), ("right", 1, DROP)
    assert bench.order(arm(*three, ("right", 0, NOTHING))) == [(0, "no_room")]
    assert bench.order(arm(*three, group=1), arm(*three, group=2)) == []
    assert bench.order(arm(*three, group=3)) == [(0, "no_room")]
    assert bench.order(arm(*three, group=2)) == []
    assert bench.order(Disarm(1), arm(*three, group=3)) == []
    bench.script("left", [(100, 1)])
    bench.run(1_000)
    assert bench.order(arm(*three, group=1), arm(*three, group=2)) == []


# --- the order within a batch -------------------------------------------------------------------------------


def test_a_batch_disarms_then_arms_then_drives_whatever_its_order(bench: ChipBench) -> None:
    bench.order(arm(("left", 1, DROP), group=1))
    orders: list[Order] = [Set("light", True), arm(("left", 1, DROP), group=1), Disarm(1), Tone("speaker", 440, 100)]
    assert bench.order(*orders) == []
    bench.script("left", [(100, 1)])
    bench.run(10_000)
    assert bench.said("edge") == [(100, "left", 1, 1)]
    assert bench.trace[:2] == [(0, "light", 1), (0, "speaker", 440)]


def test_refusals_name_the_place_in_the_batch_as_it_was_sent(bench: ChipBench) -> None:
    bench.order(Pulse("valve", 5_000))
    refused = bench.order(Set("light", True), Pulse("valve", 1), Disarm(3), Pulse("valve", 2), Set("light", False))
    assert refused == [(1, "busy"), (3, "busy")]


def test_outputs_of_a_batch_are_driven_in_the_order_in_which_they_were_written(bench: ChipBench) -> None:
    bench.order(Set("light", True), Set("light", False), Pulse("valve", 10), Set("light", True))
    assert bench.trace == [(0, "light", 1), (0, "light", 0), (0, "valve", 1), (0, "light", 1)]

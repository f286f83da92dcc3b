import pytest

from rig.core.engine.reflex import LONGEST_DEADLINE_US, ReflexGroup, ReflexGroups, check_members
from rig.core.errors import TaskError
from rig.core.model.actions import CANCEL, NOTHING, Arm, Pulse, RewardAction, Set
from rig.core.model.events import Edge
from rig.core.model.patterns import EdgePattern, LevelPattern, ScreenPattern

LEFT, RIGHT, CENTER = (EdgePattern(f"{place}.beam", 1) for place in ("left", "right", "center"))
DROP = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)
BIG = RewardAction(Pulse("right.valve", 80_000), "right", 5.0)
LIGHT = Set("left.light", True)


def edge(pattern, t_us, fired=0):
    return Edge(t_us, pattern.channel, pattern.level, fired, 1)


def armed(members, until_us=None):
    group = ReflexGroup(3, members)
    group.arm(until_us, 0)
    return group


def test_the_order_that_arms_a_group_has_its_members_in_the_order_of_the_protocol():
    group = ReflexGroup(3, {LEFT: DROP, CENTER: CANCEL})
    group.watch([RIGHT, LEFT])
    assert group.arm(70, 0) == Arm(
        3, 70, (("left.beam", 1, DROP), ("center.beam", 1, CANCEL), ("right.beam", 1, NOTHING))
    )
    assert group.armed
    assert group.until_us == 70


def test_what_a_board_cannot_see_ends_a_wait_and_is_no_member():
    group = ReflexGroup(3, {LEFT: DROP})
    group.watch([RIGHT, ScreenPattern("screen.peck"), ScreenPattern("screen.shown")])
    assert set(group.members) == {LEFT, RIGHT}
    check_members(group, [LEFT, ScreenPattern("screen.peck")])
    with pytest.raises(TaskError, match="which is not a member"):
        check_members(ReflexGroup(4, {LEFT: DROP}), [RIGHT])


def test_no_reflex_answers_a_touch():
    with pytest.raises(TaskError, match=r"screen\.peck: the board does not read the screen"):
        ReflexGroup(3, {ScreenPattern("screen.peck"): DROP})


def test_the_first_edge_of_a_member_decides_and_no_other_after_it():
    group = armed({LEFT: DROP, RIGHT: BIG})
    assert group.resolve(edge(CENTER, 5)) is None
    assert group.resolve(edge(EdgePattern("left.beam", 0), 6)) is None
    assert group.resolve(edge(RIGHT, 7)) is BIG
    assert group.resolve(edge(LEFT, 8)) is None
    assert group.deciding_edge == edge(RIGHT, 7)


@pytest.mark.parametrize(("t_us", "action"), [(99, DROP), (100, DROP), (101, None)])
def test_an_edge_decides_no_later_than_at_the_end_of_the_group(t_us, action):
    assert armed({LEFT: DROP}, 100).resolve(edge(LEFT, t_us)) is action


def test_a_group_that_is_not_armed_decides_nothing():
    assert ReflexGroup(1, {LEFT: DROP}).resolve(edge(LEFT, 5)) is None


def test_deeds_are_what_is_done():
    group = ReflexGroup(1, {LEFT: DROP, RIGHT: BIG, CENTER: CANCEL, EdgePattern("left.beam", 0): NOTHING})
    assert group.acting_edges == {LEFT, RIGHT}


def test_a_group_says_what_it_is_and_what_it_would_do():
    group = ReflexGroup(1, {LEFT: DROP})
    assert repr(group) == "<ReflexGroup 1 new ['pulse left.valve 40000']>"
    group.arm(None, 0)
    assert "armed" in repr(group)
    group.resolve(edge(LEFT, 5))
    assert "decided" in repr(group)


def test_the_board_holds_the_members_that_are_its_own():
    group = ReflexGroup(3, {LEFT: NOTHING, CENTER: DROP}, frozenset({"center.beam"}))
    assert group.arm(70, 0) == Arm(3, 70, (("left.beam", 1, NOTHING),))
    assert group.armed_on_board
    alone = ReflexGroup(4, {CENTER: DROP}, frozenset({"center.beam"}))
    assert alone.arm(70, 0) is None
    assert alone.armed
    assert not alone.armed_on_board
    assert alone.resolve(edge(CENTER, 60)) is DROP


def test_no_group_has_deeds_both_for_the_board_and_for_the_host():
    with pytest.raises(TaskError, match=r"center\.beam and left\.beam, but the board reads only some"):
        ReflexGroup(3, {LEFT: DROP, CENTER: DROP}, frozenset({"center.beam"})).arm(70, 0)


def test_groups_are_numbered_in_turn_past_those_that_may_still_pay():
    groups = ReflexGroups(frozenset())
    first = groups.new({LEFT: DROP}, ())
    assert [first.number, groups.new({LEFT: DROP}, (2, 3)).number] == [1, 4]
    assert groups.by_number[1] is first
    assert len(groups) == 2


def test_a_group_is_ended_once_and_needs_disarming_when_it_was_armed_and_undecided():
    groups = ReflexGroups(frozenset())
    first, second, third = (groups.new({LEFT: DROP}, ()) for _ in range(3))
    second.arm(None, 0)
    third.arm(None, 0)
    third.resolve(edge(LEFT, 5))
    assert [groups.end(group) for group in (first, second, third, second)] == [False, True, False, False]
    assert not groups


def test_questions_about_inputs_read_as_signs():
    assert str(LEFT) == "left.beam+"
    assert str(EdgePattern("left.beam", 0)) == "left.beam-"
    assert str(LevelPattern("left.beam", 1)) == "left.beam=1"
    assert LevelPattern("left.beam", 0).edge == EdgePattern("left.beam", 0)


def test_what_an_edge_would_earn_can_be_asked_without_deciding():
    group = armed({LEFT: DROP}, 100)
    assert group.action_for(edge(LEFT, 100)) is DROP
    assert group.action_for(edge(LEFT, 101)) is None
    assert group.deciding_edge is None


def test_a_deadline_that_is_far_ahead_comes_with_a_second_arming():
    group = ReflexGroup(3, {LEFT: DROP})
    members = (("left.beam", 1, DROP),)
    assert group.arm(LONGEST_DEADLINE_US + 8, 7) == Arm(3, None, members)
    assert group.rearm_us == 8
    assert group.action_for(edge(LEFT, LONGEST_DEADLINE_US + 9)) is None
    assert group.rearm() == Arm(3, LONGEST_DEADLINE_US + 8, members)
    assert group.rearm_us is None


def test_a_group_that_is_decided_is_not_armed_again():
    group = ReflexGroup(3, {LEFT: DROP})
    group.arm(LONGEST_DEADLINE_US + 8, 7)
    group.resolve(edge(LEFT, 9))
    assert group.rearm_us is None


def test_a_deadline_that_is_near_needs_no_second_arming():
    group = ReflexGroup(3, {LEFT: DROP})
    assert group.arm(LONGEST_DEADLINE_US + 7, 7) == Arm(3, LONGEST_DEADLINE_US + 7, (("left.beam", 1, DROP),))
    assert group.rearm_us is None


def test_a_group_that_the_host_reads_alone_needs_no_second_arming():
    group = ReflexGroup(3, {LEFT: DROP}, frozenset({"left.beam"}))
    assert group.arm(LONGEST_DEADLINE_US + 8, 7) is None
    assert group.rearm_us is None

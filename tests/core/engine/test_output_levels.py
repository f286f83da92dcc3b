"""The outputs that a pause switches off and on again."""

from rig.core.engine.output_levels import OutputLevels
from rig.core.model.actions import Arm, Load, Pulse, Set


def test_what_is_on_is_switched_off_and_restored() -> None:
    levels = OutputLevels()
    levels.note([Set("a", True), Set("b", True), Set("b", False), Pulse("c", 5)])
    assert levels.all_off() == [Set("a", False), Set("b", False)]
    assert levels.restored() == [Set("a", True)]


def test_what_a_reflex_or_a_sequence_may_have_switched_on_is_switched_off_only() -> None:
    levels = OutputLevels()
    levels.note([Arm(1, None, (("in", 1, Set("a", True)),)), Load(1, ((0, Set("b", True)), (5, Pulse("c", 5))))])
    assert levels.all_off() == [Set("a", False), Set("b", False)]
    assert levels.restored() == []


def test_after_the_board_has_switched_everything_off_nothing_is_left_to_do() -> None:
    levels = OutputLevels()
    levels.note([Set("a", True)])
    levels.clear()
    assert levels.all_off() == levels.restored() == []

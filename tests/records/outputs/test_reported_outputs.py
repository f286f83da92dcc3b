"""What an output does follows from the order that its report names."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rig.core.journal.kinds import BatchDone, Command, OutputDone
from rig.core.model.actions import Arm, JournaledOrder, Load, Pulse, RewardAction, Set, Start, Stop, Train
from rig.core.model.events import Edge, EntryRefused, OutputOn, SequenceStarted
from rig.core.model.line import Line
from rig.records.outputs.spans import OPEN
from tests.records.lane_truth import Span, lanes_of, spans_of

VALVE, LIGHT = "left.valve", "left.light"
TRAIN = Train(VALVE, on_us=100, period_us=1_000, count=3)
DROPS = RewardAction(TRAIN, "left", ul=7.5)


def batch(number: int, t_us: int, *orders: JournaledOrder) -> list[Line]:
    return [Command(t_us - 400, 0, number, 0, orders), BatchDone(t_us, number)]


def switched_on(t_us: int, number: int = 1, order: int = 0) -> OutputOn:
    return OutputOn(t_us, VALVE, "order", number, order, number=1)


def played(t_us: int, sequence: int, entry: int) -> OutputOn:
    return OutputOn(t_us, VALVE, "sequence", sequence, entry, number=1)


def started(t_us: int, sequence: int = 1) -> SequenceStarted:
    return SequenceStarted(t_us, sequence, "order", 1, number=1)


def spans(lines: list[Line], output: str = VALVE) -> list[Span]:
    return spans_of(lanes_of(lines).outputs.get(output))


# --- outputs with a limit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_reported_first", [False, True])
def test_the_pulses_of_a_train_follow_from_its_report(is_reported_first: bool) -> None:
    command, done = batch(1, 500, DROPS)
    on = switched_on(503)
    lines = [command, on, done] if is_reported_first else [command, done, on]
    assert spans(lines) == [(503, 603), (1_503, 1_603), (2_503, 2_603)]
    lines.append(OutputDone(1_550, VALVE, "stopped"))
    assert spans(lines) == [(503, 603), (1_503, 1_550)]


def test_an_order_without_a_report_has_not_switched_the_output_on() -> None:
    lines = [*batch(1, 500, Set(VALVE, True)), switched_on(500), *batch(2, 900, Set(VALVE, True), Set(VALVE, False))]
    assert spans([*lines, *batch(3, 1_500, DROPS)]) == [(500, 900)]


def test_an_output_that_was_switched_on_ends_at_its_limit() -> None:
    lines = [*batch(1, 500, Set(VALVE, True)), switched_on(500), OutputDone(800, VALVE, "limit")]
    assert spans([*lines, *batch(2, 800, Set(VALVE, True)), switched_on(800, 2)]) == [(500, 800), (800, OPEN)]


def test_a_batch_that_switches_an_output_on_and_off_leaves_it_off() -> None:
    assert spans([*batch(1, 500, Set(VALVE, True), Set(VALVE, False)), switched_on(500)]) == [(500, 500)]


def test_the_member_of_a_group_that_switched_an_output_on_says_how() -> None:
    members = ("left.beam", 1, Pulse(VALVE, 50)), ("right.beam", 1, DROPS)
    on = OutputOn(700, VALVE, "reflex", 7, 1, number=1)
    edge = Edge(650, "right.beam", 1, fired=7, number=2)
    assert spans([*batch(1, 500, Arm(7, None, members)), on, edge]) == [(700, 800), (1_700, 1_800), (2_700, 2_800)]


def test_an_entry_is_that_of_the_sequence_as_it_is_loaded_then() -> None:
    lines = [*batch(1, 500, Load(1, ((2_000, DROPS), (100, Pulse(VALVE, 50))))), started(600), played(700, 1, 0)]
    assert spans(lines) == [(700, 750)]
    lines += [*batch(2, 1_000, Load(1, ((100, Pulse(VALVE, 80)),))), started(1_100), played(1_200, 1, 0)]
    assert spans(lines) == [(700, 750), (1_200, 1_280)]
    late = [*lines[:2], *lines[4:6], *lines[2:4], *lines[6:]]  # the second load was on its way
    assert spans(late) == spans(lines)


def test_an_output_goes_on_until_its_end_is_reported_if_its_order_is_missing() -> None:
    lines: list[Line] = [switched_on(500), played(700, 3, 1), OutputOn(900, VALVE, "reflex", 2, 0, number=3)]
    assert spans(lines) == [(500, 700), (700, 900), (900, OPEN)]
    assert spans([*lines, OutputDone(950, VALVE, "finished")])[-1] == (900, 950)


# --- sequences ------------------------------------------------------------------------------------------------

LOAD = Load(1, ((100, Set(LIGHT, True)), (300, Set(LIGHT, False)), (400, Pulse(LIGHT, 50))))


def test_an_entry_that_the_board_refused_did_nothing_in_that_run() -> None:
    lines = [*batch(1, 500, LOAD), started(1_000), EntryRefused(1_400, 1, 2, "busy", number=2)]
    assert spans([*lines, Edge(1_700, "a", 1, 0, 3)], LIGHT) == [(1_100, 1_300)]
    again = [*lines, started(2_000), Edge(2_700, "a", 1, 0, 3)]
    assert spans(again, LIGHT) == [(1_100, 1_300), (2_100, 2_300), (2_400, 2_450)]


def test_a_stop_ends_what_the_sequence_has_switched_on_and_nothing_else() -> None:
    lines = [*batch(1, 500, LOAD), started(1_000), *batch(2, 1_200, Set("right.light", True), Stop(1))]
    lines.append(Edge(2_000, "a", 1, 0, 3))
    assert spans(lines, LIGHT) == [(1_100, 1_200)]
    assert spans(lines, "right.light") == [(1_200, OPEN)]


def test_a_sequence_goes_on_when_the_one_that_started_it_is_stopped() -> None:
    lines = [*batch(1, 500, Load(2, ((100, Start(1)), (150, Set("right.light", True))))), *batch(2, 500, LOAD)]
    lines += [started(1_000, 2), started(1_100), *batch(3, 1_250, Stop(2)), Edge(2_000, "a", 1, 0, 3)]
    assert spans(lines, LIGHT) == [(1_200, 1_400), (1_500, 1_550)]
    assert spans(lines, "right.light") == [(1_150, 1_250)]


def test_a_sequence_that_starts_itself_begins_again() -> None:
    lines = [*batch(1, 500, Load(1, ((100, Set(LIGHT, True)), (200, Start(1)), (300, Set(LIGHT, False)))))]
    lines += [started(1_000), started(1_200), started(1_400), Edge(1_550, "a", 1, 0, 3)]
    assert spans(lines, LIGHT) == [(1_100, 1_200), (1_300, 1_400), (1_500, OPEN)]


def test_a_reflex_starts_a_sequence_and_stops_another() -> None:
    arm = Arm(3, None, (("left.beam", 1, Stop(1)),)), Arm(4, None, (("right.beam", 1, Start(1)),))
    lines = [*batch(1, 500, LOAD), *batch(2, 550, *arm)]
    lines += [Edge(900, "right.beam", 1, fired=4, number=1), started(1_000)]
    lines += [Edge(1_150, "left.beam", 1, fired=3, number=2), Edge(2_000, "left.beam", 0, 0, 3)]
    assert spans(lines, LIGHT) == [(1_100, 1_150)]


# --- ends -----------------------------------------------------------------------------------------------------


def test_the_end_of_the_action_before_does_not_end_the_one_that_follows() -> None:
    lines = [*batch(1, 500, Pulse(LIGHT, 5_000)), *batch(2, 900, Set(LIGHT, False), Pulse(LIGHT, 1_000))]
    stopped = OutputDone(903, LIGHT, "stopped")  # the batch is stamped before its first order is executed
    lines.append(stopped)
    assert spans(lines, LIGHT) == [(500, 900), (900, 1_900)]
    assert spans([*lines, OutputDone(1_907, LIGHT, "finished")], LIGHT)[-1] == (900, 1_907)
    assert spans([*lines, replace(stopped, t_us=1_300)], LIGHT)[-1] == (900, 1_300)


def test_a_reflex_that_acts_late_ends_when_the_board_says() -> None:
    lines = [*batch(1, 500, Arm(3, None, (("left.beam", 1, Pulse(LIGHT, 1_000)),)))]
    lines += [Edge(900, "left.beam", 1, fired=3, number=1), OutputDone(2_000, LIGHT, "finished")]
    assert spans(lines, LIGHT) == [(900, 2_000)]

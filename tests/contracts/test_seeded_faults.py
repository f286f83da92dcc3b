"""The comparison of the two boards would notice: faults are put into one of them, and it says so."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from sim_hardware.board import outputs
from sim_hardware.board.board import SimBoard
from sim_hardware.board.chip import BY_ORDER, BY_SEQUENCE, Chip
from sim_hardware.board.inputs import Inputs
from sim_hardware.board.outputs import OutputChannel
from tests.avr_tools import need_avr_tools
from tests.contracts.differential import Record, SimSubject, Step, play
from tests.contracts.differential_scripts import (
    LATE_START,
    MADE,
    STOPPED_SEQUENCE,
    WAITING_EDGE,
    assert_alike,
    both,
    some_scripts,
)

SCRIPTS = 100

Patch = pytest.MonkeyPatch


def firmware_records() -> list[tuple[list[Step], Record]]:
    """Some scripts, and what the firmware made of them; the sound board in Python agrees."""
    return [(script, both(script)[1]) for script in (*MADE, *some_scripts(SCRIPTS))]


def wrong(patch: Patch, owner: type[Any], name: str, made: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put something else in the place of a method; it is given the right one."""
    patch.setattr(owner, name, made(getattr(owner, name)))


def configured(patch: Patch, **faults: Any) -> None:
    """Get the configuration of every input wrong."""

    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def configure(self: Inputs, pin: int, channel: Any) -> None:
            for name, value in faults.items():
                setattr(channel, name, value)
            right(self, pin, channel)

        return configure

    wrong(patch, Inputs, "configure", made)


def no_debounce(patch: Patch) -> None:
    configured(patch, debounce=0)


def no_confirmation(patch: Patch) -> None:
    configured(patch, confirm=(0, 0))


def nothing_inverted(patch: Patch) -> None:
    configured(patch, inverted=False)


def groups_without_end(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, order, seen: right(self, (*order[:2], 0, *order[3:]), seen)

    wrong(patch, Chip, "_arm", made)


def groups_that_fire_again(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def fire(self: Chip, place: int, at: int) -> int:
            groups = dict(self._groups)
            fired: int = right(self, place, at)
            self._groups.update(groups)
            return fired

        return fire

    wrong(patch, Chip, "_fire", made)


def arming_over_newer_edges(patch: Patch) -> None:
    wrong(patch, Chip, "_arm", lambda right: lambda self, order, seen: right(self, order, 1 << 40))


def no_limit(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def switch(self: OutputChannel, *order: Any) -> Any:
            limit, self.limit = self.limit, None
            why = right(self, *order)
            self.limit = limit
            return why

        return switch

    wrong(patch, OutputChannel, "switch", made)


def no_interlock(patch: Patch) -> None:
    wrong(patch, Chip, "_another_is_on", lambda right: lambda self, number: False)


def longer_than_allowed(patch: Patch) -> None:
    wrong(patch, OutputChannel, "run", lambda right: lambda self, steps, longest, cause: right(self, steps, 0, cause))


def pulses_that_replace_each_other(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def run(self: OutputChannel, *order: Any) -> Any:
            self.off(outputs.STOPPED)
            return right(self, *order)

        return run

    wrong(patch, OutputChannel, "run", made)


def no_word_of_what_was_stopped(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, number, why: None if why == outputs.STOPPED else right(self, number, why)

    wrong(patch, Chip, "_on_done", made)


def no_word_of_what_went_on(patch: Patch) -> None:
    wrong(patch, Chip, "_on_begun", lambda right: lambda self, number, cause: None)


def every_cause_an_order(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, number, cause: right(self, number, (BY_ORDER, *cause[1:]))

    wrong(patch, Chip, "_on_begun", made)


def no_word_of_refused_entries(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, cause, reason: None if cause[0] == BY_SEQUENCE else right(self, cause, reason)

    wrong(patch, Chip, "refuse", made)


def trains_one_pulse_short(patch: Patch) -> None:
    pulses = outputs.pulses
    patch.setattr(outputs, "pulses", lambda on, period, count: islice(pulses(on, period, count), max(1, 2 * count - 3)))


def starts_in_the_past(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, number, at: right(self, number, max(at, self.ticks.now()))

    wrong(patch, Chip, "_start", made)


def sequences_that_do_not_stop(patch: Patch) -> None:
    wrong(patch, Chip, "_stop", lambda right: lambda self, number: 0)


def a_lease_too_long(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def open_(self: SimBoard, *message: Any) -> None:
            right(self, *message)
            self._lease_s = 2.01

        return open_

    wrong(patch, SimBoard, "_open", made)


def a_lease_that_leaves_all_as_it_is(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def check(self: SimBoard) -> None:
            safe, self.chip.safe = self.chip.safe, lambda: None  # type: ignore[method-assign]
            right(self)
            self.chip.safe = safe  # type: ignore[method-assign]

        return check

    wrong(patch, SimBoard, "_check_lease", made)


def batches_executed_twice(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        def batch(self: SimBoard, message: Any, payload: bytes) -> None:
            right(self, (*message[:2], self._executed + 1 & 0xFF, *message[3:]), payload)

        return batch

    wrong(patch, SimBoard, "_batch", made)


def batches_of_any_epoch(patch: Patch) -> None:
    def made(right: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, message, payload: right(self, (message[0], self._epoch, *message[2:]), payload)

    wrong(patch, SimBoard, "_batch", made)


def a_time_that_runs_ahead_of_what_waits(patch: Patch) -> None:
    wrong(patch, Inputs, "horizon", lambda right: lambda self: self._ticks.now() + 2_000)


FAULTS = (
    no_debounce,
    no_confirmation,
    nothing_inverted,
    groups_without_end,
    groups_that_fire_again,
    arming_over_newer_edges,
    no_limit,
    no_interlock,
    longer_than_allowed,
    pulses_that_replace_each_other,
    no_word_of_what_was_stopped,
    no_word_of_what_went_on,
    every_cause_an_order,
    no_word_of_refused_entries,
    trains_one_pulse_short,
    starts_in_the_past,
    sequences_that_do_not_stop,
    a_lease_too_long,
    a_lease_that_leaves_all_as_it_is,
    batches_executed_twice,
    batches_of_any_epoch,
    a_time_that_runs_ahead_of_what_waits,
)


def noticed(told: list[tuple[list[Step], Record]]) -> Iterator[str]:
    for script, chip in told:
        try:
            assert_alike(play(SimSubject(), script, chip), chip)
        except AssertionError as error:
            yield str(error)


@pytest.mark.parametrize(
    ("fault", "script"),
    [
        (a_time_that_runs_ahead_of_what_waits, WAITING_EDGE),
        (sequences_that_do_not_stop, STOPPED_SEQUENCE),
        (starts_in_the_past, LATE_START),
    ],
)
def test_a_fault_is_noticed_by_the_script_made_for_it(fault: Callable[[Patch], None], script: list[Step]) -> None:
    need_avr_tools()
    told = [(script, both(script)[1])]
    assert list(noticed(told)) == []
    with pytest.MonkeyPatch.context() as patch:
        fault(patch)
        assert next(noticed(told), None) is not None


@pytest.mark.campaign
def test_every_fault_is_noticed_and_the_sound_board_passes() -> None:
    need_avr_tools()
    told = firmware_records()
    assert list(noticed(told)) == []
    unnoticed = []
    for fault in FAULTS:
        with pytest.MonkeyPatch.context() as patch:
            fault(patch)
            if next(noticed(told), None) is None:
                unnoticed.append(fault.__name__)
    assert unnoticed == []

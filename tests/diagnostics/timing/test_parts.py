"""What is measured at the pins: a punctual board meets it all, and one that is not is found out."""

import pytest

from rig.boards.pin_probe import Change, InterruptsOff
from rig.diagnostics.timing.event_rate import rate
from rig.diagnostics.timing.firmware_hang import hangs
from rig.diagnostics.timing.lease_expiry import silence
from rig.diagnostics.timing.panic_input import WHAT, panics
from rig.diagnostics.timing.reflexes import UNDER_TEST, quiet
from rig.diagnostics.timing.report_rows import Row
from rig.diagnostics.timing.sequences import sequences
from rig.diagnostics.timing.suite import PARTS, Part
from rig.diagnostics.timing.sync_code import sync_codes
from rig.diagnostics.timing.under_load import interrupts, under_load
from rig.diagnostics.timing.wiring import wired
from tests.diagnostics.timing.benches import Misled, punctual, run, seeing

PINS = {channel.name: channel.pin for channel in wired("uno").channels}
N = 60


def by_name(rows: list[Row]) -> dict[str, Row]:
    return {row.what.strip(): row for row in rows}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_a_punctual_board_meets_every_row_that_it_can_be_measured_by(part: Part) -> None:
    rows = run(part(punctual, "uno", N, 1))
    assert rows
    assert all(row.met is not False for row in rows), rows
    assert all(row.spread.quantile(1.0) == 0 for row in rows if row.spread is not None)


def test_the_same_seed_measures_the_same() -> None:
    assert run(under_load(punctual, "uno", N, 7)) == run(under_load(punctual, "uno", N, 7))
    assert run(under_load(punctual, "uno", N, 7)) != run(under_load(punctual, "uno", N, 8))


def test_as_many_reflexes_are_measured_as_were_asked_for() -> None:
    (row,) = run(quiet(punctual, "uno", N, 1))
    assert row.n == N


def late(pin: int, by_us: float, every: int = 1) -> object:
    """See one of so many rises of a pin late."""
    seen = 0

    def tamper(change: Change) -> Change:
        nonlocal seen
        if change.pin != pin or not change.value:
            return change
        seen += 1
        return change._replace(t_us=change.t_us + by_us) if seen % every == 0 else change

    return seeing(tamper)


def test_an_output_that_is_late_once_is_found() -> None:
    (row,) = run(quiet(late(PINS["left.valve"], 301.0, every=20), "uno", N, 1))
    assert (row.met, row.spread.quantile(1.0), row.spread.quantile(0.5)) == (False, 301.0, 0.0)


def test_an_output_that_does_nothing_is_counted() -> None:
    gone = seeing(lambda change: None if change.pin == PINS["center.light"] else change)
    (row,) = run(quiet(gone, "uno", N, 1))
    assert (row.met, row.n, row.note) == (False, N // len(UNDER_TEST), f"{N // 2} never came")


def test_an_output_that_acts_before_its_edge_is_confirmed_is_no_reflex() -> None:
    (row,) = run(quiet(late(PINS["left.valve"], -50.0), "uno", N, 1))
    assert (row.met, row.n) == (False, N // 2)


def test_stamps_that_are_off_are_found_and_so_are_the_reflexes_of_a_busy_board() -> None:
    rows = by_name(run(under_load(lambda wiring, seed, heard: Misled(21.0), "uno", N, 1)))
    assert rows["stamp of an edge, loaded: error"].met is False
    assert rows["stamp of an edge, loaded: error"].spread.quantile(0.5) == 21.0
    rows = by_name(run(under_load(late(PINS["left.valve"], 2_001.0), "uno", N, 1)))
    assert rows["reflex, loaded"].met is False


@pytest.mark.parametrize(
    ("found", "met"),
    [
        (InterruptsOff(99.0, "PCINT0_vect", 49.0, "hal::on_change"), [True, True]),
        (InterruptsOff(101.0, "PCINT0_vect", 51.0, "hal::on_change"), [False, False]),
    ],
)
def test_interrupts_that_are_off_for_too_long_are_found(found: InterruptsOff, met: list[bool]) -> None:
    rows = interrupts(found)
    assert [row.met for row in rows] == met
    assert [row.note for row in rows] == ["from PCINT0_vect", "from hal::on_change"]


def test_a_board_without_a_chip_has_no_interrupts() -> None:
    assert not any("interrupts" in name for name in by_name(run(under_load(punctual, "uno", N, 1))))


def test_pulses_that_are_too_long_are_found() -> None:
    def tamper(change: Change) -> Change:
        ends = change.pin == PINS["left.light"] and not change.value
        return change._replace(t_us=change.t_us + 151.0) if ends else change

    rows = by_name(run(under_load(seeing(tamper), "uno", N, 1)))
    (pulse,) = (row for name, row in rows.items() if name.startswith("pulse"))
    assert (pulse.met, pulse.spread.quantile(1.0)) == (False, 151.0)


def test_twins_of_a_sequence_that_come_apart_are_found() -> None:
    rows = by_name(run(sequences(late(PINS["right.light"], 499.0), "uno", N, 1)))
    assert [row.met for row in rows.values()] == [True, True]
    rows = by_name(run(sequences(late(PINS["right.light"], 1_999.0), "uno", N, 1)))
    assert [row.met for row in rows.values()] == [True, False]


def test_edges_of_a_sync_code_that_are_late_are_found() -> None:
    (row,) = run(sync_codes(late(PINS["right.light"], 60.0), "uno", N, 1))
    assert row.met is True
    (row,) = run(sync_codes(late(PINS["right.light"], 61.0), "uno", N, 1))
    assert row.met is False


def test_edges_of_a_sync_code_that_never_come_are_found() -> None:
    seen = 0

    def tamper(change: Change) -> Change | None:
        nonlocal seen
        seen += change.pin == PINS["right.light"]
        return None if change.pin == PINS["right.light"] and seen in (6, 7) else change

    (row,) = run(sync_codes(seeing(tamper), "uno", N, 1))
    assert row.met is False


def test_an_output_that_stays_on_is_never_safe() -> None:
    sticks = seeing(lambda change: None if change.pin == PINS["speaker.tone"] and not change.value else change)
    (row,) = run(silence(sticks, "uno", N, 1))
    assert (row.met, "speaker" in row.note) == (False, True)


def test_an_output_that_is_off_too_late_after_a_panic_or_stays_on_is_found() -> None:
    def late_to_fall(change: Change) -> Change:
        falls = change.pin == PINS["right.valve"] and not change.value
        return change._replace(t_us=change.t_us + 101.0) if falls else change

    (row,) = run(panics(seeing(late_to_fall), "uno", N, 1))
    assert (row.what, row.met, row.n, row.spread.quantile(1.0)) == (WHAT, False, N // 10, 101.0)
    sticks = seeing(lambda change: None if change.pin == PINS["right.light"] and not change.value else change)
    (row,) = run(panics(sticks, "uno", N, 1))
    assert row.met is False


def test_a_panic_without_a_report_or_with_nothing_on_is_none() -> None:
    deaf = seeing(lambda change: None if change.pin == PINS["right.valve"] else change)
    (row,) = run(panics(deaf, "uno", N, 1))
    assert (row.met, row.note) == (False, "6 never came; 6 outputs")


def test_edges_that_are_stamped_wrongly_are_lost_edges() -> None:
    (row,) = run(rate(lambda wiring, seed, heard=frozenset(): Misled(201.0), "uno", N, 1))
    assert (row.met, row.got) == (False, "0 a second")


def test_a_board_without_a_program_cannot_hang() -> None:
    assert [row.met for row in run(hangs(punctual, "uno", N, 1))] == [None, None]

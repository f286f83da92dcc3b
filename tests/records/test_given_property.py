"""The total of a day and of 24 hours, over any order of sessions, crashes, damage, moves and amounts given by hand.

It is never below what the simulated chips gave, or it is unknown and says of which session.
"""

import datetime
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rig.core.errors import RecordError
from rig.core.model.actions import Amount
from rig.records.journal.read import JOURNAL, read_ends
from rig.records.recover import recover
from rig.records.subject.deliveries import DeliveredTotal, declare_amount, delivered_between, record_manual_delivery
from rig.records.subject_events import EVENTS
from tests.harness import FaultHarness, poke, run_harness, scripted_subject
from tests.records.journals import on_this_machine
from tests.session_specs import protocol_spec, session_spec

UL = 2.5
ANOTHER_DAY = "2026-01-01"
TICK = datetime.timedelta(seconds=1)
POKES = [edge for at_s in (0.5, 1.3, 2.1) for edge in (poke("center", at_s, 0.05), poke("left", at_s + 0.2, 0.2))]

Moment = datetime.datetime


@dataclass(frozen=True)
class Played:
    """The lines of a session that began at some second of a minute, and when its chip's valves opened."""

    lines: tuple[bytes, ...]
    openings: tuple[int, ...]


@cache
def played(start: str, kept: int | None, simulated: bool) -> Played:
    """Play a session whose host dies when so many lines were written; the chip lives on until its lease expires."""
    raw: list[bytes] = []

    def arrange(harness: FaultHarness) -> None:
        def append(line: bytes) -> None:
            if kept is None or len(raw) < kept:
                raw.append(line)
            else:
                harness.rig.cable.plugged = False

        harness.append = append  # type: ignore[method-assign]

    prepared = protocol_spec(p_high=1, p_low=1, allow_asymmetric="true", iti_min_s=0.2, stop_session_s=3.5)
    moment = datetime.datetime.fromisoformat(start)
    script = replace(session_spec(prepared, start=moment), simulated=simulated)
    harness = run_harness(script, scripted_subject(*POKES), arrange=arrange)
    return Played(tuple(raw), tuple(t_us for t_us, _ in harness.openings("left.valve")))


@cache
def lines_of_a_whole_one() -> int:
    return len(played("2026-11-21T09:00:00", None, False).lines)


def zeros(raw: bytes) -> bytes:
    return bytes(len(raw))


def zeros_at_the_end(raw: bytes) -> bytes:
    return raw[: len(raw) // 2] + bytes(len(raw) - len(raw) // 2)


def flipped(raw: bytes) -> bytes:
    return bytes(byte ^ (place % 200 == 100) for place, byte in enumerate(raw))


def one_bit(raw: bytes) -> bytes:
    place = len(raw) * 2 // 3
    return raw[:place] + bytes(byte ^ 4 for byte in raw[place : place + 1]) + raw[place + 1 :]


def carriage_returns(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def nothing_left(raw: bytes) -> bytes:
    return b""


def a_line_less(raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :])


def no_last_newline(raw: bytes) -> bytes:
    return raw[:-1] + b"\x0b"


DAMAGES = (zeros, zeros_at_the_end, flipped, one_bit, carriage_returns, nothing_left, a_line_less, no_last_newline)


class Days(RuleBasedStateMachine):
    """A subject's days, and what it truly got."""

    @initialize()
    def begin(self) -> None:
        self.data = Path(tempfile.mkdtemp())
        self.subject = self.data / "M1"
        self.now = Moment(2026, 11, 21, 20, 0)
        self.truth: list[tuple[Moment, float]] = []
        self.fell: dict[Path, float] = {}
        self.doubts = 0
        self.number = 0

    def teardown(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)

    def _session(self, start: Moment, kept: int | None, simulated: bool) -> None:
        done = played(start.isoformat(timespec="seconds"), kept, simulated)
        self.number += 1
        folder = self.subject / f"{start:%Y-%m-%d}" / f"{self.number:03d}"
        (folder / "config").mkdir(parents=True)
        on_this_machine(folder)
        (folder / JOURNAL).write_bytes(b"".join(done.lines))
        drops = [] if simulated else [start + datetime.timedelta(microseconds=t_us) for t_us in done.openings]
        self.truth += [(at, UL) for at in drops]
        self.fell[folder] = UL * len(drops)
        self.doubts += kept is not None
        self.now = max(self.now, start) + 10 * TICK

    @rule(simulated=st.booleans())
    def a_session_ends(self, simulated: bool) -> None:
        self._session(self.now, None, simulated)

    @rule(kept=st.integers(2, 70))
    def a_session_crashes(self, kept: int) -> None:
        self._session(self.now, min(kept, lines_of_a_whole_one() - 1), simulated=False)

    @rule(before_s=st.integers(1, 3), kept=st.none() | st.integers(20, 60))
    def a_session_runs_over_midnight(self, before_s: int, kept: int | None) -> None:
        midnight = self.now.replace(hour=0, minute=0, second=0) + datetime.timedelta(days=1)
        self.now = midnight - before_s * TICK
        self._session(self.now, kept, simulated=False)

    @rule(ul=st.sampled_from([1.0, 50.0]))
    def a_hand_gives(self, ul: float) -> None:
        with suppress(RecordError):  # a damaged list takes no more, until a person declares how much it held
            record_manual_delivery(self.subject, Amount(ul), "Ada", "weak", self.now)
            self.truth.append((self.now, ul))
        self.now += TICK

    @rule(minutes=st.sampled_from([1, 200, 1430]))
    def time_passes(self, minutes: int) -> None:
        self.now += datetime.timedelta(minutes=minutes)

    @precondition(lambda self: self.fell)
    @rule(data=st.data())
    def a_session_is_recovered(self, data: st.DataObject) -> None:
        folder = data.draw(st.sampled_from(sorted(self.fell)))
        with suppress(RecordError):
            recover(folder)

    @staticmethod
    def _is_dated(journal: Path) -> bool:
        """Tell whether its folder says when a session was, or at least nothing else: damage may leave no other word."""
        return journal.parent.parent.name != ANOTHER_DAY

    @precondition(lambda self: self.fell)
    @rule(data=st.data(), damage=st.sampled_from(DAMAGES))
    def a_journal_is_damaged(self, data: st.DataObject, damage: Callable[[bytes], bytes]) -> None:
        path = data.draw(st.sampled_from(sorted(self.fell))) / JOURNAL
        if path.exists() and self._is_dated(path):
            path.write_bytes(damage(path.read_bytes()))

    @precondition(lambda self: self.fell)
    @rule(data=st.data())
    def a_journal_is_renamed_away(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.fell))) / JOURNAL
        if path.exists() and self._is_dated(path):
            path.rename(path.with_suffix(".old"))

    @precondition(lambda self: self.fell)
    @rule(data=st.data(), place=st.sampled_from(["old", ANOTHER_DAY]))
    def a_session_is_moved(self, data: st.DataObject, place: str) -> None:
        folder = data.draw(st.sampled_from(sorted(self.fell)))
        if not (folder / JOURNAL).exists() or read_ends(folder / JOURNAL).header is None:
            return  # its folder alone says when it was
        self.number += 1
        new = self.subject / place / f"{self.number:03d}"
        new.parent.mkdir(exist_ok=True)
        folder.rename(new)
        self.fell[new] = self.fell.pop(folder)

    @rule(damage=st.sampled_from([zeros, carriage_returns, no_last_newline]))
    def the_list_of_what_hands_gave_is_damaged(self, damage: Callable[[bytes], bytes]) -> None:
        path = self.subject / EVENTS
        if path.exists() and path.stat().st_size:
            path.write_bytes(damage(path.read_bytes()))

    @rule()
    def operator_declares_the_amount(self) -> None:
        for one in self._today().unknown:
            if one.folder.name == EVENTS:
                ul = sum(ul for _, ul in self.truth)
                declare_amount(one.folder, Amount(ul), "Ada", "as the notebook says", self.now)
                self.truth = [(at, ul) for at, ul in self.truth if ul == UL]
            else:
                declare_amount(one.folder, Amount(self.fell[one.folder]), "Ada", "as the notebook says", self.now)
            self.doubts += 1_000

    def _between(self, since: Moment) -> DeliveredTotal:
        return delivered_between(self.subject, since, self.now + TICK)

    def _today(self) -> DeliveredTotal:
        return self._between(self.now.replace(hour=0, minute=0, second=0))

    @invariant()
    def nothing_that_was_given_is_forgotten(self) -> None:
        midnight = self.now.replace(hour=0, minute=0, second=0)
        for since in (midnight, self.now - datetime.timedelta(hours=24)):
            truly = sum(ul for at, ul in self.truth if at >= since)
            found = self._between(since)
            # A lost header leaves open on which day its rewards fell, and whether it was simulated.
            if found.unknown:
                continue
            assert found.amount.ul >= truly - 1e-6
            if since == midnight and self.doubts < 1_000:
                assert found.amount.ul <= truly + UL * self.doubts + 1e-6


def run(examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Days,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_whatever_befalls_a_subjects_records_nothing_that_was_given_is_discarded() -> None:
    run(12, 12)


@pytest.mark.campaign
def test_in_a_thousand_lives_nothing_that_was_given_is_discarded() -> None:
    run(1_000, 25)

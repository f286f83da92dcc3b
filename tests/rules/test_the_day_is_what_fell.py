"""One animal, many sessions that break: its day is what fell, or is in doubt and counted, and what came by hand.

What left the valves is read from the pins, the rewards from the journal as it lies on the disk, the day by the program
that decides how much the animal may still get. Sessions are voided as tests, or recorded under a mistyped name, whose
record is merged. Entries by hand are made under a wrong clock, for another time, and taken back.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.journal.delivered import DeliveredRewards
from rig.core.model.actions import Amount
from rig.records.recover import recover
from rig.records.subject.deliveries import delivered_between, record_manual_delivery
from rig.records.subject.entries import entries_of, last_entry, void_entry
from rig.records.subject_events import read_events
from rig.session.merge import merge
from rig.session.spec.session_spec import SessionSpec
from rig.session.void import void_session
from tests.broken_sessions import resume, run_reconnecting, save_journal
from tests.harness import Fault, FaultHarness, run_harness
from tests.journal_lines import read_line
from tests.rules.test_a_line_that_holds_its_bytes import BANDIT, HELD_S, WATER, WAYS, visits
from tests.rules.test_rewards_are_the_openings import Countdowns
from tests.session_specs import session_spec, task_spec

DAY = datetime.datetime(2026, 11, 21)
NOON = DAY + datetime.timedelta(hours=12)
ONE_DAY = datetime.timedelta(days=1)
DROP_UL = 2.5
SESSION_S = 8
TASKS = ((FreeWater, WATER), (TwoArmedBandit, BANDIT), (Countdowns, {}))


class Played(NamedTuple):
    """How many drops left the valves in a session, and its journal on the disk."""

    fell: int
    raw: bytes


class Session:
    """One session of the animal: what it is, when it is disturbed, and the chance by which that is chosen."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed = seed
        self.draw = Random(f"{seed}/day")
        self.folder = folder
        self.at_s = self.draw.uniform(1.5, SESSION_S - 1)
        task, params = TASKS[seed % len(TASKS)]
        stop = {"session_s": SESSION_S, "grace_s": 1}
        start = DAY + datetime.timedelta(hours=8, minutes=seed % 600)
        subject = folder.parents[1].name
        self.spec: SessionSpec = session_spec(task_spec(task, params, stop, seed), seed, start=start, subject=subject)
        self.edges = visits(seed, 60)

    def run(self, *faults: Fault, harness: Callable[..., FaultHarness] = run_harness) -> FaultHarness:
        by_hand: Fault = (self.draw.uniform(0.5, SESSION_S), lambda harness: harness.request("reward left"))
        if self.spec.task is Countdowns:  # what a sequence orders of a busy valve is refused without a word
            return harness(self.spec, self.edges, *faults, seed=self.seed)
        return harness(self.spec, self.edges, *faults, by_hand, seed=self.seed)

    def played(self, *faults: Fault, **how: Any) -> Played:
        harness = self.run(*faults, **how)
        return Played(len(harness.valve_openings), b"".join(harness.raw))


# --- the ways in which a session breaks -----------------------------------------------------------------------------


def whole(session: Session) -> Played:
    return session.played()


def stopped(session: Session) -> Played:
    return session.played((session.at_s, lambda harness: harness.request("stop")))


def stopped_without_waiting(session: Session) -> Played:
    return session.played((session.at_s, lambda harness: harness.session.stop_now()))


def unplugged(session: Session) -> Played:
    return session.played((session.at_s, lambda harness: harness.rig.cable.disconnect()))


def with_a_reset(session: Session) -> Played:
    return session.played((session.at_s, lambda harness: harness.rig.board.reset()))


def with_a_line_that_holds(session: Session) -> Played:
    way, seconds = session.draw.choice(WAYS), session.draw.choice(HELD_S)
    return session.played((session.at_s, partial(way, seconds=seconds)))


def plugged_in_again(session: Session) -> Played:
    way, seconds = session.draw.choice(WAYS[:-1]), session.draw.choice((0.0, 1.5))
    faults: list[Fault] = [
        (session.at_s - 1, partial(way, seconds=seconds)),
        (session.at_s, lambda harness: harness.rig.cable.disconnect()),
        (session.at_s + 3, lambda harness: harness.rig.cable.connect()),
    ]
    return session.played(*faults, harness=run_reconnecting)


def killed(session: Session) -> Played:
    """Kill the program: the board hears nothing more, and the journal ends with half a line."""
    lines: list[int] = []

    def die(harness: FaultHarness) -> None:
        harness.rig.cable.to_board.send = lambda data: None
        lines.append(len(harness.raw))

    harness = session.run((session.at_s, die))
    count = lines[0] if lines else len(harness.raw)
    torn = b"".join(harness.raw[count : count + 1])
    return Played(len(harness.valve_openings), b"".join(harness.raw[:count]) + torn[: session.draw.randrange(20)])


def killed_and_recovered(session: Session) -> Played:
    found = killed(session)
    folder = save_journal(session.folder, found.raw)
    recover(folder)
    return Played(found.fell, (folder / "journal.jsonl").read_bytes())


def killed_and_resumed(session: Session) -> Played:
    found = killed(session)
    if b'"k":"footer"' in found.raw:
        return found
    gap_s = session.draw.uniform(3, 20)
    harness = resume(session.spec, session.folder, found.raw, session.edges, gap_s=gap_s, seed=session.seed + 1)
    return Played(found.fell + len(harness.valve_openings), b"".join(harness.raw))


ENDS = (
    *(whole, stopped, stopped_without_waiting, unplugged, with_a_reset, with_a_line_that_holds, plugged_in_again),
    *(killed, killed_and_recovered, killed_and_resumed),
)


# --- the day ----------------------------------------------------------------------------------------------------------


class HandEntry(NamedTuple):
    """Water by hand: the day for which it counts, and the day on which it was written."""

    ul: float
    day: datetime.date
    written: datetime.date


class Record:
    """The record of one name, and what has to count in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir()
        self.sessions_ul = 0.0
        self.entries: dict[int, HandEntry] = {}

    def enter(self, draw: Random) -> None:
        """Give water by hand under a clock that may be wrong, void an entry, undo the last one, or do nothing."""
        what = draw.choice(("give", "give", "void", "undo", "nothing", "nothing"))
        clock = NOON + draw.choice((-1, 0, 0, 0, 1)) * ONE_DAY
        if what == "give":
            ul = draw.choice((5.0, 40.0))
            given_at = draw.choice((None, DAY, NOON, DAY + ONE_DAY, DAY - datetime.timedelta(seconds=1)))
            number = record_manual_delivery(self.folder, Amount(ul=ul), "Ada", "weak", clock, given_at=given_at)
            self.entries[number] = HandEntry(ul, (given_at or clock).date(), clock.date())
        elif what != "nothing" and self.entries:
            number = draw.choice(sorted(self.entries))
            if what == "undo":
                number = max(self.entries)
                assert last_entry(self.folder, self.entries[number].written).number == number
            void_entry(self.folder, number, "Ada", "mistyped", clock)
            del self.entries[number]

    def merge_into(self, right: Record) -> None:
        """Merge this record into that of the right name; a session without an end is recovered first."""
        for journal in sorted(self.folder.glob("*/*/journal.jsonl")):
            recover(journal.parent)
        self.check()
        merge(self.folder.parent, self.folder.name, right.folder.name, "Ada", "mistyped", NOON)
        right.sessions_ul += self.sessions_ul
        copied = entries_of(read_events(right.folder))[-len(self.entries) :] if self.entries else []
        right.entries |= zip((copy.number for copy in copied), self.entries.values(), strict=True)
        self.sessions_ul, self.entries = 0.0, {}
        self.check()

    def check(self) -> None:
        """Compare the day, and the days around it, with what has to count."""
        for start in (DAY - ONE_DAY, DAY, DAY + ONE_DAY):
            entries = sum(entry.ul for entry in self.entries.values() if entry.day == start.date())
            sessions_ul = self.sessions_ul if start == DAY else 0.0
            day = delivered_between(self.folder, start, start + ONE_DAY)
            told = f"{self.folder.name} on {start:%Y-%m-%d}"
            assert (day.unknown, day.amount) == ((), Amount(ul=sessions_ul + entries)), told


def counted_in(journal: bytes) -> DeliveredRewards:
    given = DeliveredRewards()
    for line in journal.split(b"\n")[:-1]:  # the last one is torn, or empty
        given.take(read_line(line))
    return given


def play_session(seed: int, record: Record) -> Counter[str]:
    """Play a session and compare pins and journal; it may be voided, and may count again."""
    session = Session(seed, record.folder / f"{DAY:%Y-%m-%d}" / f"{seed:03d}")
    end = ENDS[seed % len(ENDS)]
    played = end(session)
    save_journal(session.folder, played.raw)
    given = counted_in(played.raw)
    told = f"seed {seed}, {end.__name__}: {played.fell} fell, {given.delivered} delivered, {given.total} counted"
    assert given.delivered.rewards <= played.fell <= given.total.rewards, told
    assert given.total.amount == Amount(DROP_UL * given.total.rewards), told
    record.sessions_ul += given.total.amount.ul
    decisions = session.draw.choice(((), (True,), (True, False)))
    for voided in decisions:
        void_session(record.folder.parent, session.folder, "Ada", "a test", NOON, voided=voided)
    counted, doubted = given.total.rewards, given.total.rewards - given.delivered.rewards
    found = Counter(sessions=1, fell=played.fell, counted=counted, doubted=doubted, exact=played.fell == counted)
    found["void"] = bool(decisions) and decisions[-1]
    return found


def play_day(seeds: range, data: Path) -> Counter[str]:
    """Play sessions of one animal on one day, with entries by hand; compare pins, records and the day."""
    found: Counter[str] = Counter()
    right = Record(data / "M18")
    for first in seeds[::10]:
        wrong = Record(data / f"M81_{first}")
        for seed in range(first, first + 10):
            draw = Random(f"{seed}/record")
            record = wrong if draw.random() < 0.3 else right
            found += play_session(seed, record)
            record.enter(draw)
            record.check()
        wrong.merge_into(right)
        right.check()
    return found


def test_the_day_of_an_animal_is_what_fell_or_is_in_doubt_and_what_came_by_hand(tmp_path: Path) -> None:
    found = play_day(range(10), tmp_path)
    assert found["fell"] > 40
    assert found["exact"] > 4
    assert found["void"] > 1


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(100, 400, 30))
def test_the_day_of_an_animal_is_what_fell_in_three_hundred_sessions(first: int, tmp_path: Path) -> None:
    print(dict(play_day(range(first, first + 30), tmp_path)))  # noqa: T201

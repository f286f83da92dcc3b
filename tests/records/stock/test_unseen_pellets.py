"""Pellets that a sensor did not see were not eaten, unless the sensor may be blind."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.records.journal.read import JOURNAL
from rig.records.stock.unseen_pellets import unseen_pellets
from rig.records.subject.deliveries import delivered_between
from rig.records.subject.known_subject import load_known_subject, record_facts
from rig.records.subject.top_up import TopUp, top_up_of
from tests.protocols.delay_discounting.maze import jam, lap, run, visit
from tests.records.journals import put, raw_of

DAY = datetime.date(2026, 11, 24)
LAPS = (lap(2.0, "left", 9), lap(20.0, "right", 5), visit("start", 40, 1))
"""A meal of three pellets, and one of one."""
Play = Callable[..., Path]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play a session, and return its folder."""

    def session(**settings: Any) -> Path:
        folder = tmp_path / "R1" / DAY.isoformat() / "001"
        put(folder, raw_of(run(*LAPS, **settings)))
        return folder

    return session


def test_all_pellets_of_a_feeder_that_works_are_seen(play: Play) -> None:
    assert unseen_pellets(play() / JOURNAL) == 0


def test_a_pellet_that_was_tried_again_counts_once(play: Play) -> None:
    assert unseen_pellets(play(arrange=jam(1)) / JOURNAL) == 1


def test_one_that_was_missed_twice_counts_not_at_all(play: Play) -> None:
    assert unseen_pellets(play(arrange=jam(1, 3)) / JOURNAL) == 2


def test_a_sensor_that_saw_nothing_proves_nothing(play: Play) -> None:
    assert unseen_pellets(play(cut=frozenset({"right_feeder.sensor"})) / JOURNAL) == 0


def test_a_damaged_journal_proves_nothing(play: Play) -> None:
    journal = play(arrange=jam(1)) / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    seen = next(place for place, line in enumerate(lines) if b'"left_feeder.sensor","level":1' in line)
    lines[seen] = lines[seen].replace(b'"level":1', b'"level":0')
    journal.write_bytes(b"".join(lines))
    assert unseen_pellets(journal) == 0


def test_the_top_up_counts_only_what_was_seen(play: Play) -> None:
    subject = play(arrange=jam(1, 3)).parents[1]
    record_facts(subject, {"species": "rat"}, "anna", datetime.datetime(2026, 11, 20, 9))
    found = top_up_of(subject, load_known_subject(subject), DAY)
    assert found is not None
    midnight = datetime.datetime.combine(DAY, datetime.time())
    counted = delivered_between(subject, midnight, midnight + datetime.timedelta(days=1)).amount.pellets
    assert (found.given, found.unseen) == (pytest.approx((counted - 2) * 0.045), 2)
    assert TopUp(DAY, "g", 14, 9, unseen=2).text == (
        "5 g are due today: the target is 14 g, 9 g were given, without the 2 pellets that no sensor has seen"
    )

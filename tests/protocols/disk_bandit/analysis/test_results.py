import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from protocols.disk_bandit.analysis.assignments import of_journal
from protocols.disk_bandit.analysis.pecks import Pecks, of_rows
from protocols.disk_bandit.analysis.results import DiskGroup, DiskSettings, report, sessions_of
from rig.analysis.common.arrays import plain
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.journal.kinds import Note
from tests.journal_lines import HEADER, made
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, days, life, peck

NO_FITS = DiskSettings(fits=False)
ONE_PECK = of_rows("A/1", "A", [peck(0, 1.0, 3)])


def header(params: dict[str, Any], session_s: float) -> Header:
    header = made("header", **{**HEADER, "params": params, "stop": {"session_s": session_s, "min_trials": 1}})
    assert isinstance(header, Header)
    return header


def assigned(**fields: Any) -> Note:
    return Note(0, "assignment", fields)


def only(found: dict[str, DiskGroup]) -> DiskGroup:
    (group,) = found.values()
    return group


def flock(count: int = 4) -> list[Pecks]:
    return [pecks for name in ("A", "B") for pecks in life(Bird(pecks=(30,) * 12), count, subject=name)]


def test_sessions_are_grouped_by_what_their_disks_paid() -> None:
    visits = [of_rows(f"A/{day}", "A", rows) for day, rows in enumerate(days(Bird(), 2))]
    visits += [of_rows("B/1", "B", [peck(disk, 1.0, None, p_reward=0.1 + disk / 10) for disk in range(4)] * 9)]
    found = report(sessions_of(visits), NO_FITS)
    assert list(found.groups) == ["4 disks, p 0.1-0.4", "8 disks, VI 3-6561 s"]
    assert [group.sessions for group in found.groups.values()] == [1, 2]


def test_a_session_of_few_pecks_or_of_one_disk_is_excluded_with_the_reason() -> None:
    few = of_rows("A/1", "A", [peck(disk, 1.0, VI_S[disk]) for disk in range(5)])
    one = of_rows("A/2", "A", [peck(8, 1.0 + n, None, latency_s=n) for n in range(40)])
    found = report(sessions_of([few, one]), NO_FITS)
    assert found.groups == {}
    assert [each.excluded for each in found.sessions] == [
        ("5 pecks on disks, fewer than 20",),
        ("one disk: no choice",),
    ]
    assert found.sessions[1].latency_s == 19.5
    assert only(report(sessions_of([few]), DiskSettings(0, fits=False)).groups).pecks == 5


def test_the_share_of_session_blocks_with_pecks_counts_planned_ones() -> None:
    visit = of_rows("A/1", "A", [row for row in days(Bird(), 1)[0] if row["block"] <= 9])
    planned = of_journal(visit, header({"block_s": 300.0}, 3600), ())
    found = only(report(sessions_of([planned]), NO_FITS).groups)
    assert (found.with_data, found.session_blocks, found.occupancy) == (9, 12, 0.75)


def test_a_journal_tells_what_a_bird_never_found_out() -> None:
    notes = [assigned(vi_s=[3.0, 9.0, None], prev_vi_s=[9.0, 3.0], p_reward=[None])]
    (found,) = of_journal(ONE_PECK, header({"block_s": 300.0}, 3500.0), notes).sessions
    assert (found.blocks, found.block_s, found.told) == (12, 300, True)
    assert found.assignment.shown.tolist() == [True, True, *[False] * 6]
    assert found.assignment.prev_vi_s[:2].tolist() == [9, 3]


def test_a_journal_of_a_person_tells_it_of_every_session() -> None:
    visit = of_rows("P/1", "P", [peck(0, 1.0, 3), peck(0, 400.0, 9, number=2), peck(0, 800.0, 9, number=3)])
    notes = [assigned(vi_s=[[3.0, 9.0, 27.0], [9.0, 27.0, 3.0]])]
    first, second, beyond = of_journal(visit, header({"block_s": 30.0, "session_s": 360.0}, 7200.0), notes).sessions
    assert (first.blocks, first.block_s) == (12, 30)
    assert first.assignment.vi_s[:3].tolist() == [3, 9, 27]
    assert np.isnan(first.assignment.prev_vi_s).all()
    assert second.assignment.prev_vi_s[:3].tolist() == [3, 9, 27]
    assert not beyond.told


def test_theta_and_all_else_is_there_for_the_flock_and_for_each_session() -> None:
    found = report(flock(), DiskSettings())
    group = only(found.groups)
    assert (group.sessions, group.subjects, group.pecks) == (8, 2, 8 * 360)
    assert group.thetas is not None
    assert group.thetas.overall.value[0] == pytest.approx(0.3, abs=0.05)
    assert np.mean([each.theta for each in found.sessions]) == pytest.approx(0.3, abs=0.05)
    assert found.sessions[0].p_best == pytest.approx(0.3, abs=0.1)


def test_without_the_extra_there_are_no_thetas() -> None:
    found = report(flock(1), NO_FITS)
    assert only(found.groups).thetas is None
    assert np.isnan(found.sessions[0].theta)


def test_a_report_is_plain_data() -> None:
    text = json.dumps(plain(report(flock(2), DiskSettings())), allow_nan=False)
    assert json.loads(text)["groups"]["8 disks, VI 3-6561 s"]["thetas"]["by_number"] == {}


def test_what_was_left_out_is_counted_by_why() -> None:
    rows = [*days(Bird(), 1)[0], peck(-1, 3600.0), peck(2, 3600.0, VI_S[2], phase="reward")]
    (found,) = sessions_of(
        [of_rows("A/1", "A", [row | {"vi_s": None} if row["disk"] < 0 else row for row in rows[:-1]])]
    )
    assert only(report([found], NO_FITS).groups).left_out == {"off target": 1}
    assert replace(found, name="A/2").condition == "8 disks, VI 3-6561 s"


@pytest.mark.parametrize(
    ("params", "session_s"),
    [({"block_s": 0}, 60), ({"block_s": 1e-9}, 3600), ({"block_s": "x"}, 60), ({"session_s": "x"}, 60)],
)
def test_a_header_with_more_blocks_than_a_session_has_is_refused(params: dict[str, object], session_s: float) -> None:
    with pytest.raises(ConfigError, match="wanted up to 10000 blocks"):
        of_journal(ONE_PECK, header(params, session_s), ())


@pytest.mark.parametrize("vi_s", [{"a": 1}, [1] * 20, ["x"], 5, [["x"]]])
def test_a_note_of_the_assignment_that_says_something_else_is_refused(vi_s: object) -> None:
    with pytest.raises(ConfigError, match="assignment cannot be read"):
        of_journal(ONE_PECK, header({}, 600), [assigned(vi_s=vi_s)])


@pytest.mark.parametrize(
    ("params", "hopper_s"), [({"hopper_s": 3}, 3.0), ({}, math.nan), ({"hopper_s": "up"}, math.nan)]
)
def test_the_time_of_the_hopper_is_that_of_the_header(params: dict[str, object], hopper_s: float) -> None:
    (found,) = of_journal(ONE_PECK, header({"block_s": 300.0, **params}, 600), ()).sessions
    assert found.hopper_s == pytest.approx(hopper_s, nan_ok=True)

"""Days of the eight disks: which are there, which schedule each has, and what elimination takes away."""

import datetime
from pathlib import Path
from typing import Any

import pytest

from protocols.disk_bandit.assignment import carry_over, has_pecks
from protocols.disk_bandit.params import Params
from rig.core.errors import ConfigError
from rig.core.journal.kinds import Note, SceneLine
from rig.core.model.line import kind_of
from rig.core.model.rig_spec import SimulationOptions
from rig.core.task.random_streams import RandomStreams, session_seed
from rig.session.check.dry_run import dry_run
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from tests.harness import run_as
from tests.protocols.disk_bandit.disks import day, peck, run

TEST_VI_S = [3, 9, 27, 81, 243, 729, 2187, 6561]


def eliminated(n_disks: int, carried_over: dict[str, Any], pecks: list[int], seed: int = 1) -> Any:
    """Live a day of elimination; return it and what is carried on."""
    params = {"disks": "eliminated", "n_disks": n_disks}
    found = day(seed, carried_over, **params)
    return found, carry_over(Params.model_validate(params), carried_over, found, pecks)


def test_every_day_has_all_the_schedules_once_in_an_order_of_its_own() -> None:
    orders = [day(session_seed(1, "Cosmo", number)).values for number in range(24)]
    assert all(sorted(values.values()) == TEST_VI_S for values in orders)
    assert len({tuple(values.values()) for values in orders}) == 24


def test_the_order_is_drawn_from_a_stream_that_nothing_else_uses() -> None:
    draws = RandomStreams(5)("assignment")
    left = list(map(float, TEST_VI_S))
    expected = [left.pop(int(draws.random() * len(left))) for _ in range(8)]
    assert list(day(5).values.values()) == expected


def test_every_order_is_as_likely_as_any_other() -> None:
    at_top = [day(seed).values[0] for seed in range(4_000)]
    for vi_s in TEST_VI_S:
        assert 420 < at_top.count(vi_s) < 580  # 500 expected, SD 21


def test_the_next_day_knows_the_last_assignment() -> None:
    first = run(peck(20.0, 3))
    second = run(peck(20.0, 3), seed=2, carried_over=first.footer.carry_over, vi_s=str(TEST_VI_S))
    assert first.rows[0]["prev_vi_s"] is None
    assert second.rows[0]["prev_vi_s"] == first.rows[0]["vi_s"] == 9.0
    assert second.rows[0]["vi_s"] == day(2).values[3]


def test_the_assignment_is_in_the_journal_before_the_first_peck() -> None:
    harness = run(peck(0.1, 3))
    kinds = [line.what if isinstance(line, Note) else kind_of(line) for line in harness.journal]
    assert kinds.index("assignment") < kinds.index("touch")
    (assignment,) = harness.notes("assignment")
    assert assignment.fields["vi_s"] == [9.0] * 8
    assert assignment.fields["prev_vi_s"] == [None] * 8
    assert assignment.fields["locations"] == list(range(8))


def test_a_session_with_ratios_leaves_the_last_intervals_as_they_were() -> None:
    carried_over = run().footer.carry_over
    after = run(protocol="disk_bandit_rr", carried_over=carried_over).footer.carry_over
    assert after["vi_s"] == carried_over["vi_s"]
    assert after["sessions"] == 2


def test_the_most_pecked_disk_of_all_sessions_goes_and_the_longest_interval_with_it() -> None:
    carried_over: dict[str, Any] = {}
    for pecks in ([5, 0, 0, 9, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0]):
        found, carried_over = eliminated(8, carried_over, pecks)
        assert found.removed == ()
    found, carried_over = eliminated(7, carried_over, [0, 0, 0, 0, 7, 0, 0, 0])
    assert found.removed == found.removed_today == (0,)
    assert found.pecks == (10, 0, 0, 9, 0, 0, 0, 0)
    assert set(found.values) == set(range(1, 8))
    assert sorted(found.values.values()) == TEST_VI_S[:7]


def test_pecks_count_again_after_a_removal_and_once_a_day() -> None:
    _, carried_over = eliminated(8, {}, [5, 0, 0, 9, 0, 0, 0, 0])
    _, carried_over = eliminated(7, carried_over, [4, 0, 0, 0, 7, 0, 0, 0])
    found, carried_over = eliminated(7, carried_over, [4, 0, 0, 0, 0, 0, 0, 0])
    assert (found.removed, found.removed_today) == ((3,), ())
    found, _ = eliminated(6, carried_over, [0] * 8)
    assert (found.removed, found.removed_today) == ((3, 0), (0,))


def test_of_disks_that_were_pecked_as_often_the_first_clockwise_from_the_top_goes() -> None:
    _, carried_over = eliminated(8, {}, [0, 4, 0, 0, 0, 4, 0, 0])
    assert eliminated(7, carried_over, [0] * 8)[0].removed == (1,)
    assert eliminated(5, {}, [0] * 8)[0].removed == (0, 1, 2)


def test_a_session_that_does_not_count_removes_nothing_for_good() -> None:
    _, carried_over = eliminated(8, {}, [0, 0, 0, 9, 0, 0, 0, 0])
    first, second = (eliminated(7, carried_over, [9] * 8)[0] for _ in range(2))
    assert first == second


def test_more_disks_than_are_left_begin_a_new_elimination() -> None:
    _, carried_over = eliminated(6, {}, [0, 0, 9, 0, 0, 0, 0, 0])
    found, carried_over = eliminated(8, carried_over, [0, 0, 0, 0, 0, 5, 0, 0])
    assert (found.removed, found.pecks) == ((), (0,) * 8)
    assert eliminated(7, carried_over, [0] * 8)[0].removed == (5,)


def test_the_test_after_elimination_has_all_eight_disks_again() -> None:
    _, carried_over = eliminated(3, {}, [0] * 8)
    found = day(1, carried_over)
    assert len(found.values) == 8
    assert sorted(found.previous_vi_s) == [5, 6, 7]


def test_a_removed_disk_is_not_shown_and_pecks_in_reward_do_not_decide() -> None:
    first = run(
        *(peck(t, 3) for t in (1.0, 2.0, 20.0)),
        *(peck(20.5 + t / 2, 4) for t in range(5)),
        protocol="disk_bandit_eliminate",
        disks_in_reward="inactive",
    )
    assert first.footer.carry_over["pecks"] == [0, 0, 0, 3, 0, 0, 0, 0]
    second = run(peck(20.0, 3), protocol="disk_bandit_eliminate", n_disks=7, carried_over=first.footer.carry_over)
    assert [item["name"] for item in second.of_kind(SceneLine)[0].items] == [f"disk{k}" for k in (0, 1, 2, 4, 5, 6, 7)]
    assert second.rows[0]["disk"] == -1
    assert [note.fields["removed_today"] for note in second.notes("assignment")] == [[3]]


def test_disks_are_eliminated_by_pecks_that_were_counted_and_not_by_chance() -> None:
    def may(n_disks: int, carried_over: dict[str, Any]) -> bool:
        return has_pecks(Params.model_validate({"disks": "eliminated", "n_disks": n_disks}), carried_over)

    assert not may(3, {})
    assert may(8, {})
    _, eight = eliminated(8, {}, [5, 0, 0, 9, 0, 0, 0, 0])
    _, seven = eliminated(7, eight, [1] * 8)
    assert may(7, eight)
    assert may(7, seven)
    assert may(6, seven)
    assert may(8, seven), "a new elimination begins with all eight"
    assert not may(5, {**seven, "removed": [3, 0, 1, 2]}), "and with no fewer"
    assert may(8, {"sessions": 40})
    assert not may(7, {"sessions": 40}), "none of them counted pecks"


def test_a_new_subject_is_refused_where_disks_are_to_go_and_the_files_are_good_all_the_same(tmp_path: Path) -> None:
    prepared = build_spec(SessionRequest("disk_bandit_eliminate", None, ["params.n_disks=3"]))
    assert dry_run(prepared).failure is None
    with pytest.raises(ConfigError, match=r"params.n_disks: is 3, .* begin with n_disks: 8"):
        prepared.check_history()
    order = SessionRequest(
        data=tmp_path,
        subject="P1",
        seed=1,
        start=datetime.datetime(2026, 11, 21),
        simulation=SimulationOptions("pigeon"),
    )
    with pytest.raises(ConfigError, match="no session of this subject has counted"):
        run_as(prepared, order)
    assert not list(tmp_path.rglob("journal.jsonl"))

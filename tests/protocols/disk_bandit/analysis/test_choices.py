from dataclasses import replace

import numpy as np
import pytest

from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.cells import cell_table, cells
from protocols.disk_bandit.analysis.choices import course, largest, shares, stays
from protocols.disk_bandit.analysis.pecks import Pecks, of_rows
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, Row, life, peck


def session(rows: list[Row], subject: str = "A", day: int = 1) -> Pecks:
    (found,) = complete(of_rows(f"{subject}/{day:02}", subject, rows).named())
    return found


def pecked(disks: str, subject: str = "A", paid: str = "", start: float = 0.0) -> Pecks:
    """A session of pecks two minutes apart on these disks, of which those marked x were paid."""
    marks = paid.ljust(len(disks))
    return session(
        [
            peck(int(disk), start + 120.0 * n, VI_S[int(disk)], rewarded=mark == "x")
            for n, (disk, mark) in enumerate(zip(disks, marks, strict=True))
        ],
        subject,
    )


def test_choices_are_shares_of_all_pecks_by_what_was_paid_best_first() -> None:
    found = shares(cells([pecked("00012"), pecked("22201", "B")]))
    assert found.pays.tolist() == [3, 9, 27]
    assert found.p_disk.pooled == pytest.approx([0.4, 0.2, 0.4])
    assert found.p_disk.by_subject.tolist() == [[0.6, 0.2, 0.2], [0.2, 0.2, 0.6]]
    assert [(each.n, each.mean) for each in found.p_disk.mean] == [(2, 0.4), (2, 0.2), (2, 0.4)]
    assert found.n.tolist() == [4, 2, 4]
    assert found.p_disk.se[1] == pytest.approx((0.2 * 0.8 / 10) ** 0.5)


def test_reinforcement_is_a_share_of_the_pecks_of_that_disk() -> None:
    found = shares(cells([pecked("00012", paid="x x x")]))
    assert found.p_reward.pooled == pytest.approx([2 / 3, 0, 1])


def test_shares_add_up_to_one_over_disks_and_in_every_block() -> None:
    sessions = complete(life(Bird(pecks=(30,) * 12), 3))
    assert shares(cells(sessions)).p_disk.pooled.sum() == pytest.approx(1)
    assert course(cells(sessions)).p_disk.sum(axis=1) == pytest.approx(np.ones(12))


def test_what_a_bird_chooses_most_has_a_rank_and_a_share() -> None:
    (found,) = largest(cells([pecked("1112202221")]))
    assert (found.rank, found.share) == (3, 0.5)
    assert np.isnan(found.share_in_a_block)  # of so few pecks a block it says nothing
    (found,) = largest(cells([pecked("1120002221")] * 9))
    assert found.share_in_a_block == pytest.approx(2 / 3)


def test_a_block_after_the_end_counts_as_one_without_pecks_unless_only_blocks_with_some_are_asked() -> None:
    sessions = [pecked("000111"), pecked("01", "B")]
    found = course(cells(sessions))
    assert found.block.tolist() == [1, 2, 3]
    assert found.sessions.tolist() == [2, 1, 1]
    assert found.n.tolist() == [5, 2, 1]
    assert found.rate == pytest.approx([1, 0.4, 0.2])
    assert found.rate_where_any == pytest.approx([1, 0.8, 0.4])
    assert np.isnan(found.p_disk_by_subject[1, 2]).all()


def test_the_share_of_rewarded_pecks_is_counted_block_by_block() -> None:
    found = course(cells([pecked("000111", paid="xx x")]))
    assert found.rewarded.pooled == pytest.approx([2 / 3, 0.5, 0])


def test_planned_blocks_count_even_if_nobody_came_so_far() -> None:
    found = cells([replace(pecked("0011"), blocks=12)])
    assert found.n.tolist() == [3, 1, *[0] * 10]


def test_a_peck_after_the_planned_end_adds_no_block_and_is_left_out() -> None:
    late = replace(pecked("0011"), blocks=1)
    assert late.block.tolist() == [1, 1, 1, 2]
    assert cells([late]).n.tolist() == [3]
    assert late.left_out == {"after the planned end": 1}


def test_a_change_of_the_disk_is_counted_among_pairs_and_runs_last_until_it() -> None:
    found = stays([pecked("0001122")])
    assert found.changeover.mean == pytest.approx(2 / 6)
    assert found.run_length.mean == pytest.approx(7 / 3)
    assert found.longest_run == 3


def test_pecks_beside_the_disks_end_no_run_and_sessions_do() -> None:
    rows = [peck(0, 1.0), peck(-1, 2.0), peck(0, 3.0)]
    assert stays([session(rows)]).longest_run == 2
    assert stays([session(rows), session(rows, day=2)]).longest_run == 2
    assert np.isnan(stays([session([peck(-1)])]).changeover.mean)


def test_runs_of_a_bird_that_stays_are_as_long_as_its_chance_says() -> None:
    sessions = complete(life(Bird(theta=(0.0,) * 12, stays=0.75, pecks=(100,) * 12), 6))
    found = stays(sessions)
    again = 0.75 + 0.25 / 8
    assert found.run_length.mean == pytest.approx(1 / (1 - again), rel=0.05)
    assert found.changeover.mean == pytest.approx(1 - again, abs=0.01)


def test_the_table_of_cells_has_every_disk_of_every_block_with_pecks() -> None:
    lines = cell_table([pecked("00012", paid="x")]).splitlines()
    assert lines[0] == "session,subject,number,block,disk,vi_s,prev_vi_s,p_reward,value,placed,pecks,rewarded"
    assert lines[1] == "A/01,A,1,1,0,3,,,-1.09861,True,3,1"
    assert len(lines) == 1 + 2 * 3

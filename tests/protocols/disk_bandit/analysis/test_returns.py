import numpy as np
import pytest

from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.pecks import Pecks, of_rows
from protocols.disk_bandit.analysis.returns import returns
from tests.protocols.disk_bandit.analysis.made import Bird, life, peck


def session(*pecks: tuple[float, int, bool]) -> list[Pecks]:
    rows = [peck(disk, t, {0: 3, 1: 9}[disk], rewarded=paid) for t, disk, paid in pecks]
    return complete(of_rows("A/01", "A", rows).named())


def test_a_return_is_a_share_of_all_pecks_at_that_time_after_the_reward() -> None:
    three, nine = returns(session((10, 0, True), (11.1, 1, False), (11.2, 0, False), (15.1, 0, False)))
    assert (three.vi_s, nine.vi_s) == (3, 9)
    assert three.n.tolist() == [0, 0, 2, *[0] * 9, 1, *[0] * 7]
    assert three.share[2] == 0.5
    assert three.share[12] == 1
    assert nine.n.sum() == 0


def test_every_subject_has_its_own_share_in_alphabetical_order() -> None:
    back = session((10, 0, True), (11.1, 0, False))
    away = complete(of_rows("B/01", "B", [peck(0, 10, 3, rewarded=True), peck(1, 11.1, 9)]).named())
    three, _ = returns([*away, *back])
    assert three.own_n[:, 2].tolist() == [1, 1]
    assert three.own[:, 2].tolist() == [1, 0]
    assert np.isnan(three.own[:, 0]).all()
    assert three.share[2] == 0.5


def test_time_counts_from_the_last_reward_of_that_disk() -> None:
    three, _ = returns(session((10, 0, True), (12.1, 0, True), (13.2, 1, False), (13.3, 0, False)))
    assert three.n.nonzero()[0].tolist() == [2, 3, 5]  # 1.1, 1.2 and 2.1 s
    assert three.n.sum() == 3


def test_the_axes_are_those_of_the_paper() -> None:
    found = returns(complete(life(Bird(), 2)))
    assert [each.vi_s for each in found] == [3, 9, 27]
    assert [each.since_s[-1] + each.since_s[0] for each in found] == pytest.approx([8, 20, 50])


def test_a_bird_that_does_not_care_returns_at_chance_at_any_time() -> None:
    found = returns(complete(life(Bird(theta=(0.0,) * 12, pecks=(300,) * 12), 12)))
    for each in found:
        late = each.n > 50
        assert late.any()
        assert np.all(np.abs(each.share[late] - 1 / 8) < 4 * each.se[late] + 0.02)


def test_without_intervals_there_is_nothing_to_follow() -> None:
    rows = [peck(disk, 1.0 + disk, None, p_reward=0.5) for disk in range(3)]
    assert returns(complete(of_rows("A/01", "A", rows).named())) == ()

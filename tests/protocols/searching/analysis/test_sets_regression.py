"""The regression on SafeOpt's sets: people who avoid risk choose safe tiles."""

import pytest

from protocols.searching.analysis.sets_regression import INTERACTION, sets_regression
from rig.analysis.common.mixed_logistic import MixedLogistic
from tests.protocols.searching.analysis.made import careful


@pytest.fixture(scope="module")
def near() -> MixedLogistic:
    """The regression of people who stay near the point shown."""
    found = sets_regression([careful(number, 1) for number in range(4)], lam=4.0)
    assert found is not None
    return found


def test_people_who_stay_near_choose_safe_tiles(near: MixedLogistic) -> None:
    assert near.names[:2] == ("intercept", "safe")
    assert near.value[1] > 1
    assert near.subjects == 4
    assert INTERACTION not in near.names


def test_people_who_go_further_choose_fewer_safe_tiles(near: MixedLogistic) -> None:
    further = sets_regression([careful(number, 4) for number in range(4)], lam=4.0)
    assert further is not None
    assert further.value[1] < near.value[1]


def test_rounds_without_a_line_have_no_sets() -> None:
    assert sets_regression([], None) is None


@pytest.mark.parametrize("lam", [None, 2.0])
def test_every_tile_before_every_click_is_an_answer(lam: float | None) -> None:
    people = [careful(number, 2) for number in range(2)]
    found = sets_regression(people, lam)
    assert found is not None
    assert found.answers == 21 * sum(each.clicks for one in people for each in one.rounds)

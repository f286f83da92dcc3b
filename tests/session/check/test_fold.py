"""Equal mistakes are one with a count."""

from rig.config.errors.errors import SourceLocation, config_issue
from rig.session.check.fold import fold_equal

ISSUE = config_issue(SourceLocation("p.yaml", 3), ("params", "reward_ul"), "must be > 0")


def test_a_mistake_that_is_found_again_is_one_with_a_count() -> None:
    folded = fold_equal([ISSUE, "another", ISSUE, ISSUE])
    assert folded == ("p.yaml:3: params.reward_ul: must be > 0 (3 times)", "another")
    assert (folded[0].location, folded[0].key) == (ISSUE.location, ISSUE.key)


def test_different_mistakes_stay_as_they_are() -> None:
    assert fold_equal(["b", "a"]) == ("b", "a")

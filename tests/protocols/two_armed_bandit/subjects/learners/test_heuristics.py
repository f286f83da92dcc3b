"""Learners of a rule or a table: win-stay lose-shift, words, coins."""

import pytest

from protocols.two_armed_bandit.subjects.learners.heuristics import FixedProbability, NgramLearner, WinStayLoseShift
from tests.sim_hardware.models.bandit import Tally

LETTERS = {"A": ("left", True), "a": ("left", False), "B": ("right", True), "b": ("right", False)}
MIRRORED = {"A": ("right", True), "a": ("right", False), "B": ("left", True), "b": ("left", False)}
TABLE = {"AAA": 0.01, "aaa": 0.25, "Abb": 0.5, "aAb": 0.6}


@pytest.mark.parametrize("word", TABLE)
@pytest.mark.parametrize("code", [LETTERS, MIRRORED], ids=["left first", "right first"])
def test_the_side_is_changed_as_often_as_the_table_says_after_the_word(
    word: str, code: dict[str, tuple[str, bool]]
) -> None:
    learner = NgramLearner(3, 0.07, TABLE)
    for letter in "Ba" + word:  # what is older than the word does not count
        learner.observe(*code[letter])
    assert learner.word() == word
    assert learner.p_switch() == TABLE[word]
    stays_left = code[word[-1]][0] == "left"
    assert learner.p_left() == pytest.approx(1 - TABLE[word] if stays_left else TABLE[word])


def test_a_word_begins_with_a_whichever_side_it_begins_with() -> None:
    learner = NgramLearner(2, 0.07, {})
    learner.observe("right", False)
    learner.observe("left", True)
    assert learner.word() == "aB"


def test_short_histories_and_unknown_words_have_the_marginal() -> None:
    learner = NgramLearner(3, 0.07, TABLE)
    assert learner.p_left() == 0.5
    for _ in range(2):
        learner.observe("left", True)
        assert learner.word() == ""
        assert learner.p_left() == pytest.approx(0.93)
    learner.observe("right", True)
    assert learner.word() == "AAB"
    assert learner.p_left() == pytest.approx(0.07)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_a_table_may_be_certain(p: float) -> None:
    learner = NgramLearner(1, p, {})
    learner.observe("left", True)
    assert learner.p_left() == 1 - p


def test_win_stay_lose_shift_stays_and_shifts() -> None:
    learner = WinStayLoseShift()
    for side, rewarded, following in (("left", True, 1.0), ("left", False, 0.0), ("right", False, 1.0)):
        learner.observe(side, rewarded)
        assert learner.p_left() == following


def test_win_stay_lose_shift_has_its_published_reward_rate() -> None:
    tally = Tally(WinStayLoseShift, 200)
    assert tally.reward == pytest.approx(0.673, abs=0.008)
    assert (tally.after_reward, tally.after_none) == (0.0, 1.0)


def test_a_coin_earns_what_chance_gives_and_learns_nothing() -> None:
    tally = Tally(FixedProbability, 100)
    assert tally.reward == pytest.approx(0.5, abs=0.012)
    assert tally.rewards_per_switch == pytest.approx(1.0, abs=0.05)
    learner = FixedProbability(0.1)
    learner.observe("left", True)
    assert learner.p_left() == 0.1

import numpy as np
import pytest
from hypothesis import given

from protocols.two_armed_bandit.analysis.history_words import (
    CLIP,
    ngram,
    side_log_odds,
    side_policy,
    spelled,
    switch_table,
    words,
)
from rig.core.errors import ConfigError
from tests.protocols.two_armed_bandit.made import histories, stack, swapped


def test_there_are_32_symmetric_words_and_64_of_sides() -> None:
    assert len(set(words("AB"))) == 32
    assert len(set(words("LR"))) == 64
    assert words("AB")[0] == "AAA"


@pytest.mark.parametrize(
    ("history", "word"),
    [("LLL", "AAA"), ("Rrr", "Aaa"), ("Lrr", "Abb"), ("rlL", "abB"), ("lRl", "aBa")],
)
def test_a_word_says_direction_and_reward_from_the_oldest_trial(history: str, word: str) -> None:
    number = spelled(stack(history + "L"))[0, 3]
    assert words("AB")[number] == word


def test_a_word_of_sides_is_the_history_itself() -> None:
    assert words("LR")[spelled(stack("lRrL"), sides=True)[0, 3]] == "lRr"


@given(histories)
def test_symmetric_words_do_not_know_left_from_right(rows: list[str]) -> None:
    mirrored = [swapped(row) for row in rows]
    np.testing.assert_array_equal(spelled(stack(*rows)), spelled(stack(*mirrored)))
    np.testing.assert_array_equal(switch_table(stack(*rows)).n, switch_table(stack(*mirrored)).n)
    assert ngram_or_none(rows) == ngram_or_none(mirrored)


def ngram_or_none(rows: list[str]) -> object:
    return ngram(stack(*rows)) if max(map(len, rows)) > 1 else None


@given(histories)
def test_a_window_never_crosses_sessions(rows: list[str]) -> None:
    found = switch_table(stack(*rows))
    assert found.n.sum() == sum(max(0, len(row) - 3) for row in rows)
    apart = sum(switch_table(stack(row)).n for row in rows)
    np.testing.assert_array_equal(found.n, apart)


def test_the_table_has_binomial_errors() -> None:
    table = switch_table(stack("LLLL", "LLLR", "RRRR", "RRRR"))
    assert (table.n[0], table.p_switch[0]) == (4, 0.25)
    assert table.se[0] == pytest.approx(np.sqrt(0.25 * 0.75 / 4))
    assert np.isnan(table.p_switch[1])


def test_the_table_is_written_as_the_virtual_mouse_reads_it() -> None:
    assert ngram(stack("LLLL", "LLLr")) == {
        "format": 1,
        "kind": "ngram",
        "length": 3,
        "p_switch": 0.166667,
        "words": {"AAA": {"n": 2, "p_switch": 0.5}},
    }


def test_no_table_is_made_of_single_trials() -> None:
    with pytest.raises(ConfigError, match="two completed trials in a row"):
        ngram(stack("L", "r"))


def test_a_policy_of_sides_is_clipped_and_knows_nothing_of_words_it_never_saw() -> None:
    policy = side_policy(stack("LLLLLL", "rrrr"))
    assert policy[words("LR").index("LLL")] == 1 - CLIP
    assert policy[words("LR").index("rrr")] == CLIP
    assert policy[words("LR").index("LRL")] == 0.5
    psi = side_log_odds(stack("LLLL"), policy)[0]
    np.testing.assert_allclose(psi, [0, 0, 0, np.log((1 - CLIP) / CLIP)])

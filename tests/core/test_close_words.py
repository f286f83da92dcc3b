"""A suggestion is a typing mistake away, or it is not made."""

import pytest

from rig.core.close_words import closest_word
from tests.tables import rows

KINDS = ("port", "light", "valve", "ttl_in", "ttl_out", "zone", "feeder", "speaker", "tracker", "hopper", "houselight")


@rows("word", "meant")
def test_a_typing_mistake_has_its_word(word: str, meant: str) -> None:
    assert closest_word(word, KINDS) == meant


@pytest.mark.parametrize("word", ["lever", "wheel", "door", "key", "odor", "lick", "spout", "motor", "laser", "camera"])
def test_another_word_has_none(word: str) -> None:
    assert closest_word(word, KINDS) is None


def test_the_start_of_a_long_name_is_meant_for_it() -> None:
    assert closest_word("pigeon", ("two_armed_bandit", "pigeon_bandit")) == "pigeon_bandit"


def test_two_swapped_letters_of_a_short_word_are_a_typing_mistake() -> None:
    assert closest_word("dgo", ("dog", "cat")) == "dog"


def test_a_wrong_letter_in_a_short_word_is_a_typing_mistake() -> None:
    assert closest_word("sin", ("avr", "serial", "sim")) == "sim"


def test_a_long_word_takes_no_time() -> None:
    assert closest_word("x" * 1_000_000, KINDS) is None

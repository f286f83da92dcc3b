"""What to write for a device that has another name in the field."""

import pytest

from rig.config.errors.field_words import device_advice
from tests.tables import rows


@rows("word", "said")
def test_a_word_of_the_field_has_its_kind(word: str, said: str) -> None:
    assert device_advice(word).startswith(said)


@pytest.mark.parametrize("word", ["", "prot", "valve", "whatever", "left"])
def test_another_word_has_none(word: str) -> None:
    assert device_advice(word) == ""

"""A number whose point may separate thousands is not taken for another one."""

import pickle

import pytest

from rig.config.errors.thousands import WrittenNumber, written_number


@pytest.mark.parametrize("text", ["2.400", "-1.000", "12.500"])
def test_a_number_that_may_have_a_separator_keeps_its_text(text: str) -> None:
    number = written_number(text)
    assert number == float(text)
    assert isinstance(number, WrittenNumber)
    assert (number.text, pickle.loads(pickle.dumps(number)).text) == (text, text)


@pytest.mark.parametrize("text", ["2.4", "0.250", "2.4005", "2400.000", "1e3", "2.50"])
def test_another_number_is_a_number(text: str) -> None:
    assert type(written_number(text)) is float

"""The numbered random code of an output."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.sync_code import code_edges, code_length_us, code_word

BITS = st.integers(8, 32)


@given(st.integers(0, 2**32 - 1), BITS)
def test_a_code_reads_back_as_its_word(word: int, bits: int) -> None:
    word &= (1 << bits) - 1
    edges = list(code_edges(word, bits, 100))
    level_at = [max(edge for edge in edges if edge[0] <= place * 100)[1] for place in range(bits + 2)]
    assert level_at[:2] == [1, 0]
    assert int("".join(map(str, level_at[2:])), 2) == word
    assert edges[-1][1] == 0
    assert edges[-1][0] <= code_length_us(bits, 100)


@given(st.integers(0, 2**32 - 1))
def test_words_of_32_bits_do_not_repeat(seed: int) -> None:
    words = {code_word(seed, number, 32) for number in range(2000)}
    assert len(words) == 2000


def test_the_words_are_those_that_the_board_computes() -> None:
    assert code_word(7, 3, 16) == code_word(7, 3, 32) & 0xFFFF
    assert code_word(0, 0, 32) == 0x92CA2F0E  # murmur3's finalizer of 0x9E3779B9

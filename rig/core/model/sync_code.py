"""The numbered random code that an output sends, so that another system's recording can be aligned with the session.

Code ``i`` of an order begins ``i`` periods and one bit after the board has executed it: the stamp of its batch. It
begins with a start bit: the output is on for one bit and off for the next. The bits of its word follow, the highest
first, on for 1. The output is then off until the next code. The word is a hash of the number, so that any code in a
recording says which one it is. A code without bits is a square: on for one bit in each period.
"""

from __future__ import annotations

from collections.abc import Iterator

START_BITS = 2
"""The start bit and the pause after it, in bits."""
MIN_BITS, MAX_BITS = 8, 32
STATE_STEP = 0x9E37_79B9
"""2^32 divided by the golden ratio: from the state of one code to that of the next."""
_MASK = 0xFFFF_FFFF


def code_state(seed: int, number: int) -> int:
    """Return the state from which the board computes the word of a code; the next state is ``STATE_STEP`` more."""
    return (seed + (number + 1) * STATE_STEP) & _MASK


def word_of_state(state: int, bits: int) -> int:
    """Return the lowest ``bits`` of the 32-bit finalizer of MurmurHash3 (Appleby 2011).

    The board computes the same in `firmware/core/action.cpp`.
    """
    word = state ^ state >> 16
    word = word * 0x85EB_CA6B & _MASK
    word ^= word >> 13
    word = word * 0xC2B2_AE35 & _MASK
    word ^= word >> 16
    return word & ((1 << bits) - 1)


def code_word(seed: int, number: int, bits: int) -> int:
    """Return the word of a code."""
    return word_of_state(code_state(seed, number), bits)


def code_length_us(bits: int, bit_us: int) -> int:
    """Return how long a code is, with its start bit, in microseconds."""
    return (START_BITS + bits) * bit_us


def code_edges(word: int, bits: int, bit_us: int) -> Iterator[tuple[int, int]]:
    """Yield the edges of one code: microseconds after its start, and the level from then on."""
    levels = [1, 0, *(word >> position & 1 for position in reversed(range(bits))), 0]
    before = 0
    for position, level in enumerate(levels):
        if level != before:
            yield position * bit_us, level
        before = level


def signal_edges(period_us: int, bit_us: int, bits: int, seed: int, first: int = 0) -> Iterator[tuple[int, int, int]]:
    """Yield the edges of a signal, which does not end, in the order of time.

    Each is the microseconds after the stamp of its order, the level from then on, and the number of its code.
    """
    begin_us, number = bit_us, first
    while True:
        for after_us, level in code_edges(code_word(seed, number, bits), bits, bit_us):
            yield begin_us + after_us, level, number
        begin_us, number = begin_us + period_us, number + 1

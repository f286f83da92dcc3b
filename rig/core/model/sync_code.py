"""The numbered random code that an output sends, so that another system's recording can be aligned with the session.

Code ``i`` of a signal begins ``i`` periods after its order was executed. It begins with a start bit: the output is on
for one bit and off for the next. The bits of its word follow, the highest first, on for 1. The output is then off until
the next code. The word is a hash of the number, so that any code in a recording says which one it is.
"""

from __future__ import annotations

from collections.abc import Iterator

START_BITS = 2
"""The start bit and the pause after it, in bits."""
MIN_BITS, MAX_BITS = 8, 32
_MASK = 0xFFFF_FFFF


def code_word(seed: int, number: int, bits: int) -> int:
    """Return the word of a code: the lowest ``bits`` of the 32-bit finalizer of MurmurHash3 (Appleby 2011).

    The board computes the same in `firmware/core`.
    """
    word = (seed + (number + 1) * 0x9E37_79B9) & _MASK
    word ^= word >> 16
    word = word * 0x85EB_CA6B & _MASK
    word ^= word >> 13
    word = word * 0xC2B2_AE35 & _MASK
    word ^= word >> 16
    return word & ((1 << bits) - 1)


def code_length_us(bits: int, bit_us: int) -> int:
    """Return how long a code is, with its start bit, in microseconds."""
    return (START_BITS + bits) * bit_us


def code_edges(word: int, bits: int, bit_us: int) -> Iterator[tuple[int, int]]:
    """Yield the edges of one code: microseconds after its start, and the level from then on."""
    levels = [1, 0, *(word >> place & 1 for place in reversed(range(bits))), 0]
    before = 0
    for place, level in enumerate(levels):
        if level != before:
            yield place * bit_us, level
        before = level

"""UF2: a file that a Pico's boot ROM takes, and the files that it would not."""

import struct
from pathlib import Path

import pytest

from rig.boards.uf2 import from_uf2, main, to_uf2

IMAGE = bytes(range(256)) * 2 + b"last page"
BLOCK = 512


def words(file: bytes, block: int) -> tuple[int, ...]:
    """The eight words before the payload of a block."""
    return struct.unpack_from("<8I", file, block * BLOCK)


def changed(file: bytes, at: int, word: int) -> bytes:
    return file[:at] + struct.pack("<I", word) + file[at + 4 :]


def test_what_is_written_is_read_again_and_its_last_page_is_filled_with_zeros() -> None:
    assert from_uf2(to_uf2(IMAGE)) == IMAGE.ljust(3 * 256, b"\0")


def test_each_block_has_its_number_its_address_and_the_family_of_an_rp2040() -> None:
    file = to_uf2(IMAGE)
    assert len(file) == 3 * BLOCK
    for block in range(3):
        address = 0x1000_0000 + 256 * block
        assert words(file, block) == (0x0A324655, 0x9E5D5157, 0x2000, address, 256, block, 3, 0xE48BFF56)
        assert file[(block + 1) * BLOCK - 4 : (block + 1) * BLOCK] == struct.pack("<I", 0x0AB16F30)


FILE = to_uf2(IMAGE)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "is no UF2 file"),
        (b":00000001FF\n", "is no UF2 file"),
        (FILE[:-1], "is no complete UF2 file"),
        (FILE[:BLOCK], "is a damaged UF2 file, .* block 0"),
        (FILE[:BLOCK] + FILE[: 2 * BLOCK], "is a damaged UF2 file, .* block 1"),
        (changed(FILE, 2 * BLOCK - 4, 0), "is a damaged UF2 file, .* block 1"),
        (changed(FILE, 12, 0x2000_0000), "not for the start of the flash: block 0"),
        (changed(FILE, 28, 0xE48BFF59), r"for another chip \(family 0xe48bff59; that of a Pico is 0xe48bff56\)"),
        (to_uf2(bytes(0x20_0001)), "larger than the flash"),
    ],
)
def test_a_file_that_a_pico_would_not_start_is_refused(file: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        from_uf2(file)


def test_the_build_writes_the_file_of_an_image(tmp_path: Path) -> None:
    (tmp_path / "pico.bin").write_bytes(IMAGE)
    main(tmp_path / "pico.bin", tmp_path / "pico.uf2")
    assert (tmp_path / "pico.uf2").read_bytes() == FILE

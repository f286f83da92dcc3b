"""boot2: the checksum without which the boot ROM of a Pico starts no program."""

from pathlib import Path

from rig.boards.boot2 import can_start, checksum, main, with_checksum
from rig.boards.firmware import PACKAGE
from rig.boards.uf2 import from_uf2

IMAGE = bytes(range(256)) + b"the program"


def test_the_checksum_is_that_of_the_boot_rom() -> None:
    assert checksum(b"123456789") == 0x0376_E6E7  # the check value of CRC-32/MPEG-2


def test_a_program_starts_only_with_the_checksum_of_its_first_bytes() -> None:
    image = with_checksum(IMAGE)
    assert (image[:252], image[256:]) == (IMAGE[:252], b"the program")
    assert can_start(image)
    assert not can_start(IMAGE)
    assert not can_start(bytes(256))
    assert not can_start(image[:255])
    assert not can_start(b"\1" + image[1:])


def test_the_shipped_firmware_starts() -> None:
    assert can_start(from_uf2((PACKAGE / "_firmware" / "pico.uf2").read_bytes()))


def test_the_build_completes_the_file_of_an_image(tmp_path: Path) -> None:
    (tmp_path / "pico.bin").write_bytes(IMAGE)
    main(tmp_path / "pico.bin")
    assert (tmp_path / "pico.bin").read_bytes() == with_checksum(IMAGE)

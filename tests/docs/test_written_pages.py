"""What programs write is what they would write now."""

import struct
from pathlib import Path

import pytest

from scripts import firmware_hex
from scripts.pages import PICTURES, TEXTS, main, stale
from tests.avr_tools import need_avr_tools, need_pico_tools
from tests.screen_tools import need_screen_tools

WITH_COMPILER = "firmware_hex"


@pytest.mark.parametrize("name", [name for name in TEXTS if name != WITH_COMPILER])
def test_a_page_is_what_its_script_would_write(name: str) -> None:
    assert stale(TEXTS[name]()) == [], f"run: python -m scripts.pages {name}"


@pytest.mark.slow
def test_the_same_compilers_build_the_shipped_firmware_again() -> None:
    need_avr_tools()
    need_pico_tools()
    files = firmware_hex.pages()
    (noted,) = (path for path in files if path.name == "compiler.txt")
    if noted.read_text(encoding="ascii").strip() != firmware_hex.compilers():
        pytest.skip("other compilers built it")
    assert stale(files) == [], f"run: python -m scripts.pages {WITH_COMPILER}"


@pytest.mark.campaign
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn_in_the_size_of_those_of_the_pages(name: str) -> None:
    """Only the size: fonts are those of the computer."""
    need_screen_tools()
    drawn = PICTURES[name]()
    there = [path for path in drawn if path.exists()]
    assert there
    assert [path for path in there if size(drawn[path]) != size(path.read_bytes())] == []


def size(picture: str | bytes) -> tuple[int, ...]:
    assert isinstance(picture, bytes)
    return struct.unpack("<HH", picture[6:10]) if picture[:3] == b"GIF" else struct.unpack(">II", picture[16:24])


def test_a_stale_page_is_found(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("before", encoding="utf-8")
    (tmp_path / "same").write_text("µ", encoding="utf-8")
    pages = {tmp_path / name: text for name, text in {"old": "now", "same": "µ", "missing": ""}.items()}
    assert stale(pages) == [tmp_path / "old", tmp_path / "missing"]


def test_an_unknown_writer_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vocabulry"]) == 2
    assert capsys.readouterr().err.startswith("no writer vocabulry: there are yaml_reference, vocabulary")

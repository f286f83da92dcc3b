"""Arduino's numbering, against Arduino's own tables where they are installed."""

import re
from pathlib import Path

import pytest

from rig.boards.chips import AVRS

VARIANTS = Path("/usr/share/arduino/hardware/arduino/avr/variants")


@pytest.mark.parametrize(("kind", "variant"), [("uno", "standard"), ("mega", "mega")])
def test_every_pin_is_where_arduino_has_it(kind: str, variant: str) -> None:
    table = VARIANTS / variant / "pins_arduino.h"
    if not table.exists():
        pytest.skip("arduino-core-avr is not installed")
    text = re.sub(r"//.*", "", table.read_text())
    ports, bits = (
        re.findall(rf"\b{word}", text.split(f"PROGMEM digital_pin_to_{name}_PGM[]")[1].split("};")[0])
        for name, word in (("port", r"P([A-L])\b"), ("bit_mask", r"_BV\(\s*(\d)\s*\)"))
    )
    assert list(AVRS[kind].ports) == [(port, int(bit)) for port, bit in zip(ports, bits, strict=True)]


@pytest.mark.parametrize("kind", AVRS)
def test_an_input_of_a_rig_file_is_a_pin_whose_edges_the_firmware_sees(kind: str) -> None:
    source = (Path(__file__).parents[3] / "firmware/targets/avr/pins.cpp").read_text()
    watched = re.findall(r"WATCHED_PORTS\[\] PROGMEM = {(.*?)}, WATCHED_PINS\[\] PROGMEM = {(.*?)}", source)
    ports, masks = (words.split(", ") for words in watched[list(AVRS).index(kind)])
    seen = {port: int(mask, 16) for port, mask in zip(ports, masks, strict=True)}
    for pin in AVRS[kind].pins:
        port, bit = AVRS[kind].ports[pin]
        assert AVRS[kind].can_be_input(pin) == bool(seen.get(port, 0) >> bit & 1), pin

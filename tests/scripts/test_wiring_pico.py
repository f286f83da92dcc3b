"""The table of pins on the page of a Pico's wiring."""

from rig.boards.chips import CHIPS
from scripts.wiring_pico import contact, pages


def test_each_pin_for_devices_has_a_contact_of_its_own() -> None:
    # Pico datasheet, 2.1.
    assert [contact(pin) for pin in (0, 2, 5, 6, 15, 16, 22, 26, 27, 28)] == [1, 4, 7, 9, 20, 21, 29, 31, 32, 34]
    contacts = [contact(pin) for pin in CHIPS["pico"].pins]
    assert len(set(contacts)) == len(contacts) == 24


def test_the_table_has_what_each_shipped_rig_has_on_a_pin() -> None:
    (page,) = pages().values()
    assert "| GP8 | 11 | center.light, output | right_feeder.feeder, output | hopper.beam, input |\n" in page

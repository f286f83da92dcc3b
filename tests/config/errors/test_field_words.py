"""What to write for a device that has another name in the field."""

import pytest

from rig.config.errors.field_words import device_advice


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("lever", "is a port, whose `beam`"),
        ("button", "is a port, whose `beam`"),
        ("key", "is a port, whose `beam`"),
        ("lick", "is a port, whose `beam`"),
        ("spout", "is a port: `beam` is the pin of its lick detector, `valve`"),
        ("wheel", "is no device; a port"),
        ("Rotary Encoder", "is no device; a port"),
        ("door", "is a light, whatever it drives"),
        ("odor valve", "is a light, whatever it drives"),
        ("motor", "is a light, whatever it drives"),
        ("laser", "is a ttl_out"),
        ("laser_2", "is a ttl_out"),
        ("camera", "is a tracker if it follows the animal"),
        ("tone", "is a speaker"),
        ("led", "is a light, or the `light` of a port"),
        ("pump", "is a valve, or the `valve` of the port"),
        ("touchscreen", "is no device: it has a section of its own, `screen:`"),
    ],
)
def test_a_word_of_the_field_has_its_kind(word: str, said: str) -> None:
    assert device_advice(word).startswith(said)


@pytest.mark.parametrize("word", ["", "prot", "valve", "whatever", "left"])
def test_another_word_has_none(word: str) -> None:
    assert device_advice(word) == ""

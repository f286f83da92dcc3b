"""What to write in a rig file for a device that has another name in the field."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SWITCH = "is a port, whose `beam` is the pin of its switch or sensor"
_OUTPUT = "is a light, whatever it drives: an output that a task switches on and off"
_LINE = "is a ttl_out: an output for pulses, with a longest on-time"
_DROPS = "is a valve, or the `valve` of the port at which it gives its drops"
_SOUND = "is a speaker"
_FOLLOWED = "is a tracker if it follows the animal; a camera that sends its frames as pulses is a ttl_in"
_SLITS = "is no device; a port, whose `beam` is one channel, counts its slits, without a direction"
_SCREEN = "is no device: it has a section of its own, `screen:`"
_LAMP = "is a light, or the `light` of a port"

_WORDS = {
    _SWITCH: "lever leverpress button key pecking_key switch sensor beam ir photobeam nosepoke nose_poke poke hole "
    "lick licker lickometer lick_port lickport detector touch_sensor treadle input digital_in digital_input",
    "is a port: `beam` is the pin of its lick detector, `valve` that of its valve": "spout lick_spout waterport "
    "water_port reward_port",
    _SLITS: "wheel running_wheel encoder rotary_encoder",
    _OUTPUT: "door gate motor servo stepper odor odour olfactometer vacuum fan relay output digital_out "
    "digital_output gpio actuator shaker vibration",
    _LINE: "laser opto optogenetics stimulator stimulation shock shocker trigger ttl puff air_puff airpuff puffer",
    "is a ttl_out with `sync`": "sync barcode sync_out clock",
    _DROPS: "solenoid pump syringe syringe_pump water juice reward drop dispenser_water",
    "is a feeder": "pellet pellets pellet_dispenser dispenser magazine food food_magazine",
    "is a hopper": "grain grain_hopper",
    _SOUND: "sound tone buzzer beeper noise audio piezo",
    _LAMP: "led lamp cue cue_light bulb",
    "is a houselight": "house_light room_light",
    _FOLLOWED: "camera video webcam",
    "is a zone": "area region place arm circle",
    _SCREEN: "screen monitor display touchscreen touch_screen touch",
}
_ADVICE: Mapping[str, str] = {word: advice for advice, words in _WORDS.items() for word in words.split()}


def device_advice(word: str) -> str:
    """Return which kind of device a word of the field is, such as ``is a speaker``; empty for an unknown word."""
    name = re.sub(r"[^a-z]+", "_", word.lower()).strip("_")
    # The whole word first: a water port is not water.
    return next((_ADVICE[part] for part in (name, *name.split("_")) if part in _ADVICE), "")

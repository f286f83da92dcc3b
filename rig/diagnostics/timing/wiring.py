"""What is wired to the board: the three nose ports of ``nose_ports_uno.yaml``, five more beams, and a speaker.

That is all that the firmware of an Uno has room for. The pins are those of an Uno; other chips have `bench_pins`.
"""

from __future__ import annotations

from dataclasses import replace

from rig.boards.chips import CHIPS
from rig.core.model.board import MAX_ON_US, Channel, Input, Output, Wiring
from rig.core.model.channels import Role

PORTS = (
    Input("left", Role.BEAM, 6),
    Output("left", Role.LIGHT, 10),
    Output("left", Role.VALVE, 3, max_on_us=1_000_000, interlocked=True),
    Input("center", Role.BEAM, 5),
    Output("center", Role.LIGHT, 8),
    Input("right", Role.BEAM, 7),
    Output("right", Role.LIGHT, 9),
    Output("right", Role.VALVE, 4, max_on_us=1_000_000, interlocked=True),
)
MORE = (*(Input(f"more_{number}", Role.BEAM, 13 + number) for number in range(1, 6)),)
SPEAKER = Output("speaker", Role.TONE, 11, max_on_us=MAX_ON_US)

BEAMS = ("left.beam", "center.beam", "right.beam", *(channel.name for channel in MORE))


def wired(chip: str) -> Wiring:
    """Return the wiring of all channels for a kind of chip."""
    channels: tuple[Channel, ...] = (*PORTS, *MORE, SPEAKER)
    pins = CHIPS[chip].bench_pins
    wired = Wiring(channels).wired
    return Wiring(tuple(replace(channel, pin=pins.get(pin, pin)) for pin, channel in wired))

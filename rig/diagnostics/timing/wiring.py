"""What is wired to the board: the three nose ports of ``nose_ports_uno.yaml``, five more beams, and a speaker.

That is all that the firmware of an Uno has room for. A Mega has other pins that can be inputs.
"""

from __future__ import annotations

from dataclasses import replace

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

_ON_A_MEGA = {6: 10, 5: 11, 7: 12, 10: 6, 14: 18, 15: 19, 16: 20, 17: 21, 18: 13, 11: 5}
"""The pin that does there what a pin of an Uno does; the nose ports' beams are on one port there too."""


def wired(chip: str) -> Wiring:
    """Return the wiring of all channels for a kind of chip."""
    channels: tuple[Channel, ...] = (*PORTS, *MORE, SPEAKER)
    if chip == "mega":
        channels = tuple(replace(channel, pin=_ON_A_MEGA.get(channel.pin, channel.pin)) for channel in channels)
    return Wiring(channels)

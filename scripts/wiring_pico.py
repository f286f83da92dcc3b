"""Write the table of pins in docs/how-to/wiring-pico.md from the shipped rig files of a Pico."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rig.core.model.board import Input
from rig.session.spec.build import load_rig_spec

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "wiring-pico.md"
RIGS = ("nose_ports_pico", "t_maze_pico", "pigeon_chamber_pico")
BEGIN = "<!-- Written by scripts/wiring_pico.py: change the rig files, not this table. -->"
END = "<!-- The end of the table. -->"

GROUNDS = (3, 8, 13, 18, 23, 28)
"""The ground contacts among those of GP0 to GP22, which are in a row: Pico datasheet, 2.1."""
ANALOG_CONTACTS = {26: 31, 27: 32, 28: 34}


def pages() -> Mapping[Path, str]:
    """Return the page with a new table."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    return {PAGE: "".join((before, BEGIN, "\n\n", *_table(), "\n", END, after))}


def contact(pin: int) -> int:
    """Return the number of a pin's contact, counted around the board."""
    if pin in ANALOG_CONTACTS:
        return ANALOG_CONTACTS[pin]
    return [number for number in range(1, 30) if number not in GROUNDS][pin]


def _table() -> Iterator[str]:
    yield f"| pin | contact | {' | '.join(f'`{rig}`' for rig in RIGS)} |\n"
    yield "|---" * (2 + len(RIGS)) + "|\n"
    uses = [_uses(rig) for rig in RIGS]
    for pin in sorted({pin for used in uses for pin in used}):
        cells = " | ".join(used.get(pin, "") for used in uses)
        yield f"| GP{pin} | {contact(pin)} | {cells} |\n"


def _uses(rig: str) -> dict[int, str]:
    """Return what is on each pin of a rig."""
    return {
        channel.pin: f"{channel.name}, {'input' if isinstance(channel, Input) else 'output'}"
        for channel in load_rig_spec(rig).wiring.channels
        if channel.pin is not None
    }

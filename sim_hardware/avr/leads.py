"""Leads, a jumper and plugs of a served rig, moved by lines of text: hands for a rig that has none."""

from __future__ import annotations

from collections.abc import Callable

from rig.boards.chips import CHIPS, USUAL_CHIP, pin_ranges
from rig.core.errors import ConfigError
from rig.core.model.board import Input
from rig.core.model.channels import Role
from sim_hardware.avr.chip import ResetCause
from sim_hardware.avr.rig import AvrRig

HELP = """\
break NAME       break a beam, or change an input of another machine
clear NAME       clear it again
panic on|off     press or release the panic button
jumper OUT IN    put a jumper wire from one free pin to another
jumper off       take it away
unplug           pull the cable; the board has a supply of its own
unplug power     pull the cable that is also the supply of the board
plug             plug the cable in
hang             let the program of the board hang, as a bug would
seen             print the outputs that were on since the last `seen`
help             print this list"""


class Leads:
    """The leads of one rig; ``plug`` and ``unplug`` are its cable."""

    def __init__(self, rig: AvrRig, plug: Callable[[], None], unplug: Callable[[], None]) -> None:
        self._rig = rig
        self._plug = plug
        self._unplug = unplug
        self._jumper: int | None = None
        self._trace = rig.record_pins()
        channels = rig.world.plan.wiring.channels
        self._outputs = {channel.name for channel in channels if not isinstance(channel, Input)}
        self._inputs = [each.device for each in channels if isinstance(each, Input) and each.role != Role.SENSOR]
        self._moves: dict[str, Callable[[list[str]], str]] = {
            "break": lambda words: self._occupy(words, True),
            "clear": lambda words: self._occupy(words, False),
            "panic": self._panic,
            "jumper": self._put_jumper,
            "unplug": self._pull,
            "plug": self._push,
            "hang": self._hang,
            "seen": self._seen,
            "help": lambda words: HELP,
        }

    def move(self, line: str) -> str:
        """Run one line; return what was done. Raises ``ConfigError``, saying what would be right."""
        name, *words = line.split() or [""]
        move = self._moves.get(name)
        if move is None:
            raise ConfigError(f"'{name}' is no move; wanted {', '.join(self._moves)}")
        return move(words)

    def _occupy(self, words: list[str], on: bool) -> str:
        (place,) = _wanted(words, 1, "the name of an input, such as: break left")
        if place not in self._inputs:
            raise ConfigError(f"the rig has no input '{place}'; it has {', '.join(self._inputs) or 'none'}")
        self._rig.world.set_occupied(place, on)
        return f"{place}: {'broken' if on else 'clear'}"

    def _panic(self, words: list[str]) -> str:
        (how,) = _wanted(words, 1, "panic on, or panic off")
        if how not in ("on", "off"):
            raise ConfigError(f"panic {how}: wanted panic on, or panic off")
        self._rig.world.press_panic(how == "on")
        return f"panic button: {'pressed' if how == 'on' else 'released'}"

    def _put_jumper(self, words: list[str]) -> str:
        if words != ["off"]:
            output, to = (self._free_pin(word) for word in _wanted(words, 2, "two pins, or off"))
            if output == to:
                raise ConfigError(f"jumper {output} {to}: wanted two different pins")
        if self._jumper is not None:
            self._rig.board.part(self._jumper)
            self._jumper = None
        if words == ["off"]:
            return "no jumper"
        self._rig.board.join(output, to)
        self._jumper = output
        return f"jumper from pin {output} to pin {to}"

    def _free_pin(self, word: str) -> int:
        plan = self._rig.world.plan
        chip = CHIPS[plan.board.chip or USUAL_CHIP]
        taken = plan.wiring.taken_pins
        pin = int(word) if word.isdecimal() and len(word) < 4 else -1
        if pin not in chip.pins:
            raise ConfigError(f"pin {word}: use {pin_ranges(chip.pins)} of {chip.a_board}")
        if pin in taken:
            raise ConfigError(f"pin {pin}: belongs to {taken[pin]}")
        return pin

    def _pull(self, words: list[str]) -> str:
        if words not in ([], ["power"]):
            raise ConfigError("wanted unplug, or unplug power")
        self._unplug()
        if words:
            self._rig.board.reset(ResetCause.POWER)
        return "cable: out" + (", and the power with it" if words else "")

    def _push(self, words: list[str]) -> str:
        _wanted(words, 0, "plug alone")
        self._plug()
        return "cable: in"

    def _hang(self, words: list[str]) -> str:
        _wanted(words, 0, "hang alone")
        self._rig.board.hang(interrupts=False)
        return "the program hangs"

    def _seen(self, words: list[str]) -> str:
        _wanted(words, 0, "seen alone")
        on = {name for _, name, level in self._trace if level and name in self._outputs}
        self._trace.clear()
        return f"on: {', '.join(sorted(on)) or 'nothing'}"


def _wanted(words: list[str], count: int, what: str) -> list[str]:
    if len(words) != count:
        raise ConfigError(f"wanted {what}")
    return words

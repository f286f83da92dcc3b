"""Moves of a scripted subject with their times: beams, touches, keys, sampled values, and requests of an operator.

Times are seconds of the session. ``[poke(1.0, "left"), at(3.0, "right", enter)]`` is a script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from rig.boards.simulation import SimulatedBody
from rig.core.model.microseconds import to_us


class RunningSession(Protocol):
    """Target of a move: a `rig.testing.SessionHarness`."""

    @property
    def body(self) -> SimulatedBody:
        """Return the simulated body on the session's rig."""

    def request(self, what: str) -> None:
        """Send an operator's request to the session."""


@dataclass(frozen=True)
class Move:
    """One action in a session at a time in microseconds; ``place`` is the place that the rig must have for it."""

    t_us: int
    act: Callable[[RunningSession], object]
    place: str | None = None


Script: TypeAlias = "Iterable[Move | Iterable[Move]]"
"""Moves in any order, and groups of them such as `poke` returns."""


def at(t_s: float, place: str, act: Callable[[RunningSession, str], object]) -> Move:
    """Return the move at ``t_s`` seconds at a place: ``at(0.5, "left", enter)``."""
    return Move(to_us(t_s), lambda session: act(session, place), place)


def enter(session: RunningSession, place: str) -> None:
    """Start to occupy a place: the beam is broken."""
    session.body.enter(place)


def leave(session: RunningSession, place: str) -> None:
    """Stop to occupy a place."""
    session.body.leave(place)


def poke(t_s: float, place: str, for_s: float = 0.1) -> tuple[Move, Move]:
    """Return the moves of a visit to a place: in at ``t_s`` seconds, out ``for_s`` later."""
    return at(t_s, place, enter), at(t_s + for_s, place, leave)


def signal(t_s: float, line: str, for_s: float = 0.1) -> tuple[Move, Move]:
    """Return the moves of a signal of other equipment, such as a button: on at ``t_s`` seconds, off ``for_s`` later."""
    return at(t_s, line, _switch_on), at(t_s + for_s, line, _switch_off)


def _switch_on(session: RunningSession, line: str) -> None:
    session.body.signal(line, True)


def _switch_off(session: RunningSession, line: str) -> None:
    session.body.signal(line, False)


def set_value(t_s: float, source: str, value: int) -> Move:
    """Return the move that gives an analog input, or the steps of an encoder, another value at ``t_s`` seconds."""
    return Move(to_us(t_s), lambda session: session.body.set_value(source, value))


def peck(t_s: float, x_cm: float, y_cm: float) -> Move:
    """Return a short touch of the screen at ``t_s`` seconds, in cm from the left and the lower edge."""
    return Move(to_us(t_s), lambda session: session.body.peck(x_cm, y_cm))


def key(t_s: float, name: str) -> Move:
    """Return a key press at ``t_s`` seconds: a character, ``enter`` or ``backspace``."""
    return Move(to_us(t_s), lambda session: session.body.type(name))


def hover(t_s: float, x_cm: float, y_cm: float) -> Move:
    """Return a move of the mouse's pointer at ``t_s`` seconds to a place of the screen, without a click."""
    return Move(to_us(t_s), lambda session: session.body.hover(x_cm, y_cm))


def request(t_s: float, what: str) -> Move:
    """Return an operator's request at ``t_s`` seconds: ``stop``, ``reward left``."""
    return Move(to_us(t_s), lambda session: session.request(what))


def flat(script: Script) -> list[Move]:
    """Return the moves of a script sorted by time; moves of equal time keep the script's order."""
    return sorted(_each(script), key=lambda move: move.t_us)


def _each(script: Script) -> Iterator[Move]:
    for entry in script:
        if isinstance(entry, Move):
            yield entry
        else:
            yield from entry

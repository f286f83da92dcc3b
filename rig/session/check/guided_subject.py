"""A virtual subject that is told what the task waits for, and which answers the board would act on.

No animal knows that. It plays rehearsals, because subjects that behave like animals, or at random, leave states out:
they rarely wait in silence, and rarely find the one input that a state asks for. It acts through a body like all
virtual subjects; what it is told comes from the session that is rehearsed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rig.boards.simulation import SimulatedBody
from rig.core.model.channels import device_of
from rig.core.model.patterns import EdgePattern
from rig.core.model.scene import Item

KEYS = (*"abcdefghijklmnopqrstuvwxyz0123456789 ", "enter", "backspace")
DWELL_S = 0.15
"""Between entry and exit; longer than the beams' debounce and confirmation."""
PAUSE_S = 2.0
"""Mean pause between the moves of a subject that accompanies another one."""
LATE_S = 0.02
"""By so much a rest outlasts the deadline of its wait."""
LONGEST_REACTION_S = 1.0
SLOW = 0.1
"""Probability of an answer just before the deadline: what follows a slow trial has the least time."""
GOES_ON = 0.85
"""Probability of the first button of a page, once all its buttons were pressed."""
LONGEST_LOOK_S = 2.0
"""The longest pause between two looks at a wait that no move can end, such as one for a frame."""
SCREEN = "screen"
_TOUCHES = ("peck", "down", "up", "move")


@dataclass(frozen=True)
class Situation:
    """What the subject is told: the state, the edges and screen events that the open wait asks for, and more.

    ``deadline_us`` is the end of the wait, None if it has none of its own. ``acting`` are the edges to which the board
    would answer with an action.
    """

    state: str
    wanted: frozenset[tuple[str, int]]
    deadline_us: int | None
    acting: frozenset[tuple[str, int]]


class Move(NamedTuple):
    """One thing to do: ``enter`` or ``leave`` a place, ``signal`` a line, ``touch`` or ``hover`` an item, and so on.

    ``group`` is what counts as the same move: a screen may show a hundred tiles.
    """

    kind: str
    target: str = ""
    group: str = ""


REST = Move("rest")


class Experience:
    """The moves that were made in each situation; it lasts over the sessions of a rehearsal."""

    def __init__(self) -> None:
        self._made: set[tuple[str, frozenset[tuple[str, int]], str, str]] = set()

    def has(self, situation: Situation, move: Move) -> bool:
        """Whether a move was made in a situation."""
        return self._key(situation, move) in self._made

    def add(self, situation: Situation, move: Move) -> None:
        """Record a move."""
        self._made.add(self._key(situation, move))

    @staticmethod
    def _key(situation: Situation, move: Move) -> tuple[str, frozenset[tuple[str, int]], str, str]:
        return situation.state, situation.wanted, move.kind, move.group or move.target


class GuidedSubject:
    """Makes each move that the open wait asks for, those first that it has never made.

    ``look`` returns the situation, None between two waits. With probability ``greed`` it makes a move to which the
    board would answer, if there is one.
    """

    def __init__(
        self, look: Callable[[], Situation | None], experience: Experience, seed: int, greed: float = 0.3
    ) -> None:
        self._look = look
        self._experience = experience
        self._greed = greed
        self._random = random.Random(f"{seed}/guided")
        self._inside: set[str] = set()
        self._high: set[str] = set()

    async def live(self, body: SimulatedBody) -> None:
        """Run until the session is over."""
        pause_s = LATE_S
        while True:
            situation = self._look()
            moves = [] if situation is None else list(self._moves(situation, body))
            if situation is None or not moves:
                await body.wait(pause_s)
                pause_s = min(LONGEST_LOOK_S, pause_s * 2)
                continue
            pause_s = LATE_S
            move = self._choose(situation, moves)
            self._experience.add(situation, move)
            await self._make(move, situation, body)

    async def accompany(self, body: SimulatedBody) -> None:
        """Run beside another subject on the same body: make moves that were never made, with pauses between them."""
        while True:
            await body.wait(self._random.random() * 2 * PAUSE_S)
            situation = self._look()
            moves = [] if situation is None else list(self._moves(situation, body))
            fresh = [move for move in moves if move is not REST and situation and self._is_fresh(situation, move)]
            if situation is not None and fresh:
                self._experience.add(situation, fresh[0])
                await self._make(fresh[0], situation, body)
                await self._withdraw(body)

    # --- which move -------------------------------------------------------------------------------------------

    def _choose(self, situation: Situation, moves: list[Move]) -> Move:
        paying = [move for move in moves if self._acts(move, situation)]
        if paying and self._random.random() < self._greed:
            return self._any(paying)
        fresh = [move for move in moves if self._is_fresh(situation, move)]
        if fresh:
            return next((move for move in fresh if move in paying), fresh[0])
        # What follows a move that was made before depends on what came before it. The first button of a page goes on,
        # by custom; the others often end the session.
        if moves[0].kind == "touch" and self._random.random() < GOES_ON:
            return moves[0]
        return self._any(moves)

    def _is_fresh(self, situation: Situation, move: Move) -> bool:
        return not self._experience.has(situation, move)

    def _any(self, moves: list[Move]) -> Move:
        return moves[int(self._random.random() * len(moves))]

    @staticmethod
    def _acts(move: Move, situation: Situation) -> bool:
        level = 0 if move.kind in ("leave", "signal_off") else 1
        acting = (channel for channel, on in situation.acting if on == level)
        return any(move.target in (channel, device_of(channel)) for channel in acting)

    def _moves(self, situation: Situation, body: SimulatedBody) -> Iterator[Move]:
        """Yield the moves that can end the wait, then one that cannot."""
        wanted = sorted(situation.wanted)
        for channel, level in wanted:
            yield from self._answers(EdgePattern(channel, level), body)
        if situation.deadline_us is not None:
            yield REST
        asked = {place for channel, _ in wanted for place in (channel, device_of(channel))}
        if strays := [place for place in body.places if place not in asked]:
            yield Move("enter", self._random.choice(strays), "stray")

    def _answers(self, pattern: EdgePattern, body: SimulatedBody) -> Iterator[Move]:
        device, _, role = pattern.channel.partition(".")
        # A second input of a device is a place with the name of its channel.
        device = pattern.channel if pattern.channel in (*body.lines, *body.places) else device
        if device in body.lines:
            yield Move("signal_on" if pattern.level else "signal_off", device)
        elif device in body.places:
            yield Move("enter" if pattern.level else "leave", device)
        elif body.has_screen and role in (*_TOUCHES, "hover"):
            kind = "hover" if role == "hover" else "touch" if role in ("peck", "down") else "drag"
            named = [item for item in body.scene.items if item.name]
            yield from (Move(kind, item.name, f"{kind} {_like(item.name)}") for item in self._one_of_each_kind(named))
            yield Move(kind, "", f"{kind} beside")
        elif role == "key":
            yield from (Move("key", key) for key in KEYS)

    def _one_of_each_kind(self, items: list[Item]) -> Iterator[Item]:
        """Yield a random item of each kind, in the order of the scene."""
        kinds: dict[str, list[Item]] = {}
        for item in items:
            kinds.setdefault(_like(item.name), []).append(item)
        yield from (alike[int(self._random.random() * len(alike))] for alike in kinds.values())

    # --- making it --------------------------------------------------------------------------------------------

    async def _make(self, move: Move, situation: Situation, body: SimulatedBody) -> None:
        left_s = None if situation.deadline_us is None else situation.deadline_us / 1e6 - body.now_s
        if move is REST:
            await body.wait(max(0.0, left_s or 0.0) + LATE_S)
            return
        await body.wait(self._reaction_s(left_s))
        if move.kind in ("enter", "leave"):
            await self._go(body, move.target, on=move.kind == "enter")
        elif move.kind.startswith("signal"):
            await self._signal(body, move.target, on=move.kind == "signal_on")
        elif move.kind == "key":
            body.type(move.target)
        else:
            await self._touch(body, move)
        await body.wait(LATE_S)

    def _reaction_s(self, left_s: float | None) -> float:
        if left_s is not None and left_s > LONGEST_REACTION_S and self._random.random() < SLOW:
            return left_s - DWELL_S - LATE_S
        longest_s = LONGEST_REACTION_S if left_s is None else max(0.0, min(LONGEST_REACTION_S, left_s))
        # The square: most reactions are fast, and some come at the end of a short window.
        return LATE_S + 0.9 * longest_s * self._random.random() ** 2

    async def _go(self, body: SimulatedBody, place: str, *, on: bool) -> None:
        """Set a place occupied or free; from inside it the subject first leaves, and from another place too."""
        for other in sorted(self._inside if on else {place} - self._inside):
            (body.leave if on else body.enter)(other)
            await body.wait(DWELL_S)
        (body.enter if on else body.leave)(place)
        self._inside = {place} if on else self._inside - {place}

    async def _withdraw(self, body: SimulatedBody) -> None:
        """Set all places and lines free."""
        if self._inside or self._high:
            await body.wait(DWELL_S)
        for place in sorted(self._inside):
            body.leave(place)
        for line in sorted(self._high):
            body.signal(line, False)
        self._inside, self._high = set(), set()

    async def _signal(self, body: SimulatedBody, line: str, *, on: bool) -> None:
        if (line in self._high) == on:
            body.signal(line, not on)
            await body.wait(DWELL_S)
        body.signal(line, on)
        (self._high.add if on else self._high.discard)(line)

    async def _touch(self, body: SimulatedBody, move: Move) -> None:
        item = body.scene.item(move.target)
        x_cm, y_cm = (-1.0, -1.0) if item is None else self._place_on(item)
        if body.scene.hover:
            body.hover(x_cm, y_cm)
            await body.wait(DWELL_S)
        if move.kind == "touch":
            body.peck(x_cm, y_cm)
        elif move.kind == "drag":
            contact = body.press(x_cm, y_cm)
            await body.wait(LATE_S)
            body.drag(contact, x_cm + 0.2, y_cm)
            await body.wait(LATE_S)
            body.lift(contact, x_cm + 0.2, y_cm)
        await body.wait(LATE_S)

    def _place_on(self, item: Item) -> tuple[float, float]:
        sizes = [getattr(item, name) for name in ("width_cm", "height_cm", "diameter_cm") if hasattr(item, name)]
        spread_cm = min(sizes) / 2 if sizes else 0.0
        x_cm, y_cm = (at + spread_cm * (self._random.random() - 0.5) for at in (item.x_cm, item.y_cm))
        return x_cm, y_cm


def _like(name: str) -> str:
    """Return what items of one kind have in common: their name without numbers."""
    return re.sub(r"\d+", "#", name)

"""A board and a screen as one board: scenes go to the screen, all other orders to the board.

Reports of any screen become events here: on the session's time axis, with the touched item, and whether the touch is a
peck. The time is an estimate of the board's clock, and each event carries its uncertainty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from rig.core.clock import Clock
from rig.core.engine.inbox import Inbox
from rig.core.errors import RecordError
from rig.core.journal.kinds import SceneLine
from rig.core.model.actions import Order, Show
from rig.core.model.board import Board, BoardInfo, Health, Wiring
from rig.core.model.events import Event, Fault, FrameShown, Hover, Key, Touch
from rig.core.model.scene import DARK, Scene
from rig.core.model.scene_changes import SceneWriter
from rig.core.model.screen import DOWN, Contact, PointerMove, Screen, ScreenInfo, ScreenSpec
from rig.core.model.touch_filter import TouchDebouncer

_REMEMBERED = 16
"""The number of past scenes in which a late touch is looked up."""


class BoardWithScreen(Board):
    """A board with a screen beside it; ``clock`` is the one by which the screen stamps."""

    def __init__(self, board: Board, screen: Screen, spec: ScreenSpec, inbox: Inbox, clock: Clock) -> None:
        self._board = board
        self._next: Board | None = None
        self._screen = screen
        self._info: ScreenInfo | None = None
        self._spec = spec
        self._inbox = inbox
        self._clock = clock
        self._pecks = TouchDebouncer(spec.debounce_us, spec.bounce_cm)
        self._frame = 0
        self._frame_us = 0
        # The window starts dark, so a touch before the first scene is on nothing.
        self._scenes: dict[int, Scene] = {0: DARK}
        self._told: set[str] = set()
        self._writer = SceneWriter()
        self._closed = False

    # --- the board interface --------------------------------------------------------------------------------

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Open the screen, which takes seconds, and then the board, whose opening is time zero.

        After `follow` only the board is opened: the screen has shown the task's last picture meanwhile.
        """
        screen = self._info or await self._open_screen()
        board = self._next or self._board
        opened = await board.open(wiring)
        if self._next is None:
            uncertainty_us = {"touch_uncertainty_us": self._spec.response_us, "frame_us": screen.frame_us}
            self._inbox.journal.note(wiring.start_us, "screen", stamps="host", **uncertainty_us)
        # Only now: until it is open, touches are stamped by the estimate of the lost board.
        self._board, self._next = board, None
        return replace(opened, screen={"name": screen.name, **screen.facts})

    async def _open_screen(self) -> ScreenInfo:
        self._info = await self._screen.open(self)
        self._frame_us = self._info.frame_us
        return self._info

    def follow(self, board: Board) -> Self:
        """Set the board to be opened in the place of the one that is lost."""
        self._next = board
        return self

    def drop(self) -> None:
        """Stop the board that is lost, or could not be opened; the screen goes on."""
        (self._next or self._board).abort()
        self._next = None

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Send orders to the board in one batch, and scenes, which are last, to the screen."""
        shows = [order for order in orders if isinstance(order, Show)]
        # Also without an order left: the board's acknowledgement stamps the batch, and the numbers stay in step.
        self._board.batch(orders[: len(orders) - len(shows)], seen, epoch, number)
        for show in shows:
            self._show(show.scene)

    def _show(self, scene: Scene) -> None:
        if self._closed:
            return
        if scene.id not in self._told:  # the journal has each scene once; later lines name its id
            self._told.add(scene.id)
            self._inbox.journal.write(SceneLine(self._board.estimate_us()[0], scene.id, **self._writer.write(scene)))
        self._frame += 1
        self._scenes[self._frame] = scene
        self._scenes.pop(self._frame - _REMEMBERED, None)
        self._screen.show(self._frame, scene)

    def ask_time(self, at_us: int | None) -> None:
        """Schedule a time query of the board."""
        self._board.ask_time(at_us)

    def estimate_us(self) -> tuple[int, int]:
        """Return the estimated board time now, and its uncertainty, in microseconds."""
        return self._board.estimate_us()

    def all_off(self) -> None:
        """Switch every output off; the screen keeps its scene."""
        self._board.all_off()

    async def close(self) -> Health:
        """Close the board, and after its outputs are off the screen."""
        self._screen.show(self._frame + 1, DARK)  # no task waits for this frame
        try:
            health = await self._board.close()
        finally:
            # Only now: a touch during the board's last exchange still belongs in the journal.
            self._closed = True
            counters = await self._screen.close()
        return replace(health, counters={**health.counters, **counters})

    def abort(self) -> None:
        """Stop board and screen at once, without waiting."""
        self._board.abort()
        self._closed = True
        self._screen.abort()

    # --- what the screen reports ----------------------------------------------------------------------------

    def shown(self, frame: int, raw_us: int) -> None:
        """Record that a frame was shown; its uncertainty includes one frame time."""
        # The dark frame of `close` has a higher number, because no task ordered it.
        if 0 < frame <= self._frame:
            scene = self._scenes.get(frame, DARK)
            t_us, uncertainty_us = self._on_axis(raw_us)
            self._put(FrameShown(t_us, frame, scene.id, raw_us, uncertainty_us + self._frame_us))

    def touched(self, contact: Contact) -> None:
        """Record a contact."""
        spec = self._spec
        x_cm, y_cm = spec.in_cm(contact.x_px, contact.y_px)
        t_us, uncertainty_us = self._on_axis(contact.raw_us)
        # By the scene on the screen at that moment: the scene that was ordered last may not be painted yet.
        hit = self._scenes.get(contact.frame, DARK).hit(x_cm, y_cm)
        self._put(
            Touch(
                t_us=t_us,
                phase=contact.phase,
                contact=contact.contact,
                x_cm=round(x_cm, 3),
                y_cm=round(y_cm, 3),
                x_px=contact.x_px,
                y_px=contact.y_px,
                frame=contact.frame,
                on="" if hit is None else hit.item.name,
                in_margin=hit is not None and hit.in_margin,
                # Raw stamps never decrease; stamps on the session's axis may, when the estimate of the clock changes.
                peck=contact.phase == DOWN and self._pecks.accept(contact.raw_us, x_cm, y_cm),
                raw_us=contact.raw_us,
                uncertainty_us=uncertainty_us + spec.response_us,
            )
        )

    def hovered(self, move: PointerMove) -> None:
        """Record which item the pointer is over; the screen has found it in its own scene."""
        x_cm, y_cm = self._spec.in_cm(move.x_px, move.y_px)
        t_us, uncertainty_us = self._on_axis(move.raw_us)
        at = (round(x_cm, 3), round(y_cm, 3), move.frame)
        self._put(Hover(t_us, move.on, *at, move.raw_us, uncertainty_us + self._spec.response_us))

    def typed(self, key: str, raw_us: int) -> None:
        """Record a key."""
        t_us, uncertainty_us = self._on_axis(raw_us)
        self._put(Key(t_us, key, raw_us, uncertainty_us + self._spec.response_us))

    def lost(self, why: str) -> None:
        """Record a fault: the screen is lost."""
        self._put(Fault(self._board.estimate_us()[0], "screen", why))

    def _on_axis(self, raw_us: int) -> tuple[int, int]:
        now_us, uncertainty_us = self._board.estimate_us()
        # By the age of the stamp: the loop's clock and the session's axis have different zeros.
        return max(0, now_us - (round(self._clock.time() * 1e6) - raw_us)), uncertainty_us

    def _put(self, event: Event) -> None:
        if self._closed:
            return
        try:
            self._inbox.put(event)
        except RecordError as error:
            # Without a journal no reward can be recorded, so everything goes off at once.
            self._board.all_off()
            self._inbox.fail(error)

    def __repr__(self) -> str:
        return f"<BoardWithScreen {self._board!r} frame {self._frame}>"

"""A board and a screen beside it, as one board: what is to be shown goes to the screen, all else to the board.

What a screen reports is made an event here, whatever screen it is: on the session's axis, with what the touch is on,
and whether it is a peck. The board's clock is estimated for that, and how far the stamp may be off is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rig.core.clock import Clock
from rig.core.engine.inbox import Inbox
from rig.core.errors import RecordError
from rig.core.model.actions import Order, Show
from rig.core.model.board import Board, BoardInfo, Health, Wiring
from rig.core.model.events import Event, Fault, FrameShown, Key, Touch
from rig.core.model.scene import DARK, Scene
from rig.core.model.screen import DOWN, Contact, Screen, ScreenInfo, ScreenSpec
from rig.core.model.touch_filter import TouchDebouncer

_REMEMBERED = 16
"""A touch is looked up in a scene that was on the glass so many changes ago at most."""


class BoardWithScreen(Board):
    """A board with a screen beside it; ``clock`` is the one by which the screen stamps."""

    def __init__(self, board: Board, screen: Screen, spec: ScreenSpec, inbox: Inbox, clock: Clock) -> None:
        self._board = board
        self._screen = screen
        self._spec = spec
        self._inbox = inbox
        self._clock = clock
        self._pecks = TouchDebouncer(spec.debounce_us, spec.bounce_cm)
        self._frame = 0
        self._frame_us = 0
        self._scenes: dict[int, Scene] = {0: DARK}
        self._told: set[str] = set()
        self._closed = False

    # --- the seam -------------------------------------------------------------------------------------------

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Open the screen, which takes long, and then the board, with which time begins."""
        screen: ScreenInfo = await self._screen.open(self)
        self._frame_us = screen.frame_us
        opened = await self._board.open(wiring)
        uncertainty_us = {"touch_uncertainty_us": self._spec.response_us, "frame_us": screen.frame_us}
        self._inbox.journal.note(0, "note", what="screen", stamps="host", **uncertainty_us)
        return replace(opened, screen={"name": screen.name, **screen.facts})

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Send orders to be executed in one pass, and what is to be shown, which stands last, to the screen."""
        shows = [order for order in orders if isinstance(order, Show)]
        self._board.batch(orders[: len(orders) - len(shows)], seen, epoch, number)
        for show in shows:
            self._show(show.scene)

    def _show(self, scene: Scene) -> None:
        if self._closed:
            return
        if scene.id not in self._told:  # written once: lines that show it again only name it
            self._told.add(scene.id)
            self._inbox.journal.note(
                self._board.estimate_us()[0], "scene", id=scene.id, **scene.model_dump(mode="json")
            )
        self._frame += 1
        self._scenes[self._frame] = scene
        self._scenes.pop(self._frame - _REMEMBERED, None)
        self._screen.show(self._frame, scene)

    def ask_time(self, at_us: int | None) -> None:
        """Have the board's ``time?`` answered."""
        self._board.ask_time(at_us)

    def estimate_us(self) -> tuple[int, int]:
        """Estimate the board's time now, and how far that may be off."""
        return self._board.estimate_us()

    def all_off(self) -> None:
        """Make every output safe; the screen shows on."""
        self._board.all_off()

    async def close(self) -> Health:
        """Close the board, and when its outputs are off the screen."""
        self._screen.show(self._frame + 1, DARK)  # no task wants to know when
        try:
            health = await self._board.close()
        finally:
            self._closed = True
            counters = await self._screen.close()
        return replace(health, counters={**health.counters, **counters})

    def abort(self) -> None:
        """Let go of both without waiting for anything."""
        self._board.abort()
        self._closed = True
        self._screen.abort()

    # --- what the screen reports ----------------------------------------------------------------------------

    def shown(self, frame: int, raw_us: int) -> None:
        """Take note that a frame has appeared: within the time that the screen shows one."""
        if 0 < frame <= self._frame:
            scene = self._scenes.get(frame, DARK)
            t_us, uncertainty_us = self._on_axis(raw_us)
            self._put(FrameShown(t_us, frame, scene.id, raw_us, uncertainty_us + self._frame_us))

    def touched(self, contact: Contact) -> None:
        """Take note of a contact."""
        spec = self._spec
        x_cm, y_cm = spec.in_cm(contact.x_px, contact.y_px)
        t_us, uncertainty_us = self._on_axis(contact.raw_us)
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
                peck=contact.phase == DOWN and self._pecks.accept(contact.raw_us, x_cm, y_cm),
                raw_us=contact.raw_us,
                uncertainty_us=uncertainty_us + spec.response_us,
            )
        )

    def typed(self, key: str, raw_us: int) -> None:
        """Take note of a key."""
        t_us, uncertainty_us = self._on_axis(raw_us)
        self._put(Key(t_us, key, raw_us, uncertainty_us + self._spec.response_us))

    def lost(self, why: str) -> None:
        """End the session: there is nothing more to see."""
        self._put(Fault(self._board.estimate_us()[0], "screen", why))

    def _on_axis(self, raw_us: int) -> tuple[int, int]:
        now_us, uncertainty_us = self._board.estimate_us()
        return max(0, now_us - (round(self._clock.time() * 1e6) - raw_us)), uncertainty_us

    def _put(self, event: Event) -> None:
        if self._closed:
            return
        try:
            self._inbox.put(event)
        except RecordError as error:
            self._board.all_off()
            self._inbox.fail(error)

    def __repr__(self) -> str:
        return f"<BoardWithScreen {self._board!r} frame {self._frame}>"

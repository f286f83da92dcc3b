"""A virtual screen: scenes that a body sees and touches in virtual time, without a window."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

from rig.core.clock import Clock, Timer
from rig.core.model.events import Phase
from rig.core.model.hover import HoverThrottle
from rig.core.model.scene import DARK, Image, Scene
from rig.core.model.screen import DOWN, MOVE, UP, Contact, PointerMove, Screen, ScreenInfo, ScreenListener, ScreenSpec
from sim_hardware.world.world import World

REFRESH_HZ = 60
IMAGE_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF")
"""How files begin that the window of a real session can draw."""
PICTURE, TOUCH = "screen.picture", "screen.touch"
"""Channels that may be cut: the picture then stays dark, or touches are not reported."""


class SimScreen(Screen):
    """A monitor that shows a new frame 60 times a second, with a touch frame before it."""

    def __init__(self, spec: ScreenSpec, world: World, clock: Clock, cut: frozenset[str] = frozenset()) -> None:
        self._spec = spec
        self._world = world
        self._clock = clock
        self._cut = cut
        self._listener: ScreenListener | None = None
        self._frame = 0
        self._contacts = 0
        self._scene = DARK
        self._readable: set[str] = set()
        # Beside the picture until a body moves it.
        self._pointer_cm = (-1.0, -1.0)
        self._hover = HoverThrottle()
        self._report_later: Timer | None = None

    async def open(self, listener: ScreenListener) -> ScreenInfo:
        """Start to report touches."""
        self._listener = listener
        return ScreenInfo("simulated", round(1e6 / REFRESH_HZ), {"refresh_hz": REFRESH_HZ})

    def show(self, frame: int, scene: Scene) -> None:
        """Set the scene that is shown from the next refresh on; an image that no window could draw ends the session."""
        for item in scene.items:
            if isinstance(item, Image) and not self._is_readable(item.file):
                self._lose(f"the image {os.path.abspath(item.file)} cannot be read: is it there, and a PNG or a JPEG?")
                return
        # Rounded first: a time on a refresh is not the next one because of an error of 1e-15.
        refresh = math.ceil(round(self._clock.time() * REFRESH_HZ, 6))
        self._clock.call_at(refresh / REFRESH_HZ, self._appear, frame, scene)

    def _is_readable(self, file: str) -> bool:
        if file not in self._readable:
            try:
                with open(file, "rb") as image:
                    if not image.read(8).startswith(IMAGE_STARTS):
                        return False
            except OSError:
                return False
            self._readable.add(file)
        return True

    def _lose(self, why: str) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.lost(why)

    def _appear(self, frame: int, scene: Scene) -> None:
        if self._listener is not None:
            self._frame, self._scene = frame, scene
            if PICTURE not in self._cut:
                self._world.show(scene)
                # The square under the photodiode is white in odd frames, so that every frame is an edge.
                if self._spec.photodiode is not None:
                    self._world.set_occupied(self._spec.photodiode, frame % 2 == 1)
            self._listener.shown(frame, self._raw_us())
            self._find_hovered()  # the item under a pointer at rest may be another one

    async def close(self) -> Mapping[str, int]:
        """Stop, and show a dark screen."""
        self.abort()
        return {"screen_contacts": self._contacts, "screen_frames": self._frame}

    def abort(self) -> None:
        """Stop, and show a dark screen."""
        self._listener = None
        self._stop_timer()
        self._world.show(DARK)

    # --- what a body does to it -----------------------------------------------------------------------------

    def press(self, x_cm: float, y_cm: float) -> int:
        """Touch the screen and stay; return the number of the contact."""
        self._contacts += 1
        self._report(DOWN, self._contacts, x_cm, y_cm)
        return self._contacts

    def drag(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Move a contact over the screen."""
        self._report(MOVE, contact, x_cm, y_cm)

    def lift(self, contact: int, x_cm: float, y_cm: float) -> None:
        """End a contact with the screen."""
        self._report(UP, contact, x_cm, y_cm)

    def hover(self, x_cm: float, y_cm: float) -> None:
        """Move the pointer of a mouse there; a touch screen has none."""
        if self._spec.pointer != "touch":
            self._pointer_cm = (x_cm, y_cm)
            self._find_hovered()

    def _find_hovered(self) -> None:
        self._hover.move(self._scene.hovered(*self._pointer_cm))
        self._stop_timer()
        due_us = self._hover.due_us
        if due_us is None or self._listener is None or TOUCH in self._cut:
            return
        if due_us > self._raw_us():
            self._report_later = self._clock.call_at(due_us / 1e6, self._find_hovered)
            return
        raw_us = self._raw_us()
        x_px, y_px = (round(at, 1) for at in self._spec.in_px(*self._pointer_cm))
        self._listener.hovered(PointerMove(self._hover.report(raw_us), x_px, y_px, raw_us, self._frame))

    def _stop_timer(self) -> None:
        if self._report_later is not None:
            self._report_later.cancel()
            self._report_later = None

    def type(self, key: str) -> None:
        """Press a key: a character, ``enter`` or ``backspace``."""
        if self._listener is not None:
            self._listener.typed(key, self._raw_us())

    def _report(self, phase: Phase, contact: int, x_cm: float, y_cm: float) -> None:
        if self._listener is None or TOUCH in self._cut:
            return
        x_px, y_px = (round(at, 1) for at in self._spec.in_px(x_cm, y_cm))
        self._listener.touched(Contact(phase, contact, x_px, y_px, self._raw_us(), self._frame))

    def _raw_us(self) -> int:
        return round(self._clock.time() * 1e6)

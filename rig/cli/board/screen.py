"""``rig screen``: measure and test a rig's touch screen."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import suppress

from rig.core.clock import running
from rig.core.errors import ConfigError, ScreenError
from rig.core.model.screen import DOWN, Contact, PointerMove, ScreenSpec
from rig.screen.touch_pattern import TouchPattern, touch_pattern
from rig.screen.window_screen import WindowScreen
from rig.session.spec.build import load_rig_spec
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Show the test pattern until the window is closed, or Ctrl-C."""
    plan = load_rig_spec(arguments.rig)
    if plan.screen is None:
        raise ConfigError(f"rig {plan.name} has no screen: its file has no section `screen:`")
    with suppress(KeyboardInterrupt):
        asyncio.run(_show(plan.screen))
    return OK


async def _show(spec: ScreenSpec) -> None:
    drawn = touch_pattern(spec)
    touched = _Touched(spec, drawn)
    screen = WindowScreen(spec, running())
    opened = await screen.open(touched)
    print(f"{spec}, on {opened.name or 'the only monitor'}: {opened.facts}")
    print(f"measure the line, which is {drawn.line_px} pixels: px_per_cm is {drawn.line_px} / its length in cm")
    print("touch the marks; closing the window, or Ctrl-C, ends this", flush=True)
    screen.show(1, drawn.scene)
    try:
        await touched.gone.wait()
    finally:
        await screen.close()
    if touched.why != CLOSED:
        raise ScreenError(f"screen: {touched.why}")


CLOSED = "the stimulus window was closed"


class _Touched:
    """Prints each touch, and its distance from the nearest mark."""

    def __init__(self, spec: ScreenSpec, drawn: TouchPattern) -> None:
        self._spec = spec
        self._drawn = drawn
        self.gone = asyncio.Event()
        self.why = ""

    def shown(self, frame: int, raw_us: int) -> None:
        """Handle a shown frame by doing nothing."""

    def touched(self, contact: Contact) -> None:
        """Print the position of a contact."""
        if contact.phase == DOWN:
            x_cm, y_cm = self._spec.in_cm(contact.x_px, contact.y_px)
            off_cm = self._drawn.off_cm(x_cm, y_cm)
            place = f"{x_cm:.2f} {y_cm:.2f} cm ({contact.x_px:g} {contact.y_px:g} pixels)"
            print(f"contact {contact.contact}: {place}, {off_cm:.2f} cm from the nearest mark", flush=True)

    def hovered(self, move: PointerMove) -> None:
        """Handle a move of the pointer by doing nothing."""

    def typed(self, key: str, raw_us: int) -> None:
        """Handle a key by doing nothing."""

    def lost(self, why: str) -> None:
        """Record the reason, and end."""
        self.why = why
        self.gone.set()

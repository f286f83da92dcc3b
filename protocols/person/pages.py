"""Pages of every task with people: a text with buttons, and the button with which one stops."""

from __future__ import annotations

from rig import Button, Item, Scene, Text

STOP = "stop"
CALM = "#606060"
ABOVE_CM = 3.3
"""Height of the buttons of a page, so that a late click for a point, further down, presses nothing."""

TWICE_S = 0.4
"""A click within this time after a page appeared was the second of a double click on the page before."""


class PersonPages:
    """Builds the pages for a screen of this size."""

    def __init__(
        self, width_cm: float, height_cm: float, stop: str, background: str = "#000000", hit_margin_cm: float = 0.0
    ) -> None:
        self.width_cm, self.height_cm = width_cm, height_cm
        self._stop, self._background, self._hit_margin_cm = stop, background, hit_margin_cm

    def page(self, text: str, *buttons: tuple[str, str]) -> Scene:
        """Return a page of text with buttons below; a button is a name and a label."""
        words = Text(
            x_cm=self.width_cm / 2,
            y_cm=self.height_cm / 2 + 1.5,
            width_cm=0.8 * self.width_cm,
            height_cm=self.height_cm - 5,
            text=text,
            text_cm=0.55,
        )
        return self.scene(words, *self.row(*buttons))

    def row(self, *buttons: tuple[str, str], y_cm: float = ABOVE_CM) -> list[Button]:
        """Return buttons side by side in the middle of the screen's width."""
        first_cm = self.width_cm / 2 - 3.5 * (len(buttons) - 1)
        return [
            Button(x_cm=first_cm + 7 * place, y_cm=y_cm, width_cm=6, height_cm=1.2, text=said, name=name)
            for place, (name, said) in enumerate(buttons)
        ]

    def scene(self, *items: Item, hover: bool = False) -> Scene:
        """Return a scene with this task's background and margin; with ``hover`` the screen reports the pointer."""
        return Scene(items=items, background=self._background, hit_margin_cm=self._hit_margin_cm, hover=hover)

    def stop(self) -> Button:
        """Return the small button in the corner with which a participant stops."""
        return Button(
            x_cm=self.width_cm - 2,
            y_cm=0.9,
            width_cm=3,
            height_cm=0.8,
            text=self._stop,
            text_cm=0.35,
            color=CALM,
            name=STOP,
        )

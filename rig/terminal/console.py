"""rich's console for words from files: they are neither commands to the terminal nor marks of rich's own language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.protocol import rich_cast
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from rig.terminal.output import styled_output
from rig.terminal.visible import CONTROL_CHARACTERS, escape_controls, escaped


class SafeConsole(Console):
    """A console on which every text is made visible where it is drawn, and none is read for marks."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    @property
    def file(self) -> IO[str]:
        """Return the stream that is drawn on."""
        stream: IO[str] = styled_output(super().file)
        return stream

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render_str(self, text: str, **options: Any) -> Text:
        """Build a text of words; rich would leave out some of the controls."""
        return super().render_str(escape_controls(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Draw something, a text of it with all its characters visible."""
        thing: Any = rich_cast(renderable)
        if isinstance(thing, str):
            thing = self.render_str(thing)
        return super().render(visible_text(thing) if isinstance(thing, Text) else thing, options)


def visible_text(text: Text) -> Text:
    """Build the characters of a text visible, each in its style."""
    places = [match.start() for match in CONTROL_CHARACTERS.finditer(text.plain)]
    if not places:
        return text
    found = text.blank_copy()
    for piece in text.divide(sorted({*places, *(place + 1 for place in places)})):
        found.append_text(Text(escaped(piece.plain), _style(piece)) if CONTROL_CHARACTERS.match(piece.plain) else piece)
    return found


def _style(piece: Text) -> str | Style:
    """Return the style of a piece of one character."""
    return piece.spans[0].style if piece.spans else piece.style

"""The boxes where there is no terminal: a line for each start, each end and each warning, and one now and then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rig.live.text_display import TextDisplay
from rig.supervisor.box import Box, BoxState


class BoxLines:
    """Prints through ``say``."""

    def __init__(self, boxes: Sequence[Box], say: Callable[[str], object]) -> None:
        self._boxes = boxes
        self._say = say
        self._displays: dict[tuple[str, int | None], TextDisplay] = {}
        self._told: dict[str, tuple[BoxState, str]] = {}

    def render(self) -> None:
        """Print what is new."""
        for box in self._boxes:
            told, now = self._told.get(box.name), (box.state, box.reason)
            if box.state is not BoxState.IDLE and box.reason != "refused":
                display = self._display(box)
                display.update(box.progress)
                if box.is_active:
                    display.render(box.progress, box.now())
            if told != now:
                self._told[box.name] = now
                self._tell(box, told)

    def _display(self, box: Box) -> TextDisplay:
        key = (box.name, box.pid)  # a box may run one session after the other
        if key not in self._displays:
            self._displays[key] = TextDisplay(lambda line: self._say(f"{box.name}: {line}"))
        return self._displays[key]

    def _tell(self, box: Box, told: tuple[BoxState, str] | None) -> None:
        if box.reason:
            if told is None or told[1] != box.reason:
                self._say(f"{box.name}: {box.subject}: ended: {box.ended}" if box.pid else f"{box.name}: {box.ended}")
        elif box.state is BoxState.STARTING:
            self._say(f"{box.name}: {box.subject}: started, process {box.pid}")
        elif box.state is BoxState.RUNNING:
            self._say(f"{box.name}: {box.subject}: records: {box.folder}")

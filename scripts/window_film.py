"""The film of the README: the window during a seeded simulated session, many times faster than it ran.

The journal grows from picture to picture, as it does while a session runs.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from scripts.pictures import application, png
from scripts.window_shots import FOLDER, Shot, journal_of, open_window, settle

if TYPE_CHECKING:
    from PIL.Image import Image

SHOT = Shot("M1", "two_armed_bandit", "rflr", share=0.6)
FILE = FOLDER / "session.gif"
SIZE = (1280, 900)
PICTURES = 18
PICTURE_MS = 450
LAST_MS = 4000
COLORS = 32
MOST_BYTES = 1_000_000
"""Pages load the film from the repository: a larger one would delay them."""


def pages() -> Mapping[Path, bytes]:
    """Draw the film. Raises ``LookupError`` if it is too large."""
    with TemporaryDirectory() as data:
        content = gif(list(pictures(journal_of(SHOT, Path(data)))))
    if len(content) > MOST_BYTES:
        raise LookupError(f"the film has {len(content)} bytes, and may have {MOST_BYTES}: take fewer pictures")
    return {FILE: content}


def pictures(journal: Path) -> Iterator[Image]:
    """Draw the window for each of the growing beginnings of a journal."""
    from PIL import Image

    from rig.window.theme import LIGHT

    running = application()
    lines = journal.read_bytes().splitlines(keepends=True)
    ends = [round(len(lines) * number / PICTURES) for number in range(1, PICTURES + 1)]
    journal.write_bytes(b"".join(lines[: ends[0]]))
    window = open_window([journal], LIGHT, SIZE)
    for begin, end in zip([ends[0], *ends], ends, strict=False):
        with journal.open("ab") as file:
            file.writelines(lines[begin:end])
        settle(running, window)
        yield Image.open(io.BytesIO(png(window.grab()))).convert("RGB")
    window.close()


def gif(images: Sequence[Image]) -> bytes:
    """Return the pictures as one film, in the colors of the last picture, which has all that occur."""
    from PIL.Image import Dither

    palette = images[-1].quantize(COLORS)
    frames = [image.quantize(palette=palette, dither=Dither.NONE) for image in images]
    times = [*[PICTURE_MS] * (len(frames) - 1), LAST_MS]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return file.getvalue()

"""Write every page, schema, picture and firmware file that a program writes.

python -m scripts.pages            all; `make pages` does this
python -m scripts.pages NAME...    only these, such as vocabulary: the keys of WRITERS

`python -m scripts.a_day` is not among them: it runs a whole day, in six minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from scripts import (
    firmware_hex,
    journal_lines,
    launcher_shots,
    mistakes_page,
    recipes_page,
    recorded_sessions,
    report_picture,
    scenes,
    schemas,
    screens,
    search_scenes,
    vocabulary,
    window_film,
    window_shots,
    wire_header,
    wiring_pico,
    yaml_reference,
)

Writer: TypeAlias = Callable[[], Mapping[Path, str | bytes]]
TEXTS: Mapping[str, Writer] = {
    "yaml_reference": yaml_reference.pages,
    "vocabulary": vocabulary.pages,
    "schemas": schemas.pages,
    "recipes_page": recipes_page.pages,
    "mistakes_page": mistakes_page.pages,
    "screens": screens.pages,
    "wiring_pico": wiring_pico.pages,
    "wire_header": wire_header.pages,
    "journal_lines": journal_lines.pages,
    "firmware_hex": firmware_hex.pages,  # after the header, from which it is built
}
PICTURES: Mapping[str, Writer] = {
    "scenes": scenes.pages,
    "search_scenes": search_scenes.pages,
    "window_shots": window_shots.pages,
    "window_film": window_film.pages,
    "launcher_shots": launcher_shots.pages,
    "report_picture": report_picture.pages,
}
"""Their fonts are those of the computer, so that their bytes differ elsewhere."""
RECORDS: Mapping[str, Writer] = {"recorded_sessions": recorded_sessions.pages}
"""Their headers have hashes of the code, so that they are written only when a replay differs."""
WRITERS = {**TEXTS, **PICTURES, **RECORDS}
ROOT = Path(__file__).parents[1]


def stale(pages: Mapping[Path, str | bytes]) -> list[Path]:
    """Return the files that are missing or differ."""
    return [path for path, content in pages.items() if not path.is_file() or path.read_bytes() != _encoded(content)]


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def write(name: str) -> None:
    """Write the files of a writer that differ, and name them."""
    try:
        pages = WRITERS[name]()
    except (LookupError, ImportError) as error:
        sys.stdout.write(f"{name}: left out: {error}\n")
        return
    for path in stale(pages):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encoded(pages[path]))
        sys.stdout.write(f"{name}: {path.relative_to(ROOT)}\n")


def main(names: list[str]) -> int:
    """Write the pages of the named writers, or all."""
    if unknown := [name for name in names if name not in WRITERS]:
        sys.stderr.write(f"no writer {', '.join(unknown)}: there are {', '.join(WRITERS)}\n")
        return 2
    for name in names or WRITERS:
        write(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

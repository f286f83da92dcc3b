"""Only listed files ask a real clock, or wait for one: everything else takes the time of its loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch

from scripts.house.sources import Finding, Source, dotted

READERS = {
    "rig/cli/*": "names the day of a session and draws progress",
    "rig/live/*.py": "draws the time that passes between two lines, and between two signs of life",
    "rig/window/*.py": "draws the time that passes, and names the day of a box's session",
    "rig/supervisor/box.py": "draws the time that passes between two lines",
    "rig/session/run/journal_file.py": "syncs the journal to the disk from a helper thread",
    "rig/system/carriers.py": "limits the wait for a real port, which may send byte by byte",
    "rig/camera/frames.py": "stamps and paces pictures, in the camera's own process",
    "rig/screen/window.py": "stamps frames and touches, in a process of its own",
    "rig/boards/serial/transport*.py": "opens and closes real ports",
    "sim_hardware/loop.py": "is a clock itself, and watches how long a callback really took",
}
"""Files that may, with the reason of each."""
CLOCKS = {
    *(f"time.{name}{unit}" for name in ("time", "monotonic", "perf_counter") for unit in ("", "_ns")),
    "time.sleep",
    *(f"datetime.{name}" for name in ("now", "utcnow", "today")),
    *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
    "date.today",
    "datetime.date.today",
}


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every mention of a clock, called at once or handed on, in files that are not listed."""
    for source in sources:
        if source.is_python_in("rig/", "protocols/", "sim_hardware/") and not any(
            fnmatch(source.path, pattern) for pattern in READERS
        ):
            for line, clock in _clocks(source):
                yield Finding(source.path, line, f"{clock} is a real clock: take the loop's time()")


def _clocks(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes(ast.Attribute):
        if (clock := dotted(node)) in CLOCKS:
            yield node.lineno, clock
    for imported in source.nodes(ast.ImportFrom):
        for name in imported.names:
            if imported.module == "time" and f"time.{name.name}" in CLOCKS:
                yield imported.lineno, f"time.{name.name}"

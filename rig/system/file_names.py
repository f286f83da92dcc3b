"""Names that can be a file's on every system: records and configurations move between computers."""

from __future__ import annotations

import re

_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *(\..*)?", re.IGNORECASE | re.ASCII)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def name_problem(name: str) -> str:
    """Return why Windows cannot have a file or a folder of a name, empty if it can."""
    if _DEVICE.fullmatch(name):
        return f"'{name}' is a device of Windows in every folder, whatever ending follows: choose another name"
    if forbidden := _FORBIDDEN.search(name):
        return f"'{name}' has {forbidden[0]!r}, which Windows allows in no file's name: choose another name"
    if name.endswith((".", " ")):
        return f"'{name}' ends with a point or a space, which Windows cuts off: choose another name"
    return ""

"""What a script reads, and texts of several lines."""

from __future__ import annotations

import json
from typing import Any


def print_json(value: Any) -> None:
    """Print JSON, in ASCII: it holds no character that a terminal would obey."""
    print_lines(json.dumps(value, indent=2).replace("\x7f", "\\u007f"))


def print_lines(text: str) -> None:
    """Print a text that we have broken into lines ourselves."""
    print(*text.split("\n"), sep="\n")

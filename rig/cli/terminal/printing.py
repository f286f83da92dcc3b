"""Print JSON for scripts, and texts of several lines."""

from __future__ import annotations

import json
from typing import Any


def print_json(value: Any) -> None:
    """Print JSON in ASCII, so that it holds no terminal control character."""
    print_lines(json.dumps(value, indent=2).replace("\x7f", "\\u007f"))


def print_lines(text: str) -> None:
    """Print a text of several lines; line breaks pass the output filter only this way."""
    print(*text.split("\n"), sep="\n")

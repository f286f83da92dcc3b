"""The first sentence of a docstring, or of the comment that a file begins with."""

from __future__ import annotations

import inspect
import re
from pathlib import Path


def sentence(thing: object) -> str:
    """Return the first sentence of what a class says of itself."""
    return first_sentence(thing.__doc__ or "")


def first_sentence(doc: str) -> str:
    """Return the first sentence of a docstring, without the marks of code."""
    return _first(inspect.cleandoc(doc).partition("\n\n")[0]).replace("``", "")


def first_comment(path: Path) -> str:
    """Return the first sentence of the comment that a YAML file begins with."""
    lines: list[str] = []
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in file:
            if not line.startswith("#"):
                break
            words = line.lstrip("#").strip()
            if not words.startswith("yaml-language-server:"):
                lines.append(words)
    return _first(" ".join(lines))


def _first(text: str) -> str:
    """Return a text's first sentence; ``et al. 2022`` and ``1.5 s`` do not end one."""
    text = " ".join(text.split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`])", text, maxsplit=1)[0]

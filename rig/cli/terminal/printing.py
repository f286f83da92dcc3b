"""Print JSON for scripts, texts of several lines, and tables of plain text with aligned columns."""

from __future__ import annotations

import json
from collections.abc import Sequence


def print_json(value: object) -> None:
    """Print JSON in ASCII, so that it holds no terminal control character."""
    print_lines(json.dumps(value, indent=2).replace("\x7f", "\\u007f"))


def print_lines(text: str) -> None:
    """Print a text of several lines; line breaks pass the output filter only this way."""
    print(*text.split("\n"), sep="\n")


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for each row; two spaces part the columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def print_table(
    rows: Sequence[Sequence[str]], heads: Sequence[str] = (), below: Sequence[Sequence[str]] | None = None
) -> None:
    """Print rows under their heads; ``below`` has the indented lines that follow each row."""
    lines = table_lines([heads, *rows] if heads else rows)
    below_lines = [*([()] if heads else []), *(below or [()] * len(rows))]
    for line, texts in zip(lines, below_lines, strict=True):
        print(line, *(f"  {text}" for text in texts), sep="\n")

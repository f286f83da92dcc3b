"""Tables of plain text, whose columns are aligned."""

from __future__ import annotations

from collections.abc import Sequence


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

"""``protocols`` stays a namespace package, to which the folder of a laboratory adds its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield the file that would end the namespace."""
    for source in sources:
        if source.path == "protocols/__init__.py":
            yield Finding(source.path, 1, "hides a laboratory's own protocols: remove the file")

"""Texts that no file may have: paths of one machine, hosts of registries, pragmas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source

BANS = (
    # Written so that they do not match themselves.
    (r"/(?:(?<![\w.]/)(?:work|root|home|Users))/", "", "a path below the repository, or a temporary folder"),
    (r"(?:pypi|pythonhosted|npmjs)\.org|npmjs\.com|crates\.io", "", "no host: the package manager knows its registry"),
    (r"(?:deb|archive|security)\.(?:debian|ubuntu)\.\w+", "", "no host: the package manager knows its registry"),
    (r"pragma:\s*no\s*(?:cover|branch)", r"(?:rig|protocols|sim_hardware)/", "a test that runs the line"),
)
"""Patterns of texts, of the paths in which they are banned, and what would be right."""


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every banned text."""
    for pattern, paths, right in BANS:
        for source in sources:
            if re.match(paths, source.path):
                for match in re.finditer(pattern, source.text):
                    yield Finding(source.path, source.line_at(match.start()), f"'{match.group()}': write {right}")

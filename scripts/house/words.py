"""Words that the glossary has replaced stand in no text and in no name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source

INSTEAD = {
    "behaviour": "behavior",
    "behavioural": "behavioral",
    "colour": "color",
    "colours": "colors",
    "centre": "center",
    "lest": "so that ... not",
    "whoever": "who: the host, the operator, a protocol",
    "nobody": "what does not: no task, no reader",
    "somebody": "who: the operator, a technician",
    "purse": "reward ledger",
    "gift": "reward",
    "gifts": "rewards",
    "era": "epoch",
    "eras": "epochs",
    "ceiling": "limit",
}
FREE = (
    "CHANGELOG.md",
    "firmware/",
    "docs/explanations/firmware.md",
    "rig/_firmware/",
    "scripts/house/",
    "tests/scripts/",
)
_WORD = re.compile(r"test_\w+|[a-z]+")
"""A word, also as a part of a name such as ``_gift_us``; but the name of a test is a sentence."""


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every replaced word."""
    for source in sources:
        text = source.text.lower()
        if not source.path.startswith(FREE) and not INSTEAD.keys().isdisjoint(_WORD.findall(text)):
            for match in _WORD.finditer(text):
                if match.group() in INSTEAD:
                    line = source.line_at(match.start())
                    yield Finding(source.path, line, f"'{match.group()}': write {INSTEAD[match.group()]}")

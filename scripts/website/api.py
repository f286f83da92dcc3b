"""The page of the vocabulary's classes and functions, with their signatures and docstrings, by mkdocstrings."""

from __future__ import annotations

import json
from collections.abc import Iterator

import rig
from scripts.vocabulary import COMPLETE, MACHINERY
from scripts.vocabulary_examples import SECTIONS

PAGE = "docs/reference/vocabulary-api.md"
SHORT = "docs/reference/vocabulary.md"
"""The page of the same names that has their examples."""

HEAD = """# Signatures of the vocabulary

Every name that a protocol imports with `from rig import ...`, with its types and its description. [The
vocabulary](vocabulary.md) has an example of each.
"""
WAY_THERE = "\n[Signatures](vocabulary-api.md): the types and the whole description of each name.\n"
"""What the site adds to the page of examples; only the site has the page of signatures."""


def page() -> str:
    """Return the page, in Markdown with the marks that mkdocstrings replaces."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    for heading, entries in SECTIONS.items():
        names = [name for name in entries if name in rig.__all__]
        if names:
            yield f"## {heading}\n"
            yield from (f"::: rig.vocabulary.{name}\n    options: {json.dumps(_options(name))}\n" for name in names)


def _options(name: str) -> dict[str, object]:
    """Return what to show: all fields with their defaults of a class that protocols make, else what has a docstring."""
    is_value = name not in COMPLETE
    hidden = {"kind"} if is_value else MACHINERY
    return {
        "filters": ["!^_", f"!^({'|'.join(sorted(hidden))})$"],
        "inherited_members": True,
        "merge_init_into_class": is_value,
        "show_if_no_docstring": is_value,
        "show_attribute_values": is_value,
    }

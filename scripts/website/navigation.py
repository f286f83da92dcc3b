"""The navigation of the site, from the lists of docs/README.md and from the links of the pages.

The lists give the sections and their pages. Any other page stands below the first page that links to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scripts.website.repository import HOME, LIST_OF_PAGES, links, title


@dataclass
class Entry:
    """A title of the navigation: a page, or a section (``page`` is None), with what stands below it."""

    title: str
    page: str | None
    below: list[Entry] = field(default_factory=list)

    def pages(self) -> Iterator[str]:
        """Yield the pages of this entry and of all below it."""
        if self.page is not None:
            yield self.page
        for entry in self.below:
            yield from entry.pages()


def navigation(texts: Mapping[str, str]) -> list[Entry]:
    """Return the entries of the navigation; ``texts`` has all pages by path.

    Raises ``LookupError`` for a page to which no page leads, and for one without a heading.
    """
    placed = {HOME, LIST_OF_PAGES}
    sections = [Entry(heading, None, _linked(LIST_OF_PAGES, part, texts, placed)) for heading, part in _parts(texts)]
    more = _linked(HOME, texts[HOME], texts, placed)
    level = [entry for section in sections for entry in section.below] + more
    while level:
        for entry in level:
            if entry.page is not None:
                entry.below = _linked(entry.page, texts[entry.page], texts, placed)
        level = [entry for above in level for entry in above.below]
    if orphans := sorted(texts.keys() - placed):
        raise LookupError(f"no page leads to {', '.join(orphans)}: link to it from {LIST_OF_PAGES}")
    return [Entry("Start", HOME), Entry(_title(LIST_OF_PAGES, texts), LIST_OF_PAGES), *sections, *more]


def _parts(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the heading of each list of pages, without the words that all have, and the list."""
    parts = re.split(r"^## (.+)$", texts[LIST_OF_PAGES], flags=re.MULTILINE)[1:]
    for heading, part in zip(parts[::2], parts[1::2], strict=True):
        words = heading.removeprefix("For people who ")
        yield words[0].upper() + words[1:], part


def _linked(page: str, part: str, texts: Mapping[str, str], placed: set[str]) -> list[Entry]:
    """Return entries for the pages to which a part of a page links and that have no place yet; they then have one."""
    entries = []
    for link in links(part):
        path = link.path_from(page)
        if path is not None and path in texts and path not in placed:
            placed.add(path)
            entries.append(Entry(_title(path, texts), path))
    return entries


def _title(path: str, texts: Mapping[str, str]) -> str:
    heading = title(texts[path])
    if heading is None:
        raise LookupError(f"{path} has no heading: its first line must begin with '# '")
    return heading

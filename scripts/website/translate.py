"""The text of a page as the site shows it: links to files become links to their pages, pictures follow the colors."""

from __future__ import annotations

import posixpath
from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path

from scripts.website.repository import Link, links

SCHEMES = ("light", "dark")
LANGUAGES = {".py": "python", ".yaml": "yaml", ".yml": "yaml", ".cff": "yaml", ".toml": "toml", ".h": "cpp", "": "text"}
"""The files that get a page, by their ending, and their languages; a browser opens or saves the others."""


@dataclass
class Site:
    """A site in the making: the repository, its pages, and the files that their links need."""

    root: Path
    pages: Container[str]
    files: set[str] = field(default_factory=set)
    """Pictures and other files that the site takes as they are."""
    sources: set[str] = field(default_factory=set)
    """Files of text that get a page."""

    def translate(self, page: str, text: str) -> str:
        """Return the text of a page with links that hold on the site."""
        parts, end = [], 0
        for link in links(text):
            parts += [text[end : link.start], self._translated(page, link, text[link.start : link.end])]
            end = link.end
        return "".join([*parts, text[end:]])

    def _translated(self, page: str, link: Link, written: str) -> str:
        path = link.path_from(page)
        if path is None or path.startswith("../"):  # the builder names a link that leaves the repository
            return written
        if link.is_picture:
            return self._picture(page, link, path, written)
        if path in self.pages:
            return f"[{link.label}]({link.target.replace('.ipynb', '.md')})"
        if f"{path}/README.md" in self.pages:
            return f"[{link.label}]({_relative(page, f'{path}/README.md')})"
        if (self.root / path).is_dir():
            return link.label if path in link.label else f"{link.label} (`{path}`)"
        return self._file(page, link, path, written)

    def _picture(self, page: str, link: Link, path: str, written: str) -> str:
        """Return a picture; one for bright screens that has a partner for dark ones, or the reverse, becomes both."""
        stem, underscore, scheme = posixpath.splitext(path)[0].rpartition("_")
        pair = {word: f"{stem}{underscore}{word}{posixpath.splitext(path)[1]}" for word in SCHEMES}
        if scheme not in SCHEMES or not all((self.root / picture).is_file() for picture in pair.values()):
            return self._as_it_is(path, written)
        self.files.update(pair.values())
        return "".join(f"![{link.label}]({_relative(page, pair[word])}#only-{word})" for word in SCHEMES)

    def _file(self, page: str, link: Link, path: str, written: str) -> str:
        if posixpath.splitext(path)[1] not in LANGUAGES or not (self.root / path).is_file():
            return self._as_it_is(path, written)
        self.sources.add(path)
        return f"[{link.label}]({_relative(page, source_page(path))})"

    def _as_it_is(self, path: str, written: str) -> str:
        """Return a link to a file that the site takes; the builder names one that is neither here nor a new figure."""
        if (self.root / path).is_file():
            self.files.add(path)
        return written


def source_page(path: str) -> str:
    """Return the path of the page that shows a file."""
    return f"{path}.md"


def show_source(path: str, content: str) -> str:
    """Return a page that shows a file; the search leaves it out."""
    language = LANGUAGES[posixpath.splitext(path)[1]]
    head = "---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n"
    return f"{head}# {posixpath.basename(path)}\n\n`{path}`\n\n``````{language}\n{content.rstrip()}\n``````\n"


def _relative(page: str, path: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(page) or ".")

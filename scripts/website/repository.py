"""The pages of the repository, by their paths in it, and how a link of a page is followed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "site"
HTML = WORK / "html"
HOME = "README.md"
LIST_OF_PAGES = "docs/README.md"
PAGES = (HOME, "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md", "docs/notebooks/*.ipynb", "protocols/**/README.md")
"""Which files are pages of the site; a notebook becomes one."""

_CODE = re.compile(r"^ *(```+).*?^ *\1 *$|(?<!`)(`+)(?!`).+?(?<!`)\2(?!`)|<!--.*?-->", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Link:
    """A link, or a picture, in the text of a page from ``start`` to ``end``."""

    start: int
    end: int
    is_picture: bool
    label: str
    target: str

    def path_from(self, page: str) -> str | None:
        """Return the path in the repository to which the link of a page leads; None for other hosts and the page."""
        path = self.target.partition("#")[0]
        if not path or re.match(r"[a-z]+:", path):
            return None
        return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def page_paths(root: Path) -> list[str]:
    """Return the paths of all pages, sorted."""
    paths = {path for pattern in PAGES for path in root.glob(pattern) if ".ipynb_checkpoints" not in path.parts}
    return sorted(path.relative_to(root).as_posix() for path in paths)


def links(text: str) -> Iterator[Link]:
    """Yield the links of a Markdown text in their order, but those in code and in comments."""
    masked = _CODE.sub(lambda code: "\0" * len(code[0]), text)
    for match in _LINK.finditer(masked):
        label = text[match.start(2) : match.end(2)]
        yield Link(match.start(), match.end(), bool(match[1]), label, match[3])


def title(text: str) -> str | None:
    """Return the first heading of a Markdown text, as plain words; None if there is none."""
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return re.sub(r"[`*]", "", heading[1]) if heading else None

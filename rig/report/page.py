"""A page: one self-contained file without scripts, which asks no network for anything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import rig
from rig.report.html import Content, Html, element, together

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""What a browser may load and run: nothing. Figures have style attributes, and pictures within them."""


def page(title: str, *content: Content, broad: bool = False) -> str:
    """Return the text of a page; a ``broad`` one is wider, and printed in landscape format."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", _style()),
    )
    made = element("footer", element("p", f"made by behavior-rig {rig.__version__} from the records alone"))
    body = element("body", element("main", *content), made, class_="broad" if broad else None)
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


@cache
def _style() -> Html:
    # Its own file, which no record reaches: it is no text to be escaped.
    return Html(files("rig.report").joinpath("page.css").read_text(encoding="utf-8"))


def contents(sections: Sequence[tuple[str, str]]) -> Html:
    """Return links to sections, by name and title."""
    links = (element("li", element("a", title, href=f"#{name}")) for name, title in sections)
    return element("nav", element("ul", together(links)), aria_label="contents")

"""HTML as values: whatever is no ``Html`` is escaped, so that no record can add markup.

Only this module, ``rig.report.svg_elements`` and ``rig.report.figure_svg`` make an ``Html`` from a text.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rig.terminal.visible import escape_controls

MOST_CHARS = 4000
"""A longer text is shortened: a page is for people."""
MOST_ROWS = 4000
"""A longer table is cut: only a strange journal has so many states or parameters."""
SHORT_NAME = 40
"""A name of a row that is longer may be broken."""
_VOID = frozenset({"meta", "br", "hr"})


class Html(str):
    """Markup that is safe to put into a page; adding a text to it makes a text again."""

    __slots__ = ()


Content: TypeAlias = "str | int | Iterable[Content] | None"
"""What an element may hold: markup, a text that is escaped, a number, nothing, or several of these."""


def text(value: object) -> Html:
    """Return a value as escaped text; characters that hide or reorder others are shown as their numbers."""
    written = str(value)
    if len(written) > MOST_CHARS:
        written = f"{written[:MOST_CHARS]} … ({len(written)} characters)"
    # Only a surrogate cannot be encoded; a journal has none, but a file's name may.
    plain = written.encode("utf-8", "backslashreplace").decode("utf-8")
    return Html(html.escape("\n".join(map(escape_controls, plain.split("\n")))))


def element(tag: str, *content: Content, **attributes: str | int | bool | None) -> Html:
    """Return an element; ``class_`` becomes ``class``, and an attribute that is None or False is left out."""
    named = "".join(_attribute(name, value) for name, value in attributes.items() if value not in (None, False))
    if tag in _VOID:
        return Html(f"<{tag}{named}>")
    return Html(f"<{tag}{named}>{together(content)}</{tag}>")


def together(content: Iterable[Content]) -> Html:
    """Return several contents, one after the other."""
    return Html("".join(map(_part, content)))


def _part(content: Content) -> str:
    if content is None:
        return ""
    if isinstance(content, Html):
        return content
    if isinstance(content, str | int):
        return text(content)
    return together(content)


def _attribute(name: str, value: str | int | bool | None) -> str:
    word = name.rstrip("_").replace("_", "-")
    return f" {word}" if value is True else f' {word}="{text(value)}"'


# --- parts of pages -----------------------------------------------------------------------------------------------


def table(
    head: Sequence[str], rows: Iterable[Sequence[Content]], *, caption: str = "", right: Sequence[int] = ()
) -> Html:
    """Return a table whose first cells name the rows; the columns ``right`` are set flush right, for numbers."""
    named = [element("th", name, scope="col", class_=_number(index, right)) for index, name in enumerate(head)]
    listed = list(rows)
    more = len(listed) - MOST_ROWS
    inner = element(
        "table",
        element("caption", caption) if caption else None,
        element("thead", element("tr", named)),
        element("tbody", (element("tr", _cells(row, right)) for row in listed[:MOST_ROWS])),
    )
    rest = element("p", f"{more} more rows are left out.") if more > 0 else None
    return element("div", inner, rest, class_="wide", tabindex=0, role="region", aria_label=caption or ", ".join(head))


def _cells(row: Sequence[Content], right: Sequence[int]) -> Iterator[Html]:
    first, *others = row
    short = isinstance(first, str) and not isinstance(first, Html) and len(first) <= SHORT_NAME
    yield element("th", first, scope="row", class_="name" if short else None)
    for number, content in enumerate(others, start=1):
        yield element("td", content, class_=_number(number, right))


def _number(place: int, right: Sequence[int]) -> str | None:
    return "number" if place in right else None


def facts(pairs: Iterable[tuple[str, Content]]) -> Html:
    """Return a list of names with their values; a pair without a value is left out."""
    rows = (
        element("div", element("dt", name), element("dd", value)) for name, value in pairs if value not in (None, "")
    )
    return element("dl", rows)


def big_numbers(pairs: Iterable[tuple[str, str]]) -> Html:
    """Return numbers in large letters, each with what it counts in small ones."""
    return element(
        "ul", (element("li", element("b", big), element("span", small)) for big, small in pairs), class_="tiles"
    )


def section(title: str, *content: Content, name: str) -> Html:
    """Return a section with a heading; ``name`` is its place in the page's address."""
    return element(
        "section", element("h2", title, id=f"{name}-title"), *content, id=name, aria_labelledby=f"{name}-title"
    )


def fold(title: str, *content: Content) -> Html:
    """Return a part of a page that is closed until a person opens it, and printed open."""
    return element("details", element("summary", title), *content)


def notice(kind: str, *content: Content) -> Html:
    """Return a framed remark; ``kind`` is ``good``, ``suspicious``, ``bad`` or ``note``."""
    return element("div", *content, class_=f"notice {kind}")


def badge(kind: str, said: str) -> Html:
    """Return a short colored word; its color is never the only sign."""
    return element("strong", said, class_=f"badge {kind}")

"""What a page holds, as the first step of a browser would find it."""

from __future__ import annotations

from html.parser import HTMLParser

Attributes = tuple[tuple[str, str | None], ...]


class FoundMarkup(HTMLParser):
    """The tags, attributes, texts and comments of a page."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, Attributes]] = []
        self.texts: list[str] = []
        self.comments: list[str] = []
        self.feed(markup)
        self.close()

    @property
    def names(self) -> list[str]:
        """The names of all tags, in their order."""
        return [tag for tag, _ in self.tags]

    @property
    def text(self) -> str:
        """All texts together."""
        return " ".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

"""The navigation follows the lists of docs/README.md, and misses no page."""

import pytest

from scripts.website.navigation import Entry, navigation

TEXTS = {
    "README.md": "# rig\n\n[All](docs/README.md), [changes](CHANGELOG.md)\n",
    "CHANGELOG.md": "# Changelog\n",
    "docs/README.md": (
        "# All pages\n\n## For people who run sessions\n\n- [Day](a/day.md), [trouble](a/trouble.md#words)\n"
        "\n## Data\n\n- [Day](a/day.md) again, [journal](a/journal.md)\n"
    ),
    "docs/a/day.md": "# The day\n\n[journal](journal.md), [week](week.md)\n",
    "docs/a/trouble.md": "# Trouble\n",
    "docs/a/week.md": "# The week\n\n[month](month.md)\n",
    "docs/a/month.md": "# The month\n",
    "docs/a/journal.md": "# The journal\n",
}


def outline(entries: list[Entry]) -> list[object]:
    return [[entry.title, outline(entry.below)] if entry.below else entry.title for entry in entries]


def test_sections_and_their_pages_are_those_of_the_lists_in_their_order() -> None:
    assert outline(navigation(TEXTS)) == [
        "Start",
        "All pages",
        ["Run sessions", [["The day", [["The week", ["The month"]]]], "Trouble"]],
        ["Data", ["The journal"]],
        "Changelog",
    ]


def test_each_page_has_one_place() -> None:
    pages = [page for entry in navigation(TEXTS) for page in entry.pages()]
    assert sorted(pages) == sorted(TEXTS)


def test_a_page_to_which_no_page_leads_is_named() -> None:
    with pytest.raises(LookupError, match=r"no page leads to docs/a/lost\.md: link to it from docs/README\.md"):
        navigation({**TEXTS, "docs/a/lost.md": "# Lost\n\n[itself](lost.md)\n"})


def test_a_page_without_a_heading_is_named() -> None:
    with pytest.raises(LookupError, match=r"docs/a/day\.md has no heading: its first line must begin with '# '"):
        navigation({**TEXTS, "docs/a/day.md": "words\n"})

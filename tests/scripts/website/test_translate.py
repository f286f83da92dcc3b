"""A link of a page holds on the site, too."""

from pathlib import Path

import pytest

from scripts.website.translate import Site, show_source

PAGE = "docs/how-to/page.md"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A repository with a page, a room, a notebook, pictures and a file of code."""
    files = (
        "protocols/room/README.md",
        "protocols/room/task.py",
        "docs/how-to/other.md",
        "docs/a.ipynb",
        "tests/x/test_y.py",
    )
    pictures = ("docs/wall_light.png", "docs/wall_dark.png", "docs/alone_dark.png", "docs/plain.png")
    for path in (*files, *pictures):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    return Site(tmp_path, {PAGE, "docs/how-to/other.md", "protocols/room/README.md", "docs/a.ipynb"})


@pytest.mark.parametrize(
    "text",
    [
        "[a](other.md#part)",
        "[a](#part)",
        "[a](https://example.org)",
        "`[a](task.py)`",
        "[a](missing.md)",
        "[a](../../../x.py)",
    ],
)
def test_what_holds_already_stays_and_what_is_dead_is_left_to_the_builder(site: Site, text: str) -> None:
    assert site.translate(PAGE, text) == text


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        ("see [task](../../protocols/room/task.py#L3).", "see [task](../../protocols/room/task.py.md)."),
        ("[the room](../../protocols/room)", "[the room](../../protocols/room/README.md)"),
        ("[tests](../../tests/x)", "tests (`tests/x`)"),
        ("[`tests/x`](../../tests/x)", "`tests/x`"),
        ("[notebook](../a.ipynb)", "[notebook](../a.md)"),
    ],
)
def test_links_to_what_is_no_page_become_links_to_pages_or_words(site: Site, text: str, translated: str) -> None:
    assert site.translate(PAGE, text) == translated


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_with_a_partner_follows_the_colors(site: Site, scheme: str) -> None:
    translated = site.translate(PAGE, f"![wall](../wall_{scheme}.png)")
    assert translated == "![wall](../wall_light.png#only-light)![wall](../wall_dark.png#only-dark)"
    assert site.files == {"docs/wall_light.png", "docs/wall_dark.png"}


@pytest.mark.parametrize("text", ["![p](../plain.png)", "![p](../alone_dark.png)", "[p](../wall_dark.png)"])
def test_other_pictures_stay_and_are_taken_along(site: Site, text: str) -> None:
    assert site.translate(PAGE, text) == text
    assert len(site.files) == 1


def test_the_files_that_links_need_are_remembered(site: Site) -> None:
    site.translate(PAGE, "[t](../../protocols/room/task.py)")
    assert site.sources == {"protocols/room/task.py"}


def test_the_page_of_a_file_shows_it_and_is_not_searched() -> None:
    page = show_source("rig/a.py", "x = '```'\n")
    assert "\n``````python\nx = '```'\n``````\n" in page
    assert "search:\n  exclude: true\n" in page

"""Which links of a page are followed."""

import pytest

from scripts.website.repository import ROOT, Link, links, page_paths, title


def targets(text: str) -> list[str]:
    return [link.target for link in links(text)]


def test_links_and_pictures_are_read_in_their_order() -> None:
    text = "A [page](a.md#part) and ![a picture](b.png), [over\ntwo lines](c.md)."
    assert targets(text) == ["a.md#part", "b.png", "c.md"]
    assert [link.is_picture for link in links(text)] == [False, True, False]
    assert next(text[link.start : link.end] for link in links(text)) == "[page](a.md#part)"


def test_links_in_code_and_in_comments_are_left_alone() -> None:
    text = "`[a](a.md)` ``[b](b.md)``\n\n```md\n[c](c.md)\n```\n<!-- [d](d.md) --> [e](e.md)"
    assert targets(text) == ["e.md"]


def test_the_words_of_a_link_may_be_code() -> None:
    (link,) = links("[`rig board bench`](timing.md)")
    assert link.label == "`rig board bench`"


@pytest.mark.parametrize(
    ("page", "target", "path"),
    [
        ("docs/how-to/views.md", "../reference/wire.md#orders", "docs/reference/wire.md"),
        ("README.md", "docs/README.md", "docs/README.md"),
        ("docs/how-to/views.md", "#orders", None),
        ("docs/how-to/views.md", "https://example.org/x.md", None),
    ],
)
def test_a_link_leads_from_its_page(page: str, target: str, path: str | None) -> None:
    assert Link(0, 0, False, "", target).path_from(page) == path


def test_a_title_is_the_first_heading_without_marks() -> None:
    assert title("<!-- written -->\n# The `rig` *vocabulary*\n\n# Other\n") == "The rig vocabulary"


def test_every_experiment_and_every_notebook_is_a_page() -> None:
    paths = page_paths(ROOT)
    assert [path for path in ROOT.glob("protocols/*/README.md") if path.relative_to(ROOT).as_posix() not in paths] == []
    assert "docs/notebooks/first_look.ipynb" in paths
